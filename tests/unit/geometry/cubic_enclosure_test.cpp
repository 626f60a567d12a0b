#include "geometry/cubic_enclosure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/models.h"
#include "support/seeds.h"

using namespace abut::geometry;

namespace {

/// Bernstein coefficients of (s - a)(s - b)(s - c): the polar form at (0,0,0), (0,0,1), (0,1,1),
/// (1,1,1).
std::array<double, 4> cubic_with_zeros(double a, double b, double c) {
  const auto mixed = [&](double x, double y, double z) {
    // The mean over all ways to pair x, y, z with the zeros.
    return ((x - a) * (y - b) * (z - c) + (x - a) * (z - b) * (y - c) +
            (y - a) * (x - b) * (z - c) + (y - a) * (z - b) * (x - c) +
            (z - a) * (x - b) * (y - c) + (z - a) * (y - b) * (x - c)) /
           6;
  };
  return {mixed(0, 0, 0), mixed(0, 0, 1), mixed(0, 1, 1), mixed(1, 1, 1)};
}

}  // namespace

TEST(CubicEnclosure, ALineIsEnclosedExactly) {
  const UnitRange r = zeros_of_cubic({-1, 0, 1, 2}, 0);  // 3 s - 1
  EXPECT_NEAR(r.from, 1.0 / 3, 1e-14);
  EXPECT_NEAR(r.to, 1.0 / 3, 1e-14);
  EXPECT_LE(r.from, 1.0 / 3);
  EXPECT_GE(r.to, 1.0 / 3);
}

TEST(CubicEnclosure, NoZeroOnEitherSide) {
  EXPECT_TRUE(zeros_of_cubic({1, 2, 0.5, 3}, 0.4).empty());
  EXPECT_TRUE(zeros_of_cubic({-1, -2, -0.5, -3}, 0.4).empty());
  EXPECT_FALSE(zeros_of_cubic({1, 2, 0.5, 3}, 0.5).empty());
}

TEST(CubicEnclosure, AnErrorWidensTheRange) {
  const UnitRange r = zeros_of_cubic({-1, 0, 1, 2}, 0.5);  // 3 s - 1 +- 1/2
  EXPECT_NEAR(r.from, 1.0 / 6, 1e-14);
  EXPECT_NEAR(r.to, 1.0 / 2, 1e-14);
}

TEST(CubicEnclosure, WhatIsUnknownMayVanishAnywhere) {
  for (const auto& c : {std::array<double, 4>{0, 0, 0, 0},
                        {1e-17, 0, 0, -1e-17},
                        {std::numeric_limits<double>::quiet_NaN(), 1, 1, 1},
                        {1, 1, std::numeric_limits<double>::infinity(), 1}}) {
    const UnitRange r = zeros_of_cubic(c, 1e-16);
    EXPECT_EQ(r.from, 0);
    EXPECT_EQ(r.to, 1);
  }
}

TEST(CubicEnclosure, ContainsAllZerosOfRandomCubics) {
  std::mt19937_64 random(abut::test::seed(5));
  std::uniform_real_distribution<double> real(-0.5, 1.5);
  for (int i = 0; i < abut::test::cases(20'000); ++i) {
    const double a = real(random), b = i % 3 == 0 ? a : real(random), c = real(random);
    const auto coefficients = cubic_with_zeros(a, b, c);
    const UnitRange r = zeros_of_cubic(coefficients, 1e-14);  // a few dozen roundings of 1.5^3
    for (const double zero : {a, b, c}) {
      if (zero < 0 || zero > 1) continue;
      ASSERT_LE(r.from, zero);
      ASSERT_GE(r.to, zero);
    }
  }
}
