#pragma once
// How far a few points, the corners of a deformed triangle, are from a solid or from another
// triangle, by support functions.

#include <array>
#include <span>

#include "geometry/gjk.h"
#include "narrow/body_shape.h"

namespace abut::clock {

/// What a triangle is compared with: a convex solid somewhere, or the hull of some corners.
struct Obstacle {
  const narrow::Solid* solid = nullptr;  ///< convex; none: the corners
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();
  std::span<const Vec3> corners;

  /// The point of the core that lies farthest along m; of corners, which one.
  Vec3 support(const Vec3& m, int& corner) const;
  /// How far the obstacle, its rounding included, reaches along the unit vector m.
  double height(const Vec3& m) const;
  double rounding() const { return solid != nullptr ? solid->rounding : 0; }
  bool is_plane() const { return solid != nullptr && solid->kind == narrow::SolidKind::plane; }
};

struct CornerGap {
  double gap = 0;  ///< m; not positive: they overlap, or nearly, and the rest says nothing
  Vec3 normal = Vec3::UnitZ();             ///< unit, from the obstacle to the corners
  std::array<double, 3> weights = {};      ///< of the corners, in the nearest point
  std::array<double, 3> on_obstacle = {};  ///< of the obstacle's corners in its nearest point

  /// Whether the nearest point is one of the corners, with which number; -1: none.
  int corner() const;
};

/// Up to three corners.
CornerGap gap_between(std::span<const Vec3> corners, const Obstacle& obstacle);

/// How far the corners are from the obstacle along n, m: a lower bound of the gap.
double gap_along(std::span<const Vec3> corners, const Obstacle& obstacle, const Vec3& n);

}  // namespace abut::clock
