#pragma once
// Second moments of a convex polyhedron with a ball rolled around it.

#include "geometry/polygon_mesh.h"
#include "shape/second_moments.h"

namespace abut::shape {

/// All points within `rounding` (m) of the hull, in closed form.
/// Precondition: the hull is convex, closed and oriented outwards.
SecondMoments rounded_second_moments(const geometry::PolygonMesh& hull, double rounding);

}  // namespace abut::shape
