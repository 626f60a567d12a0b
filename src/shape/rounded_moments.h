#pragma once
// Second moments of a convex polyhedron with a ball around each of its points, in closed form.

#include "geometry/polygon_mesh.h"
#include "shape/second_moments.h"

namespace abut::shape {

/// Of all points within `rounding` (m, > 0) of the hull. Precondition: the mesh bounds a convex
/// solid, its faces counter-clockwise from outside.
SecondMoments rounded_moments_of(const geometry::PolygonMesh& hull, double rounding);

}  // namespace abut::shape
