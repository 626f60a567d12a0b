#pragma once
// One polygon in space: its area, its plane, and its triangles.

#include <array>
#include <optional>
#include <vector>

#include "abut/types.h"

namespace abut::geometry {

/// The normal, as long as the area is large; zero for a polygon without area.
Vec3 area_vector(const std::vector<Vec3>& points, const std::vector<int>& polygon);

/// The mean of the corners.
Vec3 centre_of(const std::vector<Vec3>& points, const std::vector<int>& polygon);

/// The diagonal of the polygon's box.
double extent_of(const std::vector<Vec3>& points, const std::vector<int>& polygon);

/// How far the corner farthest from the mean plane is from it.
double bend_of(const std::vector<Vec3>& points, const std::vector<int>& polygon);

/// A polygon counts as planar if no corner is further from its mean plane than this times the
/// diagonal of its box (dimensionless). Doubles keep the corners of a rotated polygon planar to
/// about 1e-15; contact is decided at gaps of 1e-9 m, and a face of a metre must not be more
/// uncertain than that. Files written with six or seven digits exceed it and are told so. Far from
/// the origin, where doubles are coarser, a few roundings of the coordinates are allowed on top.
inline constexpr double planarity_tolerance = 1e-9;

bool is_planar(const std::vector<Vec3>& points, const std::vector<int>& polygon);

/// True if the polygon has a corner twice in a row, or no area beyond rounding.
bool is_degenerate(const std::vector<Vec3>& points, const std::vector<int>& polygon);

/// The polygon as triangles of its corners, in the polygon's sense of rotation and none of them
/// degenerate; nothing if its sides cross or touch each other. Corners of 180 degrees are legal.
/// Precondition: not degenerate.
std::optional<std::vector<std::array<int, 3>>> triangulated(const std::vector<Vec3>& points,
                                                            const std::vector<int>& polygon);

}  // namespace abut::geometry
