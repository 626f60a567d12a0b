#pragma once
// A convex solid B inside a convex cavity C: how near it comes to the wall, and where.
//
// For a unit vector m let
//     D(m) = h_C(m) - h_B(m) = m . (x - y),   x = x_C(m),  y = x_B(m),
// with the support functions of convex_surface.h: what is left between two parallel planes, one on
// the wall and one on the solid. C is the intersection of its supporting half-spaces, so B is
// inside exactly if D >= 0 everywhere, and the distance of B from the wall is the smallest D. At a
// local minimum x - y is along m: such places are the extremal points of Baraff 1990 (eq. 9). For
// small turns dm across m
//     d(x - y) = (W_C - W_B) dm,   so that D has the gradient P (x - y) and the Hessian
//     W_C - W_B - D:
// radii of curvature again, those of the solid against those of the wall. Unlike the distance of
// two convex solids D has several local minima: a ball that is rounder than the end of an egg
// touches it at two places.

#include <vector>

#include "abut/types.h"
#include "geometry/extremal_normal.h"

namespace abut::geometry {

struct CavityPair {
  PlacedAtom cavity;
  PlacedAtom inside;

  double scale() const;
  double clearance_along(const Vec3& m) const { return cavity.height(m) - inside.height(m); }
};

struct CavityPlace {
  Vec3 normal = Vec3::UnitZ();  ///< m, unit, from the solid to the wall
  double clearance = 0;         ///< D along it, m; < 0: the solid reaches into the wall
  Vec3 wall = Vec3::Zero();     ///< x
  Vec3 inside = Vec3::Zero();   ///< y
  double stiffness = 0;         ///< least eigenvalue of W_C - W_B - D, m
  double stiffest = 0;          ///< the other one
  /// In a valley: the number of the direction that it was looked for from; otherwise -1.
  int in_valley = -1;
};

/// The local minimum that lies downhill of `start`.
CavityPlace descend(const CavityPair& pair, const Vec3& start);

/// The same, but along a valley whose bottom is level (a body of revolution on the axis of a bowl
/// touches it all along a circle) the place stays where it has come down.
CavityPlace come_down(const CavityPair& pair, const Vec3& start);

/// All local minima, by Newton's method from directions all around, nearest first. Where D does
/// not depend on the direction (a ball in the middle of a ball) one of them stands for all; in a
/// level valley several do that are far from each other.
std::vector<CavityPlace> cavity_minima(const CavityPair& pair);

/// The direction from a point to the nearest place of the wall; both in the frame of the cavity.
/// For an ellipsoid this is the root of a monotone function, and certainly the nearest. For a
/// superellipsoid it is found by Newton's method. A local minimum that is nearer than rho, the
/// least radius of curvature of the wall, is the nearest place: h_C - rho |m| is the support
/// function of a convex solid then, so that f(m) = h_C(m) - m.p - rho |m| is convex; where it is c
/// < 0 at a local minimum on the sphere, f - c |m| is convex with a local minimum of 0 there, which
/// is a global one. Otherwise the search starts from seven directions in the octant of the point,
/// in which the nearest place is.
Vec3 towards_nearest_wall(const SupportAtom& cavity, const Vec3& point);

/// How far a point is from the wall, m; < 0 outside of the cavity.
double depth_in(const SupportAtom& cavity, const Vec3& point);

}  // namespace abut::geometry
