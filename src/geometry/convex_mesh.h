#pragma once
// Closed surfaces that happen to be convex.

#include <optional>

#include "geometry/polygon_mesh.h"

namespace abut::geometry {

/// The hull of a closed surface without self-intersections (see mesh_check.h) if the surface is
/// convex, up to what files round its vertices by; nothing otherwise.
std::optional<PolygonMesh> hull_if_convex(const PolygonMesh& mesh);

}  // namespace abut::geometry
