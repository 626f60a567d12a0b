#pragma once
// Rounded polyhedra as triangles.

#include "geometry/polygon_mesh.h"
#include "record/display_mesh.h"

namespace abut::record {

/// All points within `rounding` of a convex polyhedron: flat faces, parts of cylinders along the
/// edges, parts of spheres at the corners. `detail`: cells around a whole circle.
DisplayMesh rounded_mesh(const geometry::PolygonMesh& hull, double rounding, int detail);

}  // namespace abut::record
