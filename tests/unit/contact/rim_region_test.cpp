// Regions of contact of cylinders and cones against places found by hand.

#include "contact/rim_region.h"

#include <gtest/gtest.h>

#include "unit/contact/contact_testing.h"

namespace abut::contact {
namespace {

using test::at;
using test::expect_region;
using test::ground;
using test::regions;
using test::turn;

const double r = 0.3, h = 1.0;
const model::Body tall_cylinder = test::single(shape::Cylinder{r, h});
const model::Body tall_cone = test::single(shape::Cone{r, h});
const Quat lying = turn(Vec3::UnitY(), M_PI / 2);  // the axis along x

std::vector<Vec3> rim_places(double radius, double z) {
  std::vector<Vec3> places;
  for (int k = 0; k < rim_samples; ++k) {
    const double angle = 2 * M_PI * k / rim_samples;
    places.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  return places;
}

TEST(RimRegion, AStandingCylinderHasItsWholeRim) {
  const auto found = regions(tall_cylinder, at(0, 0, h / 2), ground(), at(0, 0, 0));
  expect_region(found, 2, Vec3::UnitZ(), rim_places(r, 0));
  ASSERT_EQ(found.front().arcs.size(), 1u);
  EXPECT_EQ(found.front().arcs.front().side, 0);
  EXPECT_NEAR(found.front().arcs.front().to - found.front().arcs.front().from, 2 * M_PI, 1e-12);
}

TEST(RimRegion, ALyingCylinderHasALine) {
  const auto found = regions(tall_cylinder, at(0, 0, r, lying), ground(), at(0, 0, 0));
  expect_region(found, 1, Vec3::UnitZ(), {{-h / 2, 0, 0}, {h / 2, 0, 0}});
}

TEST(RimRegion, ATiltedCylinderHasOnePlace) {
  const double tilt = 0.3;
  const double z = r * std::sin(tilt) + h / 2 * std::cos(tilt);
  const auto found =
      regions(tall_cylinder, at(0, 0, z, turn(Vec3::UnitY(), tilt)), ground(), at(0, 0, 0));
  expect_region(found, 0, Vec3::UnitZ(), {{r * std::cos(tilt) - h / 2 * std::sin(tilt), 0, 0}});
}

TEST(RimRegion, AConeLiesOnRimAndApex) {
  // The line of its side is as long as the slant; the apex is up by half the height.
  const double slant = std::hypot(r, h), half_angle = std::atan2(r, h);
  const Quat q = turn(Vec3::UnitY(), M_PI / 2 + half_angle);
  const Vec3 apex = q * Vec3(0, 0, h / 2);
  const auto found = regions(tall_cone, at(0, 0, -apex.z(), q), ground(), at(0, 0, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().dimension, 1);
  ASSERT_EQ(found.front().points.size(), 2u);
  EXPECT_NEAR((found.front().points[0].position - found.front().points[1].position).norm(), slant,
              1e-12);
}

TEST(RimRegion, ALineIsCutByTheEdgesOfAFace) {
  const model::Body table = test::box(0.4, 2, 0.2);
  const auto found = regions(tall_cylinder, at(0.3, 0, r + 0.1, lying), table, at(0, 0, 0));
  expect_region(found, 1, Vec3::UnitZ(), {{-0.2, 0, 0.1}, {0.2, 0, 0.1}});
}

TEST(RimRegion, ADiscOverTheEdgeOfAFaceIsCut) {
  const model::Body table = test::box(2, 2, 0.2);
  // The centre is 0.1 within the edge x = 1.
  const auto found = regions(tall_cylinder, at(0.9, 0, 0.1 + h / 2), table, at(0, 0, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().dimension, 2);
  ASSERT_EQ(found.front().arcs.size(), 1u);
  const double across = std::sqrt(r * r - 0.01);
  int on_edge = 0;
  for (const ContactPoint& point : found.front().points) {
    EXPECT_LE(point.position.x(), 1 + 1e-12);
    EXPECT_LE((point.position - Vec3(0.9, 0, 0.1)).norm(), r + 1e-12);
    if (std::abs(point.position.x() - 1) < 1e-12) {
      EXPECT_NEAR(std::abs(point.position.y()), across, 1e-12);
      ++on_edge;
    }
  }
  EXPECT_EQ(on_edge, 2);
}

TEST(RimRegion, ABoxOnADiscHasItsCorners) {
  const auto found =
      regions(test::box(0.2, 0.2, 0.2), at(0, 0, h / 2 + 0.1), tall_cylinder, at(0, 0, 0));
  expect_region(found, 2, Vec3::UnitZ(),
                {{0.1, 0.1, h / 2}, {-0.1, 0.1, h / 2}, {-0.1, -0.1, h / 2}, {0.1, -0.1, h / 2}});
}

TEST(RimRegion, StackedCylindersShareTheSmallerDisc) {
  const model::Body thin = test::single(shape::Cylinder{0.1, h});
  expect_region(regions(thin, at(0, 0, h), tall_cylinder, at(0, 0, 0)), 2, Vec3::UnitZ(),
                rim_places(0.1, h / 2));
  expect_region(regions(tall_cylinder, at(0, 0, h), thin, at(0, 0, 0)), 2, Vec3::UnitZ(),
                rim_places(0.1, h / 2));
  expect_region(regions(tall_cylinder, at(0, 0, h), tall_cylinder, at(0, 0, 0)), 2, Vec3::UnitZ(),
                rim_places(r, h / 2));
}

TEST(RimRegion, ShiftedDiscsOverlapInALens) {
  const auto found = regions(tall_cylinder, at(0.2, 0, h), tall_cylinder, at(0, 0, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().dimension, 2);
  EXPECT_EQ(found.front().arcs.size(), 2u);
  for (const ContactPoint& point : found.front().points) {
    EXPECT_LE(point.position.head<2>().norm(), r + 1e-12);
    EXPECT_LE((point.position - Vec3(0.2, 0, h / 2)).head<2>().norm(), r + 1e-12);
  }
}

// Over a short chord a line may lean more than over the whole disc and still touch at both ends:
// the axis of a capsule and the edge of a box, near the rim.
TEST(RimRegion, AShortChordIsALine) {
  const double half = 0.05, aside = std::sqrt(r * r - half * half), lean = 4e-9;
  const model::Body lower = test::single(shape::Cylinder{r, h});
  for (const bool is_capsule : {true, false}) {
    const model::Body upper = is_capsule ? test::capsule(0.1, 2) : test::box(2, 0.2, 0.2);
    const Quat turned = turn(Vec3::UnitY(), lean) * (is_capsule ? lying : turn(Vec3::UnitX(), 0.5));
    // The lowest line of the box is below its centre line by its edge.
    const Vec3 below =
        is_capsule ? Vec3(0, 0, 0.1) : Vec3(-(turn(Vec3::UnitX(), 0.5) * Vec3(0, -0.1, -0.1)));
    const auto found =
        regions(upper, {Vec3(0, aside, h / 2 + lean * half + 2e-10) + below, turned}, lower, {});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.front().dimension, 1);
    EXPECT_LT((found.front().normal - Vec3::UnitZ()).norm(), 1e-12);
    ASSERT_EQ(found.front().points.size(), 2u);
    for (const ContactPoint& point : found.front().points) {
      EXPECT_NEAR(std::abs(point.position.x()), half, 1e-7);
      EXPECT_NEAR(point.position.y(), aside, 1e-7);
    }
  }
}

TEST(RimRegion, ParallelCylindersTouchAlongALine) {
  expect_region(
      regions(tall_cylinder, at(0.25, 0, 3 * r, lying), tall_cylinder, at(0, 0, r, lying)), 1,
      Vec3::UnitZ(), {{-0.25, 0, 2 * r}, {0.5, 0, 2 * r}});
}

TEST(RimRegion, CrossedCylindersTouchAtAPoint) {
  const Quat across = turn(Vec3::UnitX(), M_PI / 2);
  expect_region(
      regions(tall_cylinder, at(0.1, 0.2, 3 * r, across), tall_cylinder, at(0, 0, r, lying)), 0,
      Vec3::UnitZ(), {{0.1, 0, 2 * r}});
}

}  // namespace
}  // namespace abut::contact
