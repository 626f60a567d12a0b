#pragma once
// Forces of the scene on bodies that bend, in a step of an island. Springs are rows that yield: a
// row w + yield p + offset = 0 is one that shall be zero with a further freedom of its own, of unit
// inertia and at rest, that the impulse drives: w + s u + offset with u = s p, s^2 = yield. So
// springs are as implicit as the bodies are, and however stiff they are the step is not shorter.

#include "clock/step_attempt.h"

namespace abut::clock {

/// Adds what constant forces and drag do to a body that bends.
void add_pushes_on(Attempt& attempt, int place);

void add_springs(Attempt& attempt);

/// What forces do to all bodies together. That of springs is also told by their energy.
void book_springs(const Attempt& attempt, integrate::Balance& book);

/// Of all impulses on a body that bends, those that are not of springs.
void take_out_springs(const Attempt& attempt, BodyIndex body, flexible::Columns& given);

void book_pushes(const AttemptBent& bent, integrate::Balance& book);

}  // namespace abut::clock
