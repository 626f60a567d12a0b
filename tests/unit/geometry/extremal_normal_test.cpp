#include "geometry/extremal_normal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/rim_crossing.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::geometry {
namespace {

using RimRandom = std::mt19937_64;

double drawn_between(RimRandom& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

constexpr double lower_rim = 0.3, upper_rim = 0.25, rim_gap = 2e-10;

/// A circle around the z axis and another one that touches it, but for the gap, with a normal that
/// leans outward by `lean` from the axis of the first: where that is small, the other circle's
/// lowest place is just beside the disc.
struct TwoRims {
  SupportAtom lower = SupportAtom::circle(Vec3::Zero(), lower_rim),
              upper = SupportAtom::circle(Vec3::Zero(), upper_rim);
  AtomPair pair;
  Vec3 normal;
  double crossing = 0;  // sine of the angle between the circles where they touch

  TwoRims(RimRandom& random, double lean) {
    const double angle = drawn_between(random, 0, 2 * M_PI);
    const Vec3 out(std::cos(angle), std::sin(angle), 0);
    normal = std::cos(lean) * Vec3::UnitZ() + std::sin(lean) * out;
    const double slant = drawn_between(random, 0.2, 1.4),
                 turned = drawn_between(random, 0, 2 * M_PI);
    const Vec3 aside = normal.unitOrthogonal();
    const Vec3 axis =
        std::cos(slant) * normal +
        std::sin(slant) * (std::cos(turned) * aside + std::sin(turned) * normal.cross(aside));
    Mat3 rotation;
    rotation << axis.unitOrthogonal(), axis.cross(axis.unitOrthogonal()), axis;
    const Vec3 to_place = (axis * axis.dot(normal) - normal).normalized();
    crossing = Vec3::UnitZ().cross(out).cross(axis.cross(to_place)).norm();
    pair.b = {&lower, Mat3::Identity(), Vec3::Zero()};
    pair.a = {&upper, rotation, lower_rim * out + rim_gap * normal - upper_rim * to_place};
  }
};

// Discs that are apart have one normal along which they are farthest, wherever the search begins.
TEST(ExtremalNormal, IsFoundBesideTheAxisOfACircle) {
  RimRandom random(test::seed(3));
  for (int round = 0; round < test::cases(300); ++round) {
    SCOPED_TRACE(round);
    const TwoRims rims(random, std::pow(10, drawn_between(random, -4, -1)));
    const Vec3 start =
        (rims.normal + drawn_between(random, 0, 0.6) * Vec3(drawn_between(random, -1, 1),
                                                            drawn_between(random, -1, 1),
                                                            drawn_between(random, -1, 1)))
            .normalized();
    const Extremum found = extremal_normal(rims.pair, start);
    EXPECT_NEAR(found.gap, rim_gap, 1e-14);
    EXPECT_LT((found.normal - rims.normal).norm(), 1e-6);
  }
}

// Where a rim passes over the other one onto its flat end, its place goes on beyond the axis. With
// the sine of the angle at which the circles cross, the angles of the place are known to
// eps / sine^2, and their normal to eps / sine^3.
TEST(ExtremalNormal, OfRimsGoesOnOverTheFlatEnd) {
  RimRandom random(test::seed(4));
  int crossed = 0;
  for (int round = 0; round < test::cases(300); ++round) {
    SCOPED_TRACE(round);
    const double lean = drawn_between(random, -5e-4, 5e-4);
    const TwoRims rims(random, lean);
    const auto found = rims_crossing(rims.pair, extremal_normal(rims.pair, rims.normal));
    if (!found) continue;  // nearly along each other
    ++crossed;
    EXPECT_NEAR(found->gap, rim_gap, 1e-14);
    EXPECT_LT((found->normal - rims.normal).norm(), 1e-14 / std::pow(rims.crossing, 3));
  }
  EXPECT_GT(crossed, test::cases(300) / 2);
}

}  // namespace
}  // namespace abut::geometry
