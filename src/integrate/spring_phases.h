#pragma once
// The phases of an island's springs: who presses, who recedes, who rests (force/contact_spring.h).

#include <vector>

#include "integrate/equations.h"

namespace abut::integrate {

/// One spring at an instant, or all of them.
ContactSprings::Now spring_at(Equations& equations, int i, double t, const ode::Vector& y);
std::vector<ContactSprings::Now> springs_at(Equations& equations, double t, const ode::Vector& y);
/// The phase of a spring ends at t: it takes up the one that can last, with others whose phase ends
/// at the same time.
void turn_spring(Equations& equations, int i, double t, const ode::Vector& y);

}  // namespace abut::integrate
