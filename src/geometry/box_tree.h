#pragma once
// A tree of axis-aligned boxes that finds the overlapping ones without looking at all pairs.

#include <vector>

#include "abut/types.h"

namespace abut::geometry {

using Box3 = Eigen::AlignedBox3d;

class BoxTree {
 public:
  struct Node {
    Box3 box;
    int first = 0;  ///< of the leaf's items, or of its two children
    int count = 0;  ///< of the leaf's items; 0 for an inner node
  };

  explicit BoxTree(std::vector<Box3> boxes);

  /// Appends the indices of all boxes that overlap or touch `box`, in no particular order.
  void find_overlapping(const Box3& box, std::vector<int>& found) const;

  /// For walks of one's own: the root is node 0, unless there is nothing.
  const std::vector<Node>& nodes() const { return nodes_; }
  int item(int i) const { return order_[i]; }
  const Box3& box_of(int item) const { return boxes_[item]; }

 private:
  void split(int node, int first, int count);

  std::vector<Box3> boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace abut::geometry
