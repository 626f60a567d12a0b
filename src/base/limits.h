#pragma once
// The ends of the numbers.

#include <limits>

namespace abut {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The distance from 1 to the next number: rounding errors are half of it, relatively.
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace abut
