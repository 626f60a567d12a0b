#include "geometry/segment_boxes.h"

#include <algorithm>

#include "base/limits.h"

namespace abut::geometry {
namespace {

// By how much the roundings of the tests below may be wrong, relative to the numbers in them
// (dimensionless): sums and products of a few terms.
constexpr double box_test_rounding = 16 * epsilon;

/// A segment as its middle and half its length.
class HalfSegment {
 public:
  HalfSegment(const Vec3& from, const Vec3& to)
      : middle_(0.5 * from + 0.5 * to),
        half_(0.5 * to - 0.5 * from),
        size_(from.cwiseAbs().maxCoeff() + to.cwiseAbs().maxCoeff()) {}

  // Apart if an axis of the box, or one across it and the segment, separates them.
  bool may_meet(const Box3& box) const {
    const Vec3 e = 0.5 * (box.max() - box.min());
    const Vec3 m = middle_ - 0.5 * (box.max() + box.min());
    const Vec3 h = half_.cwiseAbs();
    const double slack = box_test_rounding * (size_ + box.min().cwiseAbs().maxCoeff() +
                                              box.max().cwiseAbs().maxCoeff());
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (std::abs(m[i]) > e[i] + h[i] + slack) return false;
      const double reach = e[j] * h[k] + e[k] * h[j] + slack * (h[j] + h[k] + e[j] + e[k]);
      if (std::abs(m[j] * half_[k] - m[k] * half_[j]) > reach + slack * slack) return false;
    }
    return true;
  }

 private:
  Vec3 middle_, half_;
  double size_;
};

}  // namespace

std::vector<int> triangles_along(const BoxTree& tree, const Vec3& from, const Vec3& to) {
  std::vector<int> found;
  if (tree.nodes().empty()) return found;
  const HalfSegment segment(from, to);
  std::vector<int> open = {0};
  while (!open.empty()) {
    const BoxTree::Node& node = tree.nodes()[open.back()];
    open.pop_back();
    if (!segment.may_meet(node.box)) continue;
    if (node.count == 0) {
      open.push_back(node.first);
      open.push_back(node.first + 1);
    }
    for (int i = node.first; i < node.first + node.count; ++i)
      if (segment.may_meet(tree.box_of(tree.item(i)))) found.push_back(tree.item(i));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace abut::geometry
