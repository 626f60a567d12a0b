#pragma once
// Scaling by powers of two, which is exact.

#include <cmath>

namespace abut::geometry {

/// The power of two that brings `largest` between 1 and 2, so that products of coordinates neither
/// overflow nor underflow. 1 for zero and for what is not finite. Sizes so extreme that the factor
/// itself would not be finite get the nearest one that is.
inline double unit_for(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  const int exponent = -std::ilogb(largest);
  return std::ldexp(1.0, exponent > 1023 ? 1023 : exponent);
}

}  // namespace abut::geometry
