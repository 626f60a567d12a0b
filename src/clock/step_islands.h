#pragma once
// The islands of a step: bodies that are near each other, or that joints and forces connect.

#include <vector>

#include "clock/step_island.h"
#include "clock/step_neighbours.h"

namespace abut::clock {

/// Without those that sleep.
std::vector<StepIsland> make_islands(StepScene& scene, const SteppedState& state,
                                     const StepNeighbours& neighbours);

}  // namespace abut::clock
