#pragma once
// The norm that superellipsoids are made of.

#include <algorithm>
#include <cmath>

namespace abut::verify {

/// (|s|^q + |t|^q)^(1/q).
inline double norm_of_two(double s, double t, double q) {
  const double large = std::max(std::abs(s), std::abs(t));
  if (large == 0) return 0;
  return large *
         std::pow(std::pow(std::abs(s) / large, q) + std::pow(std::abs(t) / large, q), 1 / q);
}

}  // namespace abut::verify
