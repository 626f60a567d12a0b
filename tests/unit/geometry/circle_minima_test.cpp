#include "geometry/circle_minima.h"

#include <gtest/gtest.h>

#include "support/pattern_search.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/contact/random_motions.h"

namespace abut::geometry {
namespace {

using test::Angles;
using test::RandomMotions;

PlacedCircle random_circle(RandomMotions& random) {
  return {random.vector(), random.motion().pose.orientation.toRotationMatrix(),
          random.number(0.3, 1)};
}

/// Every local minimum of f on a fine grid, refined without derivatives.
std::vector<double> sampled_minima(const PlacedCircle& circle, const DistanceFromPoint& distance) {
  constexpr int count = 20000;
  const auto f = [&](double angle) { return distance(circle.at(angle)).distance; };
  std::vector<double> values, minima;
  for (int i = 0; i < count; ++i) values.push_back(f(2 * M_PI * i / count));
  for (int i = 0; i < count; ++i) {
    if (values[i] > values[(i + 1) % count] || values[i] > values[(i + count - 1) % count])
      continue;
    Angles at = {2 * M_PI * i / count};
    minima.push_back(
        test::pattern_search([&](const Angles& a) { return f(a[0]); }, at, 2 * M_PI / count));
  }
  std::sort(minima.begin(), minima.end());
  return minima;
}

void compare(const PlacedCircle& circle, const DistanceFromPoint& distance, double least) {
  const std::vector<double> searched = sampled_minima(circle, distance);
  std::vector<double> found;
  for (const CirclePlace& place : circle_minima(circle, distance, INFINITY, least))
    found.push_back(place.distance());
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found.size(), searched.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], searched[i], 1e-10);
  EXPECT_NEAR(nearest_on_circle(circle, distance, least, 1).distance(), searched.front(), 1e-10);
}

TEST(CircleMinima, FromAPointAreWhereSamplesSay) {
  RandomMotions random(test::seed(1));
  for (int i = 0; i < test::cases(5); ++i) {
    const Vec3 q = random.vector();
    compare(
        random_circle(random), [&](const Vec3& p) { return from_point(p, q); }, 0.1);
  }
}

TEST(CircleMinima, FromASegmentAreWhereSamplesSay) {
  RandomMotions random(test::seed(2));
  for (int i = 0; i < test::cases(5); ++i) {
    const Vec3 q = random.vector(), e = random.vector().normalized();
    compare(
        random_circle(random), [&](const Vec3& p) { return from_segment(p, q, e, 0.5); }, 0.05);
  }
}

TEST(CircleMinima, FromACircleAreWhereSamplesSay) {
  RandomMotions random(test::seed(3));
  for (int i = 0; i < test::cases(20); ++i) {
    const PlacedCircle other = random_circle(random), circle = random_circle(random);
    // Circles that all but cross have minima narrower than any tube.
    if (nearest_on_circle(
            circle, [&](const Vec3& p) { return from_circle(p, other); }, 1e-3, 0)
            .distance() < 0.02)
      continue;
    compare(
        circle, [&](const Vec3& p) { return from_circle(p, other); }, 0.02);
  }
}

TEST(CircleMinima, FromAPlaneHaveAClosedForm) {
  const double tilt = 0.3;
  PlacedCircle circle;
  circle.centre = Vec3(0, 0, 2);
  circle.axes = Eigen::AngleAxisd(tilt, Vec3::UnitX()).toRotationMatrix();
  const auto found = circle_minima(
      circle, [](const Vec3& p) { return from_plane(p, Vec3::Zero(), Vec3::UnitZ()); }, 3, 0.1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].distance(), 2 - std::sin(tilt), 1e-15);
  EXPECT_NEAR(found[0].angle, 1.5 * M_PI, 1e-12);
  EXPECT_NEAR(found[0].stiffness, std::sin(tilt), 1e-7);
}

TEST(CircleMinima, OfACircleAroundAnAxisOneStandsForAll) {
  const auto found = circle_minima(
      PlacedCircle{}, [](const Vec3& p) { return from_point(p, Vec3(0, 0, 1)); }, 3, 0.1);
  ASSERT_GE(found.size(), 1u);
  EXPECT_NEAR(found[0].distance(), std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(found[0].stiffness, 0, 1e-10);
}

TEST(CircleMinima, BeyondTheReachAreLeftOut) {
  const auto from = [](const Vec3& p) {
    return from_segment(p, Vec3(0, 0, 0.2), Vec3::UnitX(), 3);
  };
  EXPECT_EQ(circle_minima(PlacedCircle{}, from, 0.3, 0.1).size(), 2u);
  EXPECT_TRUE(circle_minima(PlacedCircle{}, from, 0.15, 0.1).empty());
}

}  // namespace
}  // namespace abut::geometry
