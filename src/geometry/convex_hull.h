#pragma once
// Convex hulls of points.

#include <vector>

#include "geometry/polygon_mesh.h"

namespace abut::geometry {

/// Points that deviate from a plane by less than this times their extent bound no solid
/// (dimensionless); thinner hulls have normals that rounding errors decide.
inline constexpr double flatness_tolerance = 1e-12;

/// Facets whose planes differ by less than this times the extent of the points are one facet
/// (dimensionless). A few hundred roundings: points that are meant to be in one plane, but were
/// computed, miss it by no more, and the facets between them would have meaningless normals.
inline constexpr double facet_tolerance = 1e-13;

/// The hull of the points: its vertices only, in the order of the input, and its faces as planar
/// polygons, counter-clockwise from outside. Throws abut::InputError (without a location) for
/// points that have no hull with a volume: fewer than four, equal, on a line, in a plane, or not
/// finite.
PolygonMesh convex_hull(const std::vector<Vec3>& points);

}  // namespace abut::geometry
