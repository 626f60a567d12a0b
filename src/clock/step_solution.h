#pragma once
// The motion of a step: what the cone problem, the joints and the turning of the bodies agree on.

#include "clock/step_attempt.h"

namespace abut::clock {

/// Whether there is a motion that the impulses, joints and turning of the bodies agree on. Where a
/// body turns by too much none is found, and looking for it leads ever farther away. What is no
/// solution may have more energy than the bodies would without contacts and joints, too.
bool solve_problem(Attempt& attempt);

/// Sheets have so many contacts that these act on each other: what cannot be told from the kept gap
/// within a step is good enough, m/s, but for slow sheets, which such a part of the gap would leave
/// where they are.
double sheet_accuracy(const Attempt& attempt, const AttemptBent& bent, BodyIndex body);

/// The steady spin over a step in which the angular momentum L stays what it is: that of the
/// middle, omega = I(q)^-1 L with q half a step on (implicit midpoint rule), which keeps the energy
/// of free rotation without drift.
Vec3 middle_spin(const body::Mass& mass, const Quat& attitude, const Vec3& momentum, double h);

}  // namespace abut::clock
