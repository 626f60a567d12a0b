#pragma once
// Faces that lie on each other corner by corner.

#include <vector>

namespace abut::geometry {

/// For each face the index of the first one with the same corners, in whatever order.
std::vector<int> first_faces_with_same_corners(const std::vector<std::vector<int>>& faces);

}  // namespace abut::geometry
