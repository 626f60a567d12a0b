#pragma once
// The proof that a step of an island is free of overlap, and what is done where it fails.

#include <vector>

#include "clock/step_attempt.h"

namespace abut::clock {

std::vector<Failure> unproven(Attempt& attempt);

/// The place that came too near, as the bodies carry it, becomes a row. Its gap where the step
/// begins, which is none below zero, is the one that the motion tried would have brought down to
/// what was found.
void add_late_contacts(Attempt& attempt, const Failure& failure);

/// Standing still is free of overlap. What stands still may be in the way of others, which are
/// stopped then too.
void stop_unproven(Attempt& attempt);

}  // namespace abut::clock
