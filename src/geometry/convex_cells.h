#pragma once
// A polygon of triangles in one plane, cut into convex polygons.
//
// A triangulation with its inner edges taken away one after the other, as long as what remains is
// convex, has at most four times as many pieces as needed (Hertel and Mehlhorn 1983).

#include <array>
#include <vector>

#include "geometry/exact_predicates.h"

namespace abut::geometry {

using IndexTriangle = std::array<int, 3>;

/// Convex polygons with the same union, counter-clockwise, as indices into `points`; corners on a
/// straight side are left out. Precondition: the triangles are counter-clockwise, overlap nowhere,
/// and share whole sides. Corners within `tolerance` (m) of a line count as on it.
std::vector<std::vector<int>> convex_cells(const std::vector<Vec2>& points,
                                           const std::vector<IndexTriangle>& triangles,
                                           double tolerance);

}  // namespace abut::geometry
