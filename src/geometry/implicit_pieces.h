#pragma once
// Boxes that an implicit solid is cut into, and what interval arithmetic says of them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/surface_function.h"

namespace abut::geometry {

// Pieces looked at, all together: about a second's work.
inline constexpr int most_pieces = 60000;

// Values below this part of the largest ones in the bounds count as zero (dimensionless).
inline constexpr double value_rounding = 1e-12;

inline std::string shown(const Vec3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x(), p.y(), p.z());
}

inline Vec3 middle(const Aabb& box) {
  return 0.5 * (box.lower + box.upper);
}

inline Aabb octant(const Aabb& box, int index) {
  const Vec3 mid = middle(box);
  Aabb part = box;
  for (int i = 0; i < 3; ++i) ((index >> i & 1) != 0 ? part.lower[i] : part.upper[i]) = mid[i];
  return part;
}

inline bool is_finite(const Interval& x) {
  return std::isfinite(x.lower) && std::isfinite(x.upper);
}

inline Interval intersection(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

/// By the mean value theorem, from the range of the gradient.
inline Interval mean_value(const EnclosedField& field, const Aabb& box, const FieldRange& f) {
  const Vec3 mid = middle(box);
  const IntervalBox b = interval_box(box);
  Interval sum = field.range({Interval(mid.x()), Interval(mid.y()), Interval(mid.z())});
  for (std::size_t i = 0; i < 3; ++i)
    sum = sum + f.first[i] * (b[i] - Interval(mid[static_cast<int>(i)]));
  return sum;
}

struct Piece {
  Aabb box;
  int depth = 0;
};

}  // namespace abut::geometry
