#pragma once
// What the checks of a model share.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "abut/types.h"

namespace abut::model {

using Faults = std::vector<std::string>;

inline void require(bool condition, Faults& faults, std::string message) {
  if (!condition) faults.push_back(std::move(message));
}

inline bool finite(const Vec3& v) {
  return v.allFinite();
}

inline bool unit_length(const Quat& q) {
  constexpr double rounding = 1e-9;  // orientations are normalised to rounding, not exactly
  return std::abs(q.norm() - 1) < rounding;
}

}  // namespace abut::model
