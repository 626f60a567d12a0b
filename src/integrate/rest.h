#pragma once
// Islands at rest: nothing of them moves, and nothing will until something new acts on them. They
// need no integration, and cost nothing.

#include "integrate/equations.h"

namespace abut::integrate {

/// Whether nothing moves, and nothing will while the motion is smooth.
bool is_at_rest(Equations& equations, double t, const ode::Vector& y);
/// Takes out what is left of motion in the state of an island at rest, and in its rate.
void stop(const Island& island, ode::Vector& y, ode::Vector& rate);

}  // namespace abut::integrate
