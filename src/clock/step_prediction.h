#pragma once
// What forces alone make of a step, what could be reached within it, and when the first contact of
// it closes.

#include "clock/step_attempt.h"

namespace abut::clock {

/// What forces do to the bodies without contacts and joints.
void predict(Attempt& attempt);

/// Whatever could be reached within the step.
void collect_contacts(Attempt& attempt);

/// Makes the step shorter. What could be reached within a longer step is all that can be in this
/// one, at the same places; but what bodies pass within it is another question.
void shorten(Attempt& attempt, double h);

/// When the first contact closes for which the step ends, s into it; what it does then begins the
/// next.
double first_arrival(Attempt& attempt);

}  // namespace abut::clock
