#pragma once
// Groups of indices that grow together.

#include <algorithm>
#include <numeric>
#include <vector>

namespace abut::base {

class UnionFind {
 public:
  explicit UnionFind(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  /// The smallest index of the group.
  int first_of(int index) {
    while (parent_[index] != index) index = parent_[index] = parent_[parent_[index]];
    return index;
  }

  void join(int a, int b) {
    a = first_of(a);
    b = first_of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace abut::base
