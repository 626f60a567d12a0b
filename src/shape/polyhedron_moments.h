#pragma once
// Second moments of solids bounded by planar polygons, by exact integration.

#include "geometry/polygon_mesh.h"
#include "shape/second_moments.h"

namespace abut::shape {

/// Precondition: the mesh is closed and consistently oriented. Cavities count negatively; a
/// surface that faces inwards as a whole gives a negative volume.
SecondMoments second_moments_of(const geometry::PolygonMesh& mesh);

}  // namespace abut::shape
