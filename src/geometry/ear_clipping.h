#pragma once
// Polygons in the plane: are they simple, and which triangles do they consist of?

#include <array>
#include <optional>
#include <vector>

#include "geometry/exact_predicates.h"

namespace abut::geometry {

/// True if no two sides have a point in common but neighbours their common corner. Exact.
bool is_simple(const std::vector<Vec2>& polygon);

/// Counter-clockwise triangles, as indices of corners, none of them degenerate; nothing if the
/// polygon is not simple or runs clockwise. Exact.
std::optional<std::vector<std::array<int, 3>>> clipped_ears(const std::vector<Vec2>& polygon);

}  // namespace abut::geometry
