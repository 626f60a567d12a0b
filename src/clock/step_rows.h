#pragma once
// The rows of a step's problem: contacts, joints, limits and motors of an island.

#include "clock/step_attempt.h"

namespace abut::clock {

void state_problem(Attempt& attempt);

/// Joints are closed where the step ends: what the motion just found leaves open is asked for once
/// more. The largest rate that is still missing, m/s.
double mend_joints(Attempt& attempt);

}  // namespace abut::clock
