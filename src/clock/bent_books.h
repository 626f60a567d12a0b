#pragma once
// What a step leaves behind of bodies that bend.

#include "clock/step_attempt.h"

namespace abut::clock {

/// What a body that bends has lost is told by its energy where steps meet, before and after the
/// kick, and by what it is at both ends of a piece: with contacts, friction and damping also what
/// the step itself takes.
void accept_bent(Attempt& attempt, int place, bool touched);

void book_bent(const Attempt& attempt, int place, integrate::Balance& book);

/// What contacts and holds of bodies that bend do to rigid ones and to the world.
void book_bent_rows(const Attempt& attempt, integrate::Balance& book);

/// Kinetic, elastic and in the field of gravity, J.
double bent_energy(const model::Model& model, const flexible::BendingBody& body,
                   const flexible::State& state);

/// Sets the rigid motion of a body that bends to the one that fits best.
void fit_rigid(const body::Mass& mass, SteppedBody& body);

}  // namespace abut::clock
