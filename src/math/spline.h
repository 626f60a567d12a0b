#pragma once
// Slopes of the natural cubic spline: twice continuously differentiable, no curvature at its ends.

#include <vector>

#include "abut/types.h"

namespace abut::math {

/// The derivatives at n + 1 knots from the n spans between them and the n increments over them.
/// With one span the result is the straight line. Preconditions: spans positive, n >= 1.
std::vector<Vec3> natural_spline_slopes(const std::vector<double>& spans,
                                        const std::vector<Vec3>& increments);

}  // namespace abut::math
