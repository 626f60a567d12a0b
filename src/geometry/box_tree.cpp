#include "geometry/box_tree.h"

#include <numeric>

#include "geometry/median_split.h"

namespace abut::geometry {
namespace {

constexpr int leaf_size = 4;

}  // namespace

BoxTree::BoxTree(std::vector<Box3> boxes) : boxes_(std::move(boxes)), order_(boxes_.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (boxes_.empty()) return;
  nodes_.emplace_back();
  split(0, 0, static_cast<int>(boxes_.size()));
}

// Halves by the middle along the longest side, so the depth is the logarithm of the number of
// boxes whatever they look like.
void BoxTree::split(int node, int first, int count) {
  Box3 box;
  Box3 middles;
  for (int i = first; i < first + count; ++i) {
    box.extend(boxes_[order_[i]]);
    middles.extend(boxes_[order_[i]].center());
  }
  nodes_[node].box = box;
  nodes_[node].first = first;
  nodes_[node].count = count;
  if (count <= leaf_size) return;
  int axis = 0;
  middles.sizes().maxCoeff(&axis);
  const int half = count / 2;
  part_at_median(std::span(order_).subspan(first, count),
                 [&](int i) { return boxes_[i].center()[axis]; });
  const int children = static_cast<int>(nodes_.size());
  nodes_[node].first = children;
  nodes_[node].count = 0;
  nodes_.emplace_back();
  nodes_.emplace_back();
  split(children, first, half);
  split(children + 1, first + half, count - half);
}

void BoxTree::find_overlapping(const Box3& box, std::vector<int>& found) const {
  if (nodes_.empty()) return;
  std::vector<int> open = {0};
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    if (!node.box.intersects(box)) continue;
    if (node.count == 0) {
      open.push_back(node.first);
      open.push_back(node.first + 1);
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      if (boxes_[order_[i]].intersects(box)) found.push_back(order_[i]);
    }
  }
}

}  // namespace abut::geometry
