#pragma once
// Faces that cross or touch where they should not.

#include <utility>
#include <vector>

#include "geometry/mesh_shells.h"

namespace abut::geometry {

/// Pairs of different faces (the smaller index first, sorted, each pair once) whose triangles have
/// more in common than the corners and edges they share. Decided exactly. Stops after `most` pairs
/// of triangles. Precondition: no triangle is degenerate, and equal points have equal indices.
std::vector<std::pair<int, int>> crossing_faces(const std::vector<Vec3>& points,
                                                const std::vector<MeshTriangle>& triangles,
                                                std::size_t most);

}  // namespace abut::geometry
