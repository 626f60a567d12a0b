#include "geometry/exact_predicates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace abut;
using namespace abut::geometry;

// Along y = x the determinant of rounded differences is noise; the sign must be that of the
// doubles.
TEST(ExactPredicates, OrientationInThePlane) {
  const Vec2 a(0.1, 0.1);
  const Vec2 b(24, 24);
  for (int k = -8; k <= 8; ++k) {
    const double x = 12;
    const double y = 12 + k * std::ldexp(1.0, -49);  // neighbouring doubles
    EXPECT_EQ(orientation_2d(a, b, Vec2(x, y)), (k > 0) - (k < 0)) << k;
  }
}

TEST(ExactPredicates, OrientationInSpace) {
  const Vec3 a(0.1, 0.1, 0.1), b(24, 24, 0.1), c(0.1, 0.1, 24);  // the plane y = x
  for (int k = -8; k <= 8; ++k) {
    const Vec3 d(12, 12 + k * std::ldexp(1.0, -49), 7);
    // (b - a) x (c - a) points to (+1, -1, 0), so d with y > x is behind it.
    EXPECT_EQ(orientation_3d(a, b, c, d), (k < 0) - (k > 0)) << k;
  }
  EXPECT_TRUE(are_collinear(Vec3(0.1, 0.1, 0.1), Vec3(0.3, 0.3, 0.3), Vec3(0.7, 0.7, 0.7)));
  EXPECT_FALSE(are_collinear(Vec3(0.1, 0.1, 0.1), Vec3(0.3, 0.3, 0.3),
                             Vec3(0.7, 0.7, std::nextafter(0.7, 1.0))));
}

TEST(ExactPredicates, TrianglesAndSegments) {
  const Triangle flat = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const double tiny = std::numeric_limits<double>::denorm_min();
  const auto above = [](double z) {
    return Triangle{Vec3(0.2, 0.2, z), Vec3(0.2, 0.3, 1), Vec3(0.3, 0.2, 1)};
  };
  EXPECT_TRUE(triangles_meet(flat, above(0)));
  EXPECT_FALSE(triangles_meet(flat, above(tiny)));
  EXPECT_TRUE(triangles_meet(flat, above(-tiny)));
  EXPECT_TRUE(segment_meets_triangle(Vec3(0.2, 0.2, 0), Vec3(0.2, 0.2, 1), flat));
  EXPECT_FALSE(segment_meets_triangle(Vec3(0.2, 0.2, tiny), Vec3(0.2, 0.2, 1), flat));
  EXPECT_TRUE(on_same_side(flat[0], flat[1], flat[2], Vec3(5, 1, 0)));
  EXPECT_FALSE(on_same_side(flat[0], flat[1], flat[2], Vec3(0, -1, 0)));
}
