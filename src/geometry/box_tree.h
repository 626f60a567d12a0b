#pragma once
// A tree of axis-aligned boxes that finds the overlapping ones without looking at all pairs.

#include <vector>

#include "abut/types.h"

namespace abut::geometry {

using Box3 = Eigen::AlignedBox3d;

class BoxTree {
 public:
  explicit BoxTree(std::vector<Box3> boxes);

  /// Appends the indices of all boxes that overlap or touch `box`, in no particular order.
  void find_overlapping(const Box3& box, std::vector<int>& found) const;

 private:
  struct Node {
    Box3 box;
    int first = 0;  ///< of the leaf's items in order_, or of its two children in nodes_
    int count = 0;  ///< of the leaf's items; 0 for an inner node
  };

  void split(int node, int first, int count);

  std::vector<Box3> boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace abut::geometry
