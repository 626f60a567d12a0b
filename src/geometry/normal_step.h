#pragma once
// How far Newton's method goes when it looks for a normal.

#include <algorithm>

#include "abut/types.h"
#include "base/limits.h"

namespace abut::geometry {

/// Residuals below this times the reach of the coordinates are rounding (dimensionless).
inline constexpr double residual_rounding = 2 * epsilon;

inline constexpr int most_halvings = 40;

/// A step must gain this part of what the slope promises (Armijo's rule, dimensionless).
inline constexpr double least_gain = 1e-4;

/// A step that gains nothing that can be told from rounding is still good if it reduces the
/// residual by this factor.
inline constexpr double least_reduction = 0.5;

/// No step turns the normal by more than about 45 degrees.
inline Vec3 limited(const Vec3& step) {
  return step / std::max(1.0, step.norm());
}
inline Vec3 turned(const Vec3& normal, const Vec3& step, double fraction) {
  return (normal + fraction * limited(step)).normalized();
}

}  // namespace abut::geometry
