#pragma once
// Bodies that begin to be stepped: those that bend get their columns, and all are moved apart as
// far as proofs need.

#include <vector>

#include "clock/step_neighbours.h"

namespace abut::clock {

/// Columns that a body holds which does not yield are given, and no unknowns.
void begin_bent(const model::Model& all, SteppedBody& body);

/// Nothing can be proven of bodies without a gap: they are shifted apart, by the least shift in the
/// mass metric, as far as rounding needs. Only those that join can be too near to anything; where
/// they are, all that are near take part, lest the shift of one bring it too near to the next.
void open_start_gaps(SteppedState& state, StepNeighbours& neighbours,
                     const std::vector<bool>& joins);

/// Nothing can be proven of bodies without a gap: those that bend are shifted as a whole.
void open_bent_start_gaps(SteppedState& state, StepNeighbours& neighbours);

}  // namespace abut::clock
