#pragma once
// Triangles on the surface f = 0 of any shape, and integrals over what they enclose.

#include "geometry/closed_surface.h"
#include "geometry/surface_function.h"

namespace abut::geometry {

/// A grid of cubes, `cells` along the longest side of the box, each cut into six tetrahedra in
/// which the surface is a triangle or two; corners are on the surface.
SurfaceMesh triangulated(const EnclosedField& field, const Aabb& box, int cells);

/// Over the triangles lifted onto the surface: from a point p of the flat triangle along the normal
/// m interpolated between its corners to where f(p + s m) = 0. Along a side both depend on its ends
/// only, so neighbours fit together and the lifted triangles are the whole surface. Not a number
/// where a triangle cannot be lifted.
VolumeIntegrals integrate_lifted(const EnclosedField& field, const SurfaceMesh& mesh);

}  // namespace abut::geometry
