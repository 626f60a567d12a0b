#pragma once
// Polyhedra as display meshes. Included by .cpp files only.

#include "geometry/polygon_mesh.h"
#include "record/display_mesh.h"

namespace abut::record {

/// Faces that meet at less than the crease angle are shaded as one smooth surface; sharper edges
/// are creases. `flat` makes every edge between faces that are not coplanar a crease.
DisplayMesh polyhedron_mesh(const geometry::PolygonMesh& polyhedron, bool flat);

}  // namespace abut::record
