#pragma once
// Axis-aligned boxes that only ever grow by rounding: the currency of the broad phase.

#include <limits>

#include "abut/types.h"
#include "base/limits.h"
#include "math/interval.h"

namespace abut::geometry {

/// All points with lower <= x <= upper; closed, so boxes that share a face overlap. Sides may be
/// infinite. The default is empty; an empty box overlaps nothing.
struct Aabb {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = Vec3::Constant(-std::numeric_limits<double>::infinity());

  static Aabb whole() { return {Vec3::Constant(-infinity), Vec3::Constant(infinity)}; }

  bool is_empty() const { return (lower.array() > upper.array()).any(); }
  bool is_bounded() const { return lower.allFinite() && upper.allFinite(); }
  bool contains(const Vec3& point) const {
    return (lower.array() <= point.array()).all() && (point.array() <= upper.array()).all();
  }
  bool contains(const Aabb& other) const {
    return other.is_empty() || (contains(other.lower) && contains(other.upper));
  }
};

/// Precondition: neither box is empty.
inline bool overlap(const Aabb& a, const Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

/// The smallest box around both.
inline Aabb merged(const Aabb& a, const Aabb& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

/// Contains every point within `margin` of the box along each axis, in exact arithmetic. A NaN
/// among the numbers makes that side infinite.
inline Aabb inflated(const Aabb& box, const Vec3& margin) {
  Aabb grown;
  for (int i = 0; i < 3; ++i) {
    grown.lower[i] = math::next_down(box.lower[i] - margin[i]);
    grown.upper[i] = math::next_up(box.upper[i] + margin[i]);
  }
  return grown;
}

inline Aabb inflated(const Aabb& box, double margin) {
  return inflated(box, Vec3(Vec3::Constant(margin)));
}

}  // namespace abut::geometry
