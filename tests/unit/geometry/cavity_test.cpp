#include "geometry/cavity.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "support/pattern_search.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/contact/random_motions.h"

namespace abut::geometry {
namespace {

using test::Angles;
using test::RandomMotions;

const SupportAtom& origin() {
  static const SupportAtom point = SupportAtom::at_point(Vec3::Zero());
  return point;
}

/// A point of the surface, by two angles.
Vec3 on_ellipsoid(const Vec3& radii, double u, double v) {
  return radii.cwiseProduct(
      Vec3(std::cos(u) * std::cos(v), std::sin(u) * std::cos(v), std::sin(v)));
}
double power(double x, double e) {
  return std::copysign(std::pow(std::abs(x), e), x);
}
Vec3 on_superellipsoid(const Vec3& radii, double e1, double e2, double u, double v) {
  return radii.cwiseProduct(Vec3(power(std::cos(v), e1) * power(std::cos(u), e2),
                                 power(std::cos(v), e1) * power(std::sin(u), e2),
                                 power(std::sin(v), e1)));
}

Vec3 random_radii(RandomMotions& random) {
  return {random.number(0.2, 1), random.number(0.2, 1), random.number(0.2, 1)};
}

TEST(Cavity, APointInABallIsAsDeepAsItsCentreSays) {
  const SupportAtom ball = SupportAtom::ellipsoid(Vec3::Constant(2));
  EXPECT_DOUBLE_EQ(depth_in(ball, Vec3(0.3, 0.4, 0)), 1.5);
  EXPECT_DOUBLE_EQ(depth_in(ball, Vec3(0, 0, 3)), -1);
  EXPECT_DOUBLE_EQ(depth_in(ball, Vec3::Zero()), 2);
}

TEST(Cavity, TheNearestWallOfAnEllipsoidIsTheNearest) {
  RandomMotions random(test::seed(1));
  for (int round = 0; round < test::cases(30); ++round) {
    const Vec3 radii = random_radii(random);
    const SupportAtom cavity = SupportAtom::ellipsoid(radii);
    const Vec3 p =
        random.number(0, 0.99) * on_ellipsoid(radii, random.number(0, 7), random.number(-1.5, 1.5));
    Angles best;
    const double searched = test::grid_search(
        [&](const Angles& a) { return (on_ellipsoid(radii, a[0], a[1]) - p).norm(); }, 2, 60, best);
    EXPECT_NEAR(depth_in(cavity, p), searched, 1e-10) << round;
  }
}

// In a plane of symmetry the root has no place of its own, and either side is as near.
TEST(Cavity, APointOnTheAxisOfAnEggIsNearestToItsSides) {
  const SupportAtom egg = SupportAtom::ellipsoid(Vec3(2, 1, 1.5));
  EXPECT_NEAR(depth_in(egg, Vec3::Zero()), 1, 1e-15);
  EXPECT_NEAR(depth_in(egg, Vec3(1, 0, 0)), std::sqrt(2.0 / 3), 1e-14);
  EXPECT_NEAR(depth_in(egg, Vec3(1.9, 0, 0)), 0.1, 1e-14);
}

TEST(Cavity, TheNearestWallOfASuperellipsoidIsTheNearest) {
  RandomMotions random(test::seed(2));
  for (int round = 0; round < test::cases(20); ++round) {
    const Vec3 radii = random_radii(random);
    const double e1 = random.number(0.5, 1.5), e2 = random.number(0.5, 1.5);
    const SupportAtom cavity = SupportAtom::superellipsoid(radii, e1, e2);
    const Vec3 p = random.number(0, 0.99) *
                   on_superellipsoid(radii, e1, e2, random.number(0, 7), random.number(-1.5, 1.5));
    Angles best;
    const double searched = test::grid_search(
        [&](const Angles& a) { return (on_superellipsoid(radii, e1, e2, a[0], a[1]) - p).norm(); },
        2, 60, best);
    EXPECT_NEAR(depth_in(cavity, p), searched, 1e-9) << round;
  }
}

// h_C - h_B along every direction, by its values alone.
TEST(Cavity, AnEllipsoidInAnEllipsoidComesAsNearAsTheBestDirectionSays) {
  RandomMotions random(test::seed(3));
  for (int round = 0; round < test::cases(30); ++round) {
    const SupportAtom cavity = SupportAtom::ellipsoid(random_radii(random));
    const SupportAtom solid = SupportAtom::ellipsoid(0.4 * random_radii(random));
    const CavityPair pair{
        {&cavity, random.motion().pose.orientation.toRotationMatrix(), Vec3::Zero()},
        {&solid, random.motion().pose.orientation.toRotationMatrix(), 0.05 * random.vector()}};
    Angles best;
    const double searched = test::grid_search(
        [&](const Angles& a) {
          return pair.clearance_along(on_ellipsoid(Vec3::Ones(), a[0], a[1]));
        },
        2, 60, best);
    const std::vector<CavityPlace> minima = cavity_minima(pair);
    ASSERT_FALSE(minima.empty());
    EXPECT_NEAR(minima.front().clearance, searched, 1e-10) << round;
    for (const CavityPlace& place : minima) {
      EXPECT_LT((place.wall - place.inside - place.clearance * place.normal).norm(), 1e-13);
      EXPECT_GE(place.stiffness, -1e-9);
    }
  }
}

// On the axis of a bowl a flat body of revolution is equally near all along a circle: with half
// axes a, a, c at the depth h in a ball of radius 1, D = 1 - h u - sqrt(a^2 - (a^2 - c^2) u^2) is
// least at one u, the cosine of the angle from the axis.
TEST(Cavity, ALevelValleyIsHeldAllAround) {
  const double a = 0.6, c = 0.3, h = 0.5;
  const SupportAtom ball = SupportAtom::ellipsoid(Vec3::Ones());
  const SupportAtom disc = SupportAtom::ellipsoid(Vec3(a, a, c));
  for (const double turned : {0.0, 0.3, 1.0}) {
    const Mat3 about = Eigen::AngleAxisd(turned, Vec3::UnitZ()).toRotationMatrix();
    const CavityPair pair{{&ball, Mat3::Identity(), Vec3::Zero()}, {&disc, about, Vec3(0, 0, -h)}};
    const double bend = a * a - c * c;
    const double u = a * h / std::sqrt(bend * (bend + h * h));
    const double least = 1 - h * u - std::sqrt(a * a - bend * u * u);
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (const CavityPlace& place : cavity_minima(pair)) {
      if (place.in_valley < 0) continue;
      EXPECT_NEAR(place.clearance, least, 1e-14);
      EXPECT_NEAR(place.normal.z(), -u, 1e-7);
      sum += place.normal;
      ++count;
    }
    EXPECT_GE(count, 6);
    EXPECT_LT(sum.head<2>().norm(), 0.2 * count) << "they surround the axis";
  }
}

// A ball too large for the end of an egg touches it at two places, mirror images of each other.
TEST(Cavity, ABallInTheNarrowEndOfAnEggTouchesTwice) {
  const SupportAtom egg = SupportAtom::ellipsoid(Vec3(2, 1, 1.5));
  const Vec3 centre(1.2, 0, 0);
  const CavityPair pair{{&egg, Mat3::Identity(), Vec3::Zero()},
                        {&origin(), Mat3::Identity(), centre}};
  const std::vector<CavityPlace> minima = cavity_minima(pair);
  ASSERT_GE(minima.size(), 2u);
  EXPECT_NEAR(minima[0].clearance, minima[1].clearance, 1e-14);
  EXPECT_NEAR(minima[0].wall.y(), -minima[1].wall.y(), 1e-12);
  EXPECT_GT(std::abs(minima[0].wall.y()), 0.1);
}

TEST(Cavity, ABallInTheMiddleOfABallHasOnePlaceForAll) {
  const SupportAtom cavity = SupportAtom::ellipsoid(Vec3::Constant(1));
  const CavityPair pair{{&cavity, Mat3::Identity(), Vec3::Zero()},
                        {&origin(), Mat3::Identity(), Vec3::Zero()}};
  EXPECT_EQ(cavity_minima(pair).size(), 1u);
}

// No radius of curvature is smaller, and without corners the bound is not zero.
TEST(Cavity, RadiiOfSuperellipsoidsAreAboveTheirBound) {
  RandomMotions random(test::seed(7));
  for (int round = 0; round < test::cases(40); ++round) {
    const double e1 = random.number(0.2, 1), e2 = random.number(0.2, 1);
    const SupportAtom wall = SupportAtom::superellipsoid(random_radii(random), e1, e2);
    const double least = wall.least_radius();
    EXPECT_GT(least, 0);
    for (int i = 0; i < 200; ++i) {
      const Vec3 m = random.vector().normalized();
      const Vec3 u = m.unitOrthogonal(), v = m.cross(u);
      const Mat3 w = wall.patch(m).radii;
      Eigen::Matrix2d across;
      across << u.dot(w * u), u.dot(w * v), u.dot(w * v), v.dot(w * v);
      const double smallest =
          Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(across).eigenvalues()[0];
      EXPECT_GT(smallest, least * (1 - 1e-9)) << e1 << " " << e2;
    }
  }
  EXPECT_EQ(SupportAtom::superellipsoid(Vec3::Ones(), 1.2, 1).least_radius(), 0);
  // The bound of an ellipsoid is that of one that hardly differs from it.
  const Vec3 radii(0.5, 0.7, 1);
  EXPECT_NEAR(SupportAtom::superellipsoid(radii, 0.9999999, 1).least_radius(),
              SupportAtom::ellipsoid(radii).least_radius(), 1e-3);
}

// By directions all around, of which none is nearer to the wall.
TEST(Cavity, NoWallOfASuperellipsoidIsNearerThanTheNearest) {
  RandomMotions random(test::seed(8));
  for (int round = 0; round < test::cases(20); ++round) {
    const SupportAtom wall = SupportAtom::superellipsoid(
        random_radii(random), random.number(0.3, 1), random.number(0.3, 1));
    for (int i = 0; i < 10; ++i) {
      const Vec3 at = random.number(0.1, 0.999) * wall.support(random.vector().normalized());
      const double depth = depth_in(wall, at);
      for (int k = 0; k < 300; ++k) {
        const Vec3 m = random.vector().normalized();
        EXPECT_GE(wall.height(m) - m.dot(at), depth - 1e-12);
      }
    }
  }
}

// A place of the wall of a superellipsoid near the middle of a flat side, from where the normal is
// nearly that of the side: the place moves with a power below 1 of the normal's angle there.
Vec3 on_flat_side(const SupportAtom& wall, RandomMotions& random) {
  Vec3 inner;
  for (int i = 0; i < 3; ++i)
    inner[i] = std::copysign(std::pow(10, random.number(-6, -0.5)), random.number(-1, 1));
  inner[static_cast<int>(random.number(0, 2.999))] = random.number(-1, 1) < 0 ? -1 : 1;
  return wall.support(wall.normal_through(inner.cwiseProduct(wall.half_axes())));
}

// A ball that is rounder than the wall touches it at one place alone, from wherever that is
// searched: a search that stalled on the way there would tell a gap that is too large.
TEST(Cavity, APlaceOnAFlatSideIsFoundFromAllAround) {
  RandomMotions random(test::seed(9));
  for (int round = 0; round < test::cases(100); ++round) {
    const SupportAtom wall = SupportAtom::superellipsoid(
        random_radii(random), random.number(0.4, 1), random.number(0.4, 1));
    const Vec3 place = on_flat_side(wall, random), m = wall.normal_through(place);
    const double radius = random.number(0.2, 0.9) * wall.least_radius();
    const CavityPair pair{{&wall, Mat3::Identity(), Vec3::Zero()},
                          {&origin(), Mat3::Identity(), place - radius * m}};
    EXPECT_NEAR(depth_in(wall, pair.inside.position), radius, 1e-12);
    const std::vector<CavityPlace> minima = cavity_minima(pair);
    ASSERT_FALSE(minima.empty());
    for (const CavityPlace& found : minima) {
      if (found.clearance > 2 * radius) continue;  // across
      EXPECT_NEAR(found.clearance, radius, 1e-12) << round;
      EXPECT_LT((found.wall - place).norm(), 1e-6) << round;
    }
    for (int i = 0; i < 10; ++i) {
      const CavityPlace found = come_down(pair, (m + 0.1 * random.vector()).normalized());
      EXPECT_NEAR(found.clearance, radius, 1e-12) << round;
    }
  }
}

// Where D hardly bends along a direction Newton's step is longer than a search goes: what it gains
// is that of the way it goes, and no search ends before its place.
TEST(Cavity, NoSearchEndsBeforeItsPlace) {
  RandomMotions random(test::seed(10));
  for (int round = 0; round < test::cases(100); ++round) {
    const SupportAtom wall = SupportAtom::superellipsoid(
        random_radii(random), random.number(0.4, 1), random.number(0.4, 1));
    const SupportAtom solid = SupportAtom::superellipsoid(
        0.4 * random_radii(random), random.number(0.4, 1), random.number(0.4, 1));
    const Mat3 turned = random.motion().pose.orientation.toRotationMatrix();
    const CavityPair pair{{&wall, Mat3::Identity(), Vec3::Zero()},
                          {&solid, turned, 0.5 * on_flat_side(wall, random)}};
    for (const CavityPlace& found : cavity_minima(pair))
      EXPECT_LT((found.wall - found.inside - found.clearance * found.normal).norm(), 1e-9) << round;
  }
}

}  // namespace
}  // namespace abut::geometry
