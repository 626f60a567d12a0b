#pragma once
// Where a circle comes nearest to something, by Newton's method from a place that is near.
//
// With c a point of the circle, t along it, e outward, f its distance and n the normal,
//     f' = R n.t,   f'' = R^2 t.H t - R n.e,
// where H, the Hessian of the distance, says how n turns as the point moves. Where W are the radii
// of curvature of the other surface, H = (W + f)^-1 across n: 1/f for a point, the same across a
// line, nothing over a plane.

#include <functional>
#include <optional>

#include "geometry/circle_minima.h"
#include "geometry/extremal_normal.h"

namespace abut::geometry {

/// H where the distance has been found.
using BendingOfSet = std::function<Mat3(const DistanceOfSet& found)>;

/// Along the circle, from an angle. Nothing if the method does not get to a minimum.
std::optional<CirclePlace> minimum_near(const PlacedCircle& circle,
                                        const DistanceFromPoint& distance,
                                        const BendingOfSet& bending, double from);

/// The same for a smooth surface, from a normal n that leads from it to the circle: circle and
/// surface are one system for the normal,
///     (W_circle + W + f) dn = P (c - y),   W_circle = R / (m.e) t t^T,
/// with m = -n. It takes a handful of looks at the surface, where going along the circle takes one
/// search of the nearest point after the other. `side` is 1 where the circle faces the surface with
/// its outer side, -1 with its inner one. What is found is stationary, not always a minimum.
std::optional<CirclePlace> stationary_near(const PlacedCircle& circle, const PlacedAtom& other,
                                           Vec3 n, double side);

/// How the normal of the distance from a smooth surface turns.
BendingOfSet bending_of(const PlacedAtom& surface);

/// The place that is nearest to a convex set, of all, with `least` as for circle_minima. An arc of
/// half width w around a point is above the plane across the normal there by at least
///     f - R |n.t| w - R max(n.e, 0) w^2 / 2,
/// and is looked at no more where that is not below the nearest place so far. Others are halved.
CirclePlace nearest_to_convex(const PlacedCircle& circle, const DistanceFromPoint& distance,
                              const BendingOfSet& bending, double least, double near);

/// Over a plane with this unit normal, in closed form.
CirclePlace lowest_over_plane(const PlacedCircle& circle, const Vec3& on_plane, const Vec3& normal);

/// Whether no other place of the circle is as near to a convex set as a stationary one: the set is
/// below the plane across n, of which the circle comes no nearer where it faces it with its outer
/// side.
bool is_nearest_to_convex(const PlacedCircle& circle, const CirclePlace& place);

}  // namespace abut::geometry
