#include "verify/closest.h"

#include <gtest/gtest.h>

#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "verify/rational.h"

namespace {

using namespace abut::verify;
using abut::Vec3;
using abut::test::Random;
using abut::test::uniform;

Vec3 vec(const Triple<double>& t) {
  return {t.x, t.y, t.z};
}

Vec3 random_point(Random& random) {
  return {uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)};
}

/// Smallest distance over a grid of points on a segment and on a triangle.
double sampled(const SegmentOf<double>& s, const TriangleOf<double>& t, int n) {
  double least = 1e9;
  for (int i = 0; i <= n; ++i) {
    const Vec3 p = vec(s[0]) + (vec(s[1]) - vec(s[0])) * i / n;
    for (int j = 0; j <= n; ++j) {
      for (int k = 0; j + k <= n; ++k) {
        const Vec3 q =
            vec(t[0]) + (vec(t[1]) - vec(t[0])) * j / n + (vec(t[2]) - vec(t[0])) * k / n;
        least = std::min(least, (p - q).norm());
      }
    }
  }
  return least;
}

}  // namespace

TEST(Closest, NoSampleOfSegmentAndTriangleIsNearer) {
  Random random(abut::test::seed(11, abut::test::few_rounds));
  constexpr int n = 30;
  for (int i = 0; i < abut::test::cases(100); ++i) {
    const Vec3 away(0, 0, 2.5);  // so that the segment does not pierce the triangle
    const SegmentOf<double> s{triple(random_point(random) + away),
                              triple(random_point(random) + away)};
    const TriangleOf<double> t{triple(random_point(random)), triple(random_point(random)),
                               triple(random_point(random))};
    const double found = vec(from_segment_to_triangle(s, t)).norm();
    const double best = sampled(s, t, n);
    EXPECT_LE(found, best + 1e-14);
    EXPECT_GE(found, best - 4.0 / n);
  }
}

TEST(Closest, RationalsGiveWhatDoublesGive) {
  Random random(abut::test::seed(12));
  for (int i = 0; i < 50; ++i) {
    Vec3 p[5];
    for (Vec3& v : p) v = random_point(random);
    const auto in_doubles =
        from_segment_to_triangle(SegmentOf<double>{triple(p[0]), triple(p[1])},
                                 TriangleOf<double>{triple(p[2]), triple(p[3]), triple(p[4])});
    const auto in_rationals =
        from_segment_to_triangle(SegmentOf<Rational>{exact(p[0]), exact(p[1])},
                                 TriangleOf<Rational>{exact(p[2]), exact(p[3]), exact(p[4])});
    EXPECT_NEAR(squared_norm(in_doubles), squared_norm(in_rationals).get_d(), 1e-13);
  }
}

TEST(Closest, KnowsTheSpecialCases) {
  const auto length = [](const Triple<double>& v) { return vec(v).norm(); };
  const Triple<double> o{}, x{1, 0, 0}, y{0, 1, 0};
  // Parallel, collinear, degenerate.
  EXPECT_EQ(length(from_segment_to_segment<double>({o, x}, {y, x + y})), 1);
  EXPECT_EQ(length(from_segment_to_segment<double>({o, x}, {3.0 * x, 4.0 * x})), 2);
  EXPECT_EQ(length(from_segment_to_segment<double>({o, o}, {y, y})), 1);
  EXPECT_EQ(length(from_segment_to_segment<double>({o, x + y}, {x, y})), 0);
  EXPECT_EQ(length(from_point_to_triangle<double>({0.25, 0.25, -3}, {o, x, y})), 3);
  EXPECT_EQ(length(from_point_to_triangle<double>({0.25, 3, 0}, {o, x, 2.0 * x})), 3);
}
