#pragma once
// How far a point is from the surface of a body.

#include <optional>
#include <vector>

#include "verify/solid.h"

namespace abut::verify {

/// Distance from a world point to the nearest surface of the pieces, m, where it has a closed form
/// for all of them: polyhedra, spheres, capsules, planes, bowls. A lower bound near edges of
/// polyhedra; of rounded ones, outside only.
std::optional<double> surface_distance(const std::vector<Solid>& solids, const BodyState& state,
                                       const Vec3& point);

}  // namespace abut::verify
