#pragma once
// Where formulas of one variable have no value.

#include <optional>

#include "math/expression.h"

namespace abut::math {

/// A place in [from, to] without a finite value or derivative: tried at the ends and at some places
/// between, and looked for everywhere with intervals. Formulas that need too many of them are given
/// the benefit of the doubt.
std::optional<double> first_fault(const Expression& formula, double from, double to);

/// Whether an interval has finite ends.
bool is_bounded(const Interval& x);

}  // namespace abut::math
