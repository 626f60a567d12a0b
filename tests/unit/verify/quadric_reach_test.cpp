// How far ellipsoids reach, against closed forms and random points.

#include "verify/quadric_reach.h"

#include <gtest/gtest.h>

#include <random>

namespace abut::verify {
namespace {

TEST(QuadricReach, OfBallsAndDiscsIsKnown) {
  const QuadricReach ball = quadric_reach(Vec3(3, 0, 4), 2 * Mat3::Identity());
  EXPECT_NEAR(ball.most, 7, 1e-14);
  EXPECT_NEAR(ball.found, 7, 1e-14);
  // A disc of radius 0.4, 0.3 beside its axis and 1.2 above: to the far side, 0.7 and 1.2.
  Mat3 disc = 0.4 * Mat3::Identity();
  disc.col(2).setZero();
  const QuadricReach aside = quadric_reach(Vec3(0.3, 0, 1.2), disc);
  EXPECT_NEAR(aside.most, std::hypot(0.7, 1.2), 1e-14);
  EXPECT_NEAR(aside.found, aside.most, 1e-14);
  // On the axis the whole circle is as far away.
  const QuadricReach coaxial = quadric_reach(Vec3(0, 0, 1.2), disc);
  EXPECT_NEAR(coaxial.most, std::hypot(0.4, 1.2), 1e-14);
  EXPECT_NEAR(coaxial.found, coaxial.most, 1e-14);
  EXPECT_EQ(quadric_reach(Vec3(0, 3, 0), Mat3::Zero()).most, 3);
}

TEST(QuadricReach, IsTheLargestOfAllPoints) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
    for (int trial = 0; trial < 100; ++trial) {
      Mat3 axes;
      for (int i = 0; i < 3; ++i) axes.col(i) = vector();
      Vec3 centre = vector();
      // What is symmetric has no single farthest point.
      if (trial % 4 == 0) centre = axes.col(0).cross(axes.col(1));
      if (trial % 5 == 0) centre.setZero();
      const QuadricReach reach = quadric_reach(centre, axes);
      EXPECT_NEAR(reach.found, reach.most, 1e-7 * reach.most);
      double most = 0;
      for (int i = 0; i < 2000; ++i)
        most = std::max(most, (centre + axes * vector().normalized()).norm());
      EXPECT_LE(most, reach.most * (1 + 1e-14));
      EXPECT_GT(most, 0.95 * reach.most);
    }
  }
}

}  // namespace
}  // namespace abut::verify
