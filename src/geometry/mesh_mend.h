#pragma once
// Repairs what can be repaired without guessing at the shape.

#include "geometry/polygon_mesh.h"

namespace abut::geometry {

/// Vertices closer than this times the diagonal of the mesh's box become one (dimensionless): a
/// little more than single precision, in which most mesh files were once computed, tells apart.
inline constexpr double weld_tolerance = 1e-7;

/// The mesh with coincident vertices welded, degenerate and duplicate faces dropped, bent polygons
/// split into triangles, neighbours turned to face the same way, and every piece turned outwards
/// (inwards where it bounds a cavity). Holes stay open and crossings stay: check the result.
/// Faces with indices that are no vertices and faces at non-finite vertices are dropped.
PolygonMesh mended(const PolygonMesh& mesh);

}  // namespace abut::geometry
