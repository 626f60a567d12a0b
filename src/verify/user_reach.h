#pragma once
// How far a convex surface of the user's reaches, by methods of the verifier's own.
//
// At a point y of the surface with the outward unit normal n, the whole solid is below the plane
// through y. So along any unit vector m it reaches at most to
//     m . y + |m - n| d,
// d being its diameter: a bound that holds however y was found, and is sharp where n = m. For an
// equation y comes from Newton's method for grad f = l m, f = 0 in the four unknowns (y, l); for
// parameters from Newton's method for m . x_u = m . x_v = 0, and near poles, where these are not
// independent, by trying smaller and smaller steps around the highest point so far.

#include "verify/solid.h"

namespace abut::verify {

/// Points all over the surface, to start from.
std::vector<Solid::Sample> samples_of(const geometry::ClosedSurface& surface);

/// Along the unit vector m, in the frame of the part.
double user_reach(const Solid& solid, const Vec3& m);

/// Negative for points inside, positive outside, of the order of the distance in units of the size.
double user_level(const Solid& solid, const Vec3& p);

}  // namespace abut::verify
