#pragma once
// How long points stay above a plane that a body carries, by the motion as polynomials.
//
// Taylor's theorem with a bound of the acceleration (toi/held_plane.h) does not know in which
// direction a point is accelerated: of a body that spins on a floor it allows for corners that come
// down, though all of them stay at their heights, and a gap of 1e-9 m is certified for microseconds
// only. But over a step centres and quaternions are polynomials (motion/frame_over_step.h). With N
// = |q|^2 and M = N R(q) of both bodies, the height of a point p of body P above the plane m.x = l
// of body C is
//     N_P N_C h = (M_C m).(N_P (c_P - c_C) + M_P p) - N_P N_C l,
// a polynomial again, and affine in p: what is not p is the same for all points. The smallest of
// its Bernstein coefficients bounds it from below, and is near to its least value where it changes
// little.

#include "toi/held_plane.h"

namespace abut::toi {

/// Up to when, at most to `limit`, the watched points of the plane certainly stay more than
/// `clearance` above it; `known` (> t) or earlier, if that is not much farther than `known`, or
/// there is no proof: the plane is not carried, or what is watched are not points of the other
/// body.
double proven_above(const HeldPlane& plane, const motion::BodyPath& a, const motion::BodyPath& b,
                    double t, double known, double limit, double clearance);

}  // namespace abut::toi
