#pragma once
// Impact at one point by the law of Moore & Wilhelms 1988, section 3.2.1 (after MacMillan 1960).
//
// 1. As if infinitely rough and without restitution: R* = -W^-1 u brings the point to rest.
// 2. If the tangential part of R* is within the static coefficient times the normal one, R = R*.
//    Otherwise the point slides: the tangential part keeps its direction P, its ratio to the normal
//    part is the dynamic coefficient mu, and the normal velocity is brought to rest:
//        R = R_n (1, mu P),   R_n = -u_n / (w + mu c.P)          (W = [w c^T; c T])
// 3. Restitution: R is multiplied by 1 + e.
// The paper has one coefficient for both comparisons.
//
// Sliding is always possible, and energy never grows. Let R* = (n, y P) with y > mu n. The normal
// velocity after R* is zero, so -u_n = w n + c.P y > 0. Were w + mu c.P <= 0, then c.P < 0 and
// w n + c.P y < (w + mu c.P) n <= 0 if n >= 0 (and if n < 0 both terms are negative): so it is
// positive, and
//     mu R_n - y = w (mu n - y) / (w + mu c.P) < 0.
// After R the velocity is u+ = W (R - R*), without normal part, so its part along P is
//     P.u+_t = (mu R_n - y) (P.T P - (c.P)^2 / w) <= 0:
// friction still opposes the slip. The work of x R is x R.u + x^2 R.W R / 2, and at x = 2 that is
// 2 R.u+ = 2 mu R_n P.u+_t <= 0 (sticking, 0). It is a convex parabola from 0 at x = 0, so nothing
// is gained up to there.
//
// Where the bodies cannot move and yet slip, as a block held on a conveyor, W is singular and u not
// in its range. No impulse stops that slip, and P is against it. If no impulse stops the approach
// either, there is no solution.
// The normal work is booked as compression up to x = 1 and as restitution beyond.

#include "impulse/point_impact.h"

namespace abut::impulse {

PointImpactResult moore_wilhelms(const PointImpact& impact);

}  // namespace abut::impulse
