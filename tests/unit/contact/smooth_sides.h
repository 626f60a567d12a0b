#pragma once
// Random sides of smooth contacts, each with its exact twin, and what the tests of their gaps
// compare.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/limits.h"
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

/// The side of a cone, from its apex at the origin down along the body's z axis; normals lean
/// towards the apex. Its lines go on beyond that.
inline MadeSide cone_side(RandomMotions& random) {
  MadeSide made;
  const double slope = random.number(0.3, 1);
  made.reference.solid.slope = slope;
  made.side.kind = SmoothSideKind::line;
  made.side.feature = {Vec3::Zero(), Vec3::UnitZ()};
  made.side.level = slope / std::hypot(1, slope);
  return made;
}
inline bool is_beyond_apex(const MadeSide& side, const Vec3& place,
                           const body::RigidMotion& motion) {
  return side.side.level != 0 &&
         (motion.pose.orientation.conjugate() * (place - motion.pose.position)).z() > 0;
}

/// Moves body a along the normal until the gap is `gap`, m.
inline void set_gap(const SmoothPair& pair, Motions& motions, double gap) {
  for (int i = 0; i < 60; ++i) {
    const ContactNow now = evaluate_smooth(pair, motions[0], motions[1]);
    const double missing = gap - now.row.value;
    motions[0].pose.position += missing * now.normal;
    if (std::abs(missing) <= 4 * epsilon) break;  // a rounding of the coordinates
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

/// By how much the place of contact and its normal move if a body is moved by 1 m or turned by 1
/// rad, at that rate: the condition number of the place. A rounding of the poses moves it that much
/// farther, and what is measured there loses as many digits.
inline double condition(const SmoothPair& pair, const Motions& motions) {
  double largest = 0;
  for (int i = 0; i < 12; ++i) {
    Motions unit = motions;
    for (body::RigidMotion& m : unit) m.velocity = m.angular_velocity = Vec3::Zero();
    body::RigidMotion& moved = unit[static_cast<std::size_t>(i / 6)];
    (i % 6 < 3 ? moved.velocity : moved.angular_velocity)[i % 3] = 1;
    const ContactNow now = evaluate_smooth(pair, unit[0], unit[1]);
    largest = std::max({largest, now.turning.norm(), now.drift[0].norm(), now.drift[1].norm()});
  }
  return largest;
}

/// What the second derivative of a gap must agree to, relative to itself.
inline constexpr double second_derivative_tolerance = 1e-10;

/// A state is ill-conditioned if roundings of the poses alone, of which some ten add up, exceed the
/// tolerance.
inline bool is_ill_conditioned(const SmoothPair& pair, const Motions& motions) {
  return 10 * condition(pair, motions) * epsilon > second_derivative_tolerance;
}

inline void expect_row(const ContactNow& now, const Derivatives& exact,
                       const std::array<Accelerations, 2>& changes, double tolerance) {
  EXPECT_NEAR(now.row.value, exact.value, tolerance);
  EXPECT_NEAR(now.row.rate, exact.first, 1e-12 * (1 + std::abs(exact.first)));
  EXPECT_NEAR(second_derivative(now.row, changes), exact.second,
              second_derivative_tolerance * std::abs(exact.second));
}

/// Two sides in motion.
struct GapState {
  MadeSide a, b;
  SmoothPair pair;
  Motions motions;
};

/// Compares the rows of as many states as there are to be: `make` draws them, `is_contact` tells
/// which of them can be. Those that are ill-conditioned must be few.
template <class Make, class IsContact>
void compare_states(int states, std::uint64_t seed, double tolerance, const Make& make,
                    const IsContact& is_contact) {
  RandomMotions random(seed);
  int compared = 0, ill = 0;
  for (int round = 0; compared < states && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    ASSERT_LT(round, 10 + 3 * states) << "hardly any state is a contact";
    const GapState state = make(random);
    const std::array changes = {random.accelerations(), random.accelerations()};
    const ContactNow now = evaluate_smooth(state.pair, state.motions[0], state.motions[1]);
    if (!is_contact(state, now)) continue;
    if (is_ill_conditioned(state.pair, state.motions)) {
      ++ill;
      continue;
    }
    ++compared;
    const Derivatives exact = exact_gap(state.a, state.b, now, state.motions, changes);
    expect_row(now, exact, changes, tolerance);
  }
  EXPECT_LE(ill, 1 + states / 20);
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
