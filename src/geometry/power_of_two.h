#pragma once
// Scaling by powers of two, which is exact.

#include <bit>
#include <cstdint>

namespace abut::geometry {

/// The power of two that brings `largest` (not negative) between 1 and 2, so that products of
/// coordinates neither overflow nor underflow. 1 for what is zero, subnormal or not finite, and for
/// the few sizes whose factor would be subnormal.
inline double unit_for(double largest) {
  // The exponent e + 1023 of the format is in the bits above 52; the factor's is 1023 - e.
  const auto biased = std::bit_cast<std::uint64_t>(largest) >> 52;
  if (biased == 0 || biased >= 2046) return 1;
  return std::bit_cast<double>((2046 - biased) << 52);
}

}  // namespace abut::geometry
