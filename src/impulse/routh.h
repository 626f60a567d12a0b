#pragma once
// Impact at one point with friction: Routh's problem in three dimensions.
//
// The impulse grows from nothing; at each instant Coulomb's law holds between what is added to it
// and the slip at that instant, which therefore turns, stops, sticks or reverses while the impact
// lasts (Routh 1860; Keller 1986: slip_flow.h has the equations). It is over when the work of the
// normal impulse after the greatest compression is e^2 of that before (Stronge 1990):
//     integral of u_n dp over u_n > 0  =  -e^2 (integral of u_n dp over u_n < 0).
// Friction only takes energy and the normal impulse gives back at most what it took, so
//     energy lost = (1 - e^2) |compression work| + integral of mu v dp  >=  0,
// whatever the bodies and coefficients.
//
// The other two meanings of e, Poisson's on p and Newton's on u_n (impact_progress.h), follow the
// same curve and leave it elsewhere, and there energy may have been gained: what restitution gives
// beyond what approach and friction took. Then it ends where nothing is lost and nothing gained,
// which is the same law with a smaller e: the largest that energy allows.
//
// While slip keeps its direction, or sticks, velocities are linear in the impulse and everything is
// in closed form; curves are integrated (curved_slip.h). Once slip has stopped it either sticks or
// goes off in a direction that it keeps: an impact has at most three ways of slipping.
//
// Special cases: bodies that do not approach exchange nothing, unless they slip at u_n = 0 in a
// direction that jams (w < mu c.s), which is an impact without collision. Directions in which the
// bodies cannot move are allowed. If they cannot yield at all, there is no solution.

#include "impulse/point_impact.h"

namespace abut::impulse {

PointImpactResult routh(const PointImpact& impact);

}  // namespace abut::impulse
