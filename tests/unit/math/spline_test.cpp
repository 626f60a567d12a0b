#include "math/spline.h"

namespace abut::math {
namespace {

TEST(Spline, OneSpanIsAStraightLine) {
  const auto slopes = natural_spline_slopes({2.0}, {Vec3(4, -2, 0)});
  ASSERT_EQ(slopes.size(), 2u);
  EXPECT_EQ(slopes[0], Vec3(2, -1, 0));
  EXPECT_EQ(slopes[1], Vec3(2, -1, 0));
}

// Knots 0, 1, 2 with values 0, 1, 0: by symmetry m1 = 0, and 2 m0 + m1 = 3 gives m0 = 1.5.
TEST(Spline, SymmetricHat) {
  const auto slopes = natural_spline_slopes({1, 1}, {Vec3(1, 0, 0), Vec3(-1, 0, 0)});
  EXPECT_NEAR(slopes[0].x(), 1.5, 1e-15);
  EXPECT_NEAR(slopes[1].x(), 0, 1e-15);
  EXPECT_NEAR(slopes[2].x(), -1.5, 1e-15);
}

TEST(Spline, UniformMotionStaysUniform) {
  const auto slopes =
      natural_spline_slopes({0.5, 2, 1}, {Vec3(1, 0, 0), Vec3(4, 0, 0), Vec3(2, 0, 0)});
  for (const Vec3& slope : slopes) EXPECT_NEAR(slope.x(), 2, 1e-14);
}

// The second derivative is continuous at inner knots and zero at the ends.
TEST(Spline, CurvatureIsContinuous) {
  const std::vector<double> h = {0.7, 1.3, 0.4, 2.0};
  const std::vector<Vec3> d = {Vec3(1, 2, 3), Vec3(-1, 0, 2), Vec3(0.5, 1, -4), Vec3(2, -2, 0)};
  const auto m = natural_spline_slopes(h, d);
  const auto at_start = [&](std::size_t i) -> Vec3 {
    return 6 * d[i] / (h[i] * h[i]) - (4 * m[i] + 2 * m[i + 1]) / h[i];
  };
  const auto at_end = [&](std::size_t i) -> Vec3 {
    return -6 * d[i] / (h[i] * h[i]) + (2 * m[i] + 4 * m[i + 1]) / h[i];
  };
  EXPECT_NEAR(at_start(0).norm(), 0, 1e-12);
  EXPECT_NEAR(at_end(3).norm(), 0, 1e-12);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR((at_end(i) - at_start(i + 1)).norm(), 0, 1e-12);
}

}  // namespace
}  // namespace abut::math
