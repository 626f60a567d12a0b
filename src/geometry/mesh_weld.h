#pragma once
// Which vertices of a mesh are the same point.

#include <vector>

#include "geometry/polygon_mesh.h"

namespace abut::geometry {

/// For each point the index of the first point that equals it exactly (+0 equals -0).
/// Precondition: no coordinate is NaN.
std::vector<int> first_equal_points(const std::vector<Vec3>& points);

/// For each point the index of the first one of its cluster. Points closer than `distance` belong
/// to one cluster. Precondition: finite coordinates, distance >= 0.
std::vector<int> first_near_points(const std::vector<Vec3>& points, double distance);

/// The mesh with every corner moved to the representative of its vertex and the vertices that no
/// face uses left out; the others keep their order.
PolygonMesh with_representatives(const PolygonMesh& mesh, const std::vector<int>& representative);

/// The same surface with one vertex for all at exactly the same place, and none that is unused:
/// what a mesh that passed geometry/mesh_check.h with warnings should be turned into before its
/// neighbourhoods are looked up by index.
PolygonMesh without_spare_vertices(const PolygonMesh& mesh);

}  // namespace abut::geometry
