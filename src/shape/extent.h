#pragma once
// How far a shape reaches.

#include "abut/types.h"
#include "geometry/aabb.h"
#include "shape/shape.h"

namespace abut::shape {

/// Relative allowance for rounding in the formulas of this folder that must be upper bounds
/// (dimensionless): each has fewer than 30 operations of half an ulp, pow of a few ulps included.
inline constexpr double rounding_margin = 64 * 2.220446049250313e-16;

/// An upper bound on the distance from `point` (shape frame) to any point of the solid. Up to the
/// rounding margin it is exact, save for an ellipsoid or superellipsoid whose centre is not
/// `point`, and for a user's surface. Precondition: !is_unbounded(geometry).
double farthest_distance(const Geometry& geometry, const Vec3& point);

/// The smallest axis-aligned box (shape frame) that contains the solid, exact up to the
/// rounding margin. Precondition: !is_unbounded(geometry).
geometry::Aabb box_of(const Geometry& geometry);

}  // namespace abut::shape
