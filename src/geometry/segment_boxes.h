#pragma once
// Which boxes of a tree a segment may meet.

#include <vector>

#include "geometry/box_tree.h"

namespace abut::geometry {

/// The items whose boxes the segment meets, and perhaps some that it misses by a rounding; in the
/// order of their indices.
std::vector<int> triangles_along(const BoxTree& tree, const Vec3& from, const Vec3& to);

}  // namespace abut::geometry
