#pragma once
// Geometric decisions without rounding errors: the answers hold for the doubles as they are.

#include <array>

#include "abut/types.h"

namespace abut::geometry {

using Vec2 = Eigen::Vector2d;
using Triangle = std::array<Vec3, 3>;

/// +1 if the points turn counter-clockwise, -1 if clockwise, 0 if they are on one line.
int orientation_2d(const Vec2& a, const Vec2& b, const Vec2& c);

/// The sign of (b - a) . ((c - a) x (d - a)): 0 if the points are in one plane.
int orientation_3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// True if the points are on one line.
bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c);

/// For c and d in one plane with the line through a and b, and neither on it: true if they lie on
/// the same side of it.
bool on_same_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// True if the closed triangles have a point in common. Precondition: neither is degenerate.
bool triangles_meet(const Triangle& s, const Triangle& t);

/// True if the closed segment and the closed triangle have a point in common. Precondition:
/// a != b, and the triangle is not degenerate.
bool segment_meets_triangle(const Vec3& a, const Vec3& b, const Triangle& t);

}  // namespace abut::geometry
