#pragma once
// Whether a point is inside a solid: how often a line out of it passes through the surface, decided
// exactly. Included by .cpp files only.

#include "geometry/box_tree.h"
#include "geometry/brep_entities.h"
#include "geometry/exact_fraction.h"

namespace abut::geometry {

/// Precondition: the point is not on the surface. `tree` holds the triangles.
bool is_enclosed(const Vec3& point, const BrepEntities& solid, const BoxTree& tree);
bool is_enclosed(const FractionPoint& point, const BrepEntities& solid, const BoxTree& tree);

}  // namespace abut::geometry
