// Rows of contacts of rings and bowls against distances found by implicit functions and circles in
// 50 digits and differentiated there.

#include <gtest/gtest.h>

#include "contact/smooth_gap.h"
#include "math/rotation.h"
#include "support/implicit_extremum.h"
#include "support/sizes.h"
#include "unit/contact/random_motions.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using test::RandomMotions;
using test::RealPose;
using test::ReferenceSide;

enum class SideShape { bowl, rounder_bowl, ring, small_ellipsoid, ellipsoid, point, line, plane };

struct MadeSide {
  SmoothSide side;
  ReferenceSide reference;
};

void make_surface(MadeSide& made, RandomMotions& random, double from, double to, double sharpness) {
  test::ImplicitSolid& solid = made.reference.solid;
  for (double& radius : solid.radii) radius = random.number(from, to);
  solid.e1 = 1 + sharpness * random.number(-1, 1);
  solid.e2 = 1 + sharpness * random.number(-1, 1);
  made.side.surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::superellipsoid(solid.radii, solid.e1, solid.e2));
}

MadeSide made(SideShape shape, RandomMotions& random) {
  MadeSide made;
  made.reference.is_curved = false;
  switch (shape) {
    case SideShape::bowl:
    case SideShape::rounder_bowl:
      made.reference.is_curved = true;
      made.side.kind = SmoothSideKind::bowl;
      make_surface(made, random, 0.8, 1.2, shape == SideShape::bowl ? 0 : 0.2);
      return made;
    case SideShape::small_ellipsoid:
    case SideShape::ellipsoid:
      made.reference.is_curved = true;
      make_surface(made, random, 0.1, shape == SideShape::ellipsoid ? 0.5 : 0.15, 0);
      return made;
    case SideShape::ring:
      made.side.kind = SmoothSideKind::ring;
      made.side.circle = made.reference.circle = random.number(0.5, 1);
      made.side.rounding = made.reference.rounding = random.number(0.05, 0.2);
      return made;
    case SideShape::point:
      made.side.kind = SmoothSideKind::point;
      break;
    case SideShape::line:
      made.side.kind = SmoothSideKind::line;
      break;
    case SideShape::plane:
      made.side.kind = SmoothSideKind::plane;
      break;
  }
  made.side.feature = {0.1 * random.vector(), random.direction()};
  made.reference.point = made.side.feature.point;
  const Vec3& d = made.side.feature.direction;
  if (shape == SideShape::line) made.reference.along = {d};
  if (shape == SideShape::plane)
    made.reference.along = {d.unitOrthogonal(), d.cross(d.unitOrthogonal())};
  else
    made.side.rounding = made.reference.rounding = random.number(0, 0.1);
  return made;
}

/// Moves body a along the normal until the gap is `gap`.
void set_gap(const SmoothPair& pair, std::array<RigidMotion, 2>& motions, double gap) {
  for (int i = 0; i < 60; ++i) {
    const ContactNow now = evaluate_smooth(pair, motions[0], motions[1]);
    motions[0].pose.position += (gap - now.row.value) * now.normal;
  }
}

// Where the place is nearly undetermined, derivatives are large and lose digits: those few random
// cases are left out.
constexpr double largest_derivative = 1e4;

void attack(SideShape a, SideShape b, double gap, std::uint64_t seed) {
  RandomMotions random(seed);
  int compared = 0;
  const int rounds = test::full_size() ? 1000 : test::cases(12);  // of which most can be compared
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const MadeSide side_a = made(a, random), side_b = made(b, random);
    SmoothPair pair;
    pair.sides = {side_a.side, side_b.side};
    std::array motions = {random.motion(), random.motion()};
    motions[0].pose.position = motions[1].pose.position + 0.2 * random.vector();
    set_gap(pair, motions, gap);
    const std::array changes = {random.accelerations(), random.accelerations()};
    const ContactNow now = evaluate_smooth(pair, motions[0], motions[1]);
    if (std::abs(now.row.value - gap) > 1e-14) continue;  // another place has become the nearest

    const test::ReferenceGap reference(side_a.reference, side_b.reference);
    const Vec3 near_a = now.points[0] + side_a.side.rounding * now.normal;
    const Vec3 near_b = now.points[1] - side_b.side.rounding * now.normal;
    const test::Derivatives exact = test::derivatives(
        [&](const RealPose& at_a, const RealPose& at_b) {
          return std::vector{reference(at_a, at_b, near_a, near_b, now.normal)};
        },
        motions, changes)[0];
    if (std::abs(exact.second) > largest_derivative) continue;
    ++compared;
    EXPECT_NEAR(now.row.value, exact.value, 4e-15);
    EXPECT_NEAR(now.row.rate, exact.first, 1e-12 * (1 + std::abs(exact.first)));
    EXPECT_NEAR(test::second_derivative(now.row, changes), exact.second,
                1e-10 * (1 + std::abs(exact.second)));
  }
  EXPECT_GE(compared, rounds / 2);
}

