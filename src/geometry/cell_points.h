#pragma once
// The points of two cells of normals (placed_convex.h) that are nearest to each other: of the
// curved parts, edges and flat parts that belong to a normal which is already known.

#include <array>

#include "abut/types.h"
#include "geometry/extremal_normal.h"
#include "geometry/placed_convex.h"

namespace abut::geometry {

struct CellPoints {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
};

/// `best` is the extremum of the first atoms of both cells.
CellPoints nearest_points(const ConvexPair& pair, const NormalCell& cell_a,
                          const NormalCell& cell_b, const Extremum& best);

/// The corners of the side of a face of a polyhedron that is nearest to p.
std::array<int, 2> side_beside(const PlacedConvex& solid, int face, const Vec3& p);

}  // namespace abut::geometry
