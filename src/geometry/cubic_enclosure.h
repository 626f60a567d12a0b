#pragma once
// Where a cubic that is known up to an error may vanish.

#include <array>

namespace abut::geometry {

/// A part of [0, 1]; empty if from > to.
struct UnitRange {
  double from = 0;
  double to = 1;
  bool empty() const { return from > to; }
};

/// A range that contains all zeros in [0, 1] of every cubic whose Bernstein coefficients differ
/// from `coefficients` by at most `error`. Rounding is accounted for. Not finite coefficients give
/// the whole range.
UnitRange zeros_of_cubic(const std::array<double, 4>& coefficients, double error);

}  // namespace abut::geometry