TEST(BowlGap, OfARoundedCornerMovesAsTheDistance) {
  attack(SideShape::point, SideShape::bowl, 0.1, 1);
  attack(SideShape::bowl, SideShape::point, 1e-10, 2);
  attack(SideShape::point, SideShape::rounder_bowl, 1e-3, 3);
}

TEST(BowlGap, OfAnEllipsoidMovesAsTheDistance) {
  attack(SideShape::small_ellipsoid, SideShape::bowl, 0.1, 4);
  attack(SideShape::bowl, SideShape::small_ellipsoid, 1e-10, 5);
}

TEST(RingGap, FromAPlaneMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::plane, 0.1, 6);
  attack(SideShape::plane, SideShape::ring, 1e-10, 7);
}

TEST(RingGap, FromARoundedPointMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::point, 0.1, 8);
  attack(SideShape::point, SideShape::ring, 1e-10, 9);
}

TEST(RingGap, FromARoundedLineMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::line, 0.05, 10);
  attack(SideShape::line, SideShape::ring, 1e-10, 11);
}

TEST(RingGap, FromAnEllipsoidMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::ellipsoid, 0.05, 12);
  attack(SideShape::ellipsoid, SideShape::ring, 1e-10, 13);
}

TEST(RingGap, FromARingMovesAsTheDistance) {
  attack(SideShape::ring, SideShape::ring, 0.05, 14);
  attack(SideShape::ring, SideShape::ring, 1e-10, 15);
}

// The velocity of the place of contact, by differences of the nearest points along the motion.
TEST(RingGap, ThePlaceOfContactMovesAsItSays) {
  RandomMotions random(16);
  for (const SideShape other :
       {SideShape::plane, SideShape::point, SideShape::line, SideShape::ring}) {
    const MadeSide side_a = made(SideShape::ring, random), side_b = made(other, random);
    SmoothPair pair;
    pair.sides = {side_a.side, side_b.side};
    pair.depth = {side_a.side.rounding, side_b.side.rounding};
    std::array motions = {random.motion(), random.motion()};
    motions[0].pose.position = motions[1].pose.position + 0.2 * random.vector();
    set_gap(pair, motions, 0.02);
    const double step = 1e-5;
    const auto moved = [&](std::size_t side, double t) {
      RigidMotion m = motions[side];
      m.pose.position += t * m.velocity;
      m.pose.orientation = math::rotation_exp(t * m.angular_velocity) * m.pose.orientation;
      return m;
    };
    const ContactNow now = evaluate_smooth(pair, motions[0], motions[1]);
    const ContactNow later = evaluate_smooth(pair, moved(0, step), moved(1, step));
    const ContactNow before = evaluate_smooth(pair, moved(0, -step), moved(1, -step));
    const double scale = 1 + now.turning.norm() * now.turning.norm() * now.turning.norm();
    EXPECT_LT(((later.normal - before.normal) / (2 * step) - now.turning).norm(), 1e-6 * scale);
    for (std::size_t side = 0; side < 2; ++side) {
      const Vec3 rate = (later.points[side] - before.points[side]) / (2 * step);
      EXPECT_LT((rate - now.drift[side]).norm(), 1e-6 * scale) << static_cast<int>(other);
    }
  }
}

}  // namespace
}  // namespace abut::contact
