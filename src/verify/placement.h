#pragma once
// Two solids at one recorded instant, in doubles: to find what the exact arithmetic then proves,
// and to settle by a safe margin what is far from doubtful.

#include <vector>

#include "geometry/aabb.h"
#include "verify/solid.h"
#include "verify/triple.h"

namespace abut::verify {

/// How far a computed coordinate, or a product with a unit vector, may be from the exact one, in
/// units of the sizes involved (dimensionless). Two rotations by matrices whose entries are good to
/// 20 ulps, and a few sums: 300 ulps at the very most.
inline constexpr double placing_error = 512 * 2.220446049250313e-16;

/// A solid relative to a common origin near both bodies, world axes.
struct Placed {
  const Solid* solid = nullptr;
  Mat3 rotation = Mat3::Identity();  ///< from the part to the world
  Vec3 position = Vec3::Zero();      ///< of the part's origin
  std::vector<Triple<double>> points;

  Triple<double> direction(const Vec3& local) const { return triple(rotation * local); }
};

/// Two solids of different bodies, relative to the position of the first body.
struct PlacedPair {
  PlacedPair(const Solid& solid_a, const BodyState& state_a, const Solid& solid_b,
             const BodyState& state_b);

  Placed a, b;
  double size = 0;    ///< no coordinate is larger, m
  double margin = 0;  ///< no computed coordinate or product with a unit vector is farther off, m
};

/// Contains the solid in exact arithmetic, in world coordinates; whole where it is unbounded.
geometry::Aabb world_box(const geometry::Aabb& box_in_body, const BodyState& state);

}  // namespace abut::verify
