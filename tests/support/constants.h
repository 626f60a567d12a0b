#pragma once
// Numbers that most tests need.

#include <numbers>

namespace abut::test {

inline constexpr double pi = std::numbers::pi;
inline constexpr double g = 9.81;  ///< m/s2

}  // namespace abut::test
