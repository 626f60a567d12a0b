#pragma once
// Random sides of smooth contacts, each with its exact twin, and what the tests of their gaps
// compare.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "contact/smooth_gap.h"
#include "math/rotation.h"
#include "support/implicit_extremum.h"
#include "unit/contact/random_motions.h"

namespace abut::test {

using contact::ContactNow;
using contact::SmoothPair;
using contact::SmoothSideKind;
using Motions = std::array<body::RigidMotion, 2>;

struct MadeSide {
  contact::SmoothSide side;
  ReferenceSide reference;
};

/// A superellipsoid with such radii (m) and exponents within `sharpness` of 1; 0: an ellipsoid.
inline MadeSide curved_side(RandomMotions& random, double from, double to, double sharpness) {
  MadeSide made;
  ImplicitSolid& solid = made.reference.solid;
  for (double& radius : solid.radii) radius = random.number(from, to);
  if (sharpness > 0) {
    solid.e1 = random.number(1 - sharpness, 1 + sharpness);
    solid.e2 = random.number(1 - sharpness, 1 + sharpness);
  }
  made.side.surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::superellipsoid(solid.radii, solid.e1, solid.e2));
  return made;
}

/// A point, line or plane that is about `reach` from the origin of its body; points and lines are
/// rounded by up to `rounding`, m.
inline MadeSide straight_side(SmoothSideKind kind, RandomMotions& random, double reach,
                              double rounding) {
  MadeSide made;
  made.reference.is_curved = false;
  made.side.kind = kind;
  made.side.feature = {reach * random.vector(), random.direction()};
  made.reference.point = made.side.feature.point;
  const Vec3& d = made.side.feature.direction;
  if (kind == SmoothSideKind::line) made.reference.along = {d};
  if (kind == SmoothSideKind::plane)
    made.reference.along = {d.unitOrthogonal(), d.cross(d.unitOrthogonal())};
  else
    made.side.rounding = made.reference.rounding = random.number(0, rounding);
  return made;
}

/// Moves body a along the normal until the gap is `gap`, m.
inline void set_gap(const SmoothPair& pair, Motions& motions, double gap) {
  for (int i = 0; i < 60; ++i) {
    const ContactNow now = evaluate_smooth(pair, motions[0], motions[1]);
    motions[0].pose.position += (gap - now.row.value) * now.normal;
  }
}

/// The gap near the points of `now` and its derivatives, from 50 digits.
inline Derivatives exact_gap(const MadeSide& a, const MadeSide& b, const ContactNow& now,
                             const Motions& motions, const std::array<Accelerations, 2>& changes) {
  const ReferenceGap reference(a.reference, b.reference);
  const Vec3 near_a = now.points[0] + a.side.rounding * now.normal;
  const Vec3 near_b = now.points[1] - b.side.rounding * now.normal;
  return derivatives(
      [&](const RealPose& at_a, const RealPose& at_b) {
        return std::vector{reference(at_a, at_b, near_a, near_b, now.normal)};
      },
      motions, changes)[0];
}

inline void expect_row(const ContactNow& now, const Derivatives& exact,
                       const std::array<Accelerations, 2>& changes, double tolerance) {
  EXPECT_NEAR(now.row.value, exact.value, tolerance);
  EXPECT_NEAR(now.row.rate, exact.first, 1e-12 * (1 + std::abs(exact.first)));
  // The second derivative is a sum whose terms may cancel: one that depends on accelerations, one
  // on velocities, and in that the normal's rate times velocities of the order of 1 m/s.
  const double largest =
      std::max({std::abs(exact.second), std::abs(now.row.bias), now.turning.norm()});
  EXPECT_NEAR(second_derivative(now.row, changes), exact.second, 1e-10 * (1 + largest));
}

/// The velocity of the place of contact: differences of the nearest points along the motion, with
/// steps for which a difference of doubles is good to eight digits. The error of a difference grows
/// with the third power of how fast the normal turns.
inline void expect_place_moves_as_it_says(const SmoothPair& pair, const Motions& motions) {
  const double step = 1e-5;
  const auto at = [&](double t) {
    Motions moved = motions;
    for (body::RigidMotion& m : moved) {
      m.pose.position += t * m.velocity;
      m.pose.orientation = math::rotation_exp(t * m.angular_velocity) * m.pose.orientation;
    }
    return evaluate_smooth(pair, moved[0], moved[1]);
  };
  const ContactNow now = at(0), later = at(step), before = at(-step);
  const double tolerance = 1e-6 * (1 + std::pow(now.turning.norm(), 3));
  EXPECT_LT(((later.normal - before.normal) / (2 * step) - now.turning).norm(), tolerance);
  for (std::size_t side = 0; side < 2; ++side) {
    const Vec3 rate = (later.points[side] - before.points[side]) / (2 * step);
    EXPECT_LT((rate - now.drift[side]).norm(), tolerance) << side;
  }
}

}  // namespace abut::test
