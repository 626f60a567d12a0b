#pragma once
// The shortest way out of an overlap of two convex solids, at least one of them curved.

#include "geometry/cell_extremum.h"

namespace abut::geometry {

/// The gap along n has several maxima where solids overlap. Climbs from many normals, and tries the
/// normals of flat parts; the deepest of them, or `first`, is the shortest way out that was found.
/// Of a polygon without thickness only those normals are tried.
CellExtremum deepest_way_out(const ConvexPair& pair, const CellExtremum& first,
                             long& newton_iterations);

}  // namespace abut::geometry
