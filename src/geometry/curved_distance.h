#pragma once
// The distance of a curved convex solid from another curved one, or from a convex polyhedron (a
// point and a segment, the cores of spheres and capsules, are polyhedra too).
//
// Both solids are convex hulls of atoms (convex_surface.h). The normals of such a solid fall into
// *cells*: normals of one atom alone (where the solid is curved, or at a corner), a circle of
// normals of a line between two atoms (the side of a cylinder, an edge), and single normals of flat
// parts. For one cell of each solid the best normal has two, one or no unknowns
// (cell_extremum.h). A polyhedron has many cells, so only those of a few of its corners are
// compared, and the corner farthest along the normal found joins them until there is none beyond:
// every round lowers the distance, so the search ends. The answer proves itself: the slab across
// the normal is empty, and the two points are as far apart as it is wide.

#include <optional>

#include "abut/types.h"
#include "geometry/placed_convex.h"

namespace abut::geometry {

struct CurvedDistance {
  double gap = 0;               ///< m: > 0 distance, <= 0 minus the depth of the overlap
  Vec3 normal = Vec3::UnitZ();  ///< unit, from B to A
  Vec3 a = Vec3::Zero();        ///< nearest or deepest points
  Vec3 b = Vec3::Zero();
  NormalCell cell_a;
  NormalCell cell_b;
  bool converged = true;  ///< false: bounds of the gap disagree, and `gap` is the lower one
};

struct CurvedSearchStatistics {
  long newton_iterations = 0;
  int rounds = 0;
};

/// Of solids that overlap: the shortest way out, which costs a hundred times a distance, or the way
/// that the search for a distance comes upon.
enum class WayOut { shortest, any };

/// From scratch. At least one of the two must be a curved surface.
CurvedDistance curved_distance(const PlacedConvex& a, const PlacedConvex& b,
                               CurvedSearchStatistics& statistics,
                               WayOut way_out = WayOut::shortest);

/// If the cells of an earlier answer are still the nearest ones: the distance, proven.
std::optional<CurvedDistance> curved_distance_near(const PlacedConvex& a, const PlacedConvex& b,
                                                   const CurvedDistance& earlier,
                                                   CurvedSearchStatistics& statistics);

}  // namespace abut::geometry
