#pragma once
// Whether two convex solids are apart, by the algorithm of Gilbert, Johnson and Keerthi: it needs
// nothing but support points, and no guess of which parts are nearest.

#include <optional>

#include "geometry/placed_convex.h"

namespace abut::geometry {

/// A unit normal from B to A along which a slab between them is empty, if one is found.
std::optional<Vec3> parting_normal(const ConvexPair& pair);

}  // namespace abut::geometry
