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
// whatever the bodies and coefficients. (Newton's e on u_n and Poisson's on p can gain energy
// here.)
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
