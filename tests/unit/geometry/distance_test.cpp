#include <gtest/gtest.h>

#include "geometry/distance_point.h"
#include "geometry/distance_segment.h"
#include "geometry/distance_triangle.h"
#include "support/models.h"
#include "support/seeds.h"
#include "support/simplex_pairs.h"

using namespace abut;
using namespace abut::geometry;
using namespace abut::test;

namespace {

/// Relative to the largest coordinate: a few dozen roundings.
constexpr double accuracy = 1e-14;
/// The direction between closest points is known to the square root of rounding only, since the
/// distance has a minimum there. So is the lower bound it proves.
constexpr double proof_accuracy = 1e-7;
/// Distances below this fraction of the largest coordinate have a direction made of rounding
/// errors, and prove nothing.
constexpr double no_direction = 1e-13;

using Points = std::vector<Vec3>;
Points corners(const Triangle& t, int count) {
  return {t.begin(), t.begin() + count};
}

/// The closest points lie on their features and at the distance returned, and nothing is closer.
void prove(const PairDistance& d, const Points& a, const Points& b, double scale) {
  const Vec3 &p = d.on_first.point, &q = d.on_second.point;
  ASSERT_NEAR(d.distance, (p - q).norm(), accuracy * scale);
  ASSERT_LE(distance_from_feature(d.on_first, a), accuracy * scale);
  ASSERT_LE(distance_from_feature(d.on_second, b), accuracy * scale);
  if (d.distance <= no_direction * scale) return;
  ASSERT_LE(optimality_gap(a, b, p, q), scale * (proof_accuracy + 0x1p-48 * scale / d.distance));
}

PairDistance as_pair(const Vec3& point, const PointDistance& d) {
  return {d.distance, {point, SimplexFeature::vertex, 0}, d.closest};
}

}  // namespace

TEST(Distance, PointAndSegmentInClosedForm) {
  const Segment s{Vec3(0, 0, 0), Vec3(4, 0, 0)};
  const auto beside = distance_point_segment({1, 3, 4}, s);
  EXPECT_DOUBLE_EQ(beside.distance, 5);
  EXPECT_EQ(beside.closest.feature, SimplexFeature::edge);
  EXPECT_EQ(beside.closest.point, Vec3(1, 0, 0));
  const auto beyond = distance_point_segment({7, 4, 0}, s);
  EXPECT_DOUBLE_EQ(beyond.distance, 5);
  EXPECT_EQ(beyond.closest.feature, SimplexFeature::vertex);
  EXPECT_EQ(beyond.closest.index, 1);
  const auto dot = distance_point_segment({1, 2, 2}, {Vec3(0, 0, 0), Vec3(0, 0, 0)});
  EXPECT_DOUBLE_EQ(dot.distance, 3);
  EXPECT_EQ(dot.closest.feature, SimplexFeature::vertex);
}

TEST(Distance, PointAndTriangleInClosedForm) {
  const Triangle t{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  const auto above = distance_point_triangle({1, 1, -2}, t);
  EXPECT_DOUBLE_EQ(above.distance, 2);
  EXPECT_EQ(above.closest.feature, SimplexFeature::interior);
  const auto side = distance_point_triangle({3, 3, 0}, t);  // half the diagonal of a unit square
  EXPECT_DOUBLE_EQ(side.distance, std::sqrt(2.0));
  EXPECT_EQ(side.closest.feature, SimplexFeature::edge);
  EXPECT_EQ(side.closest.index, 1);
  const auto corner = distance_point_triangle({-3, 8, 0}, t);
  EXPECT_DOUBLE_EQ(corner.distance, 5);
  EXPECT_EQ(corner.closest.feature, SimplexFeature::vertex);
  EXPECT_EQ(corner.closest.index, 2);
}

TEST(Distance, PointAndNonConvexPolygon) {
  // An L of two 4 x 1 and 1 x 3 rectangles.
  const std::vector<Vec3> l{{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 4, 0}, {0, 4, 0}};
  const auto over = distance_point_polygon({0.5, 3, 2}, l);
  EXPECT_DOUBLE_EQ(over.distance, 2);
  EXPECT_EQ(over.closest.feature, SimplexFeature::interior);
  const auto notch = distance_point_polygon({3, 3, 0}, l);  // in the notch: 2 from either leg
  EXPECT_DOUBLE_EQ(notch.distance, 2);
  EXPECT_EQ(notch.closest.feature, SimplexFeature::edge);
  const auto corner = distance_point_polygon({4 + 2, 1 + 2, 1}, l);
  EXPECT_DOUBLE_EQ(corner.distance, 3);
  EXPECT_EQ(corner.closest.feature, SimplexFeature::vertex);
  EXPECT_EQ(corner.closest.index, 2);
  const std::vector<Vec3> line{{0, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  EXPECT_DOUBLE_EQ(distance_point_polygon({1, 1, 0}, line).distance, 1);
  EXPECT_DOUBLE_EQ(distance_point_polygon({3, 0, 0}, std::vector<Vec3>{{0, 4, 0}}).distance, 5);
}

TEST(Distance, PolygonIsTheUnionOfItsTriangles) {
  // Stars about the origin in random planes: the fan from the origin covers them exactly.
  std::mt19937_64 random(abut::test::seed(3));
  std::uniform_real_distribution<double> real(-1, 1);
  for (int i = 0; i < cases(2000); ++i) {
    const Quat turn = Quat(real(random), real(random), real(random), real(random)).normalized();
    std::vector<Vec3> star;
    for (int k = 0; k < 9; ++k) {
      const double angle = 2 * M_PI * k / 9, radius = 1.2 + real(random);
      star.push_back(turn * Vec3(radius * std::cos(angle), radius * std::sin(angle), 0));
    }
    const Vec3 point = 2 * Vec3(real(random), real(random), real(random));
    double expected = 1e9;
    for (std::size_t k = 0; k < 9; ++k) {
      const Triangle part{Vec3(0, 0, 0), star[k], star[(k + 1) % 9]};
      expected = std::min(expected, distance_point_triangle(point, part).distance);
    }
    ASSERT_NEAR(distance_point_polygon(point, star).distance, expected, 1e-14);
  }
}

TEST(Distance, SegmentsInClosedForm) {
  const Segment x{Vec3(-1, 0, 0), Vec3(1, 0, 0)};
  const auto crossing = distance_segment_segment(x, {Vec3(0.5, -1, 2), Vec3(0.5, 1, 2)});
  EXPECT_DOUBLE_EQ(crossing.distance, 2);
  EXPECT_EQ(crossing.on_first.feature, SimplexFeature::edge);
  EXPECT_EQ(crossing.on_second.feature, SimplexFeature::edge);
  EXPECT_DOUBLE_EQ(distance_segment_segment(x, {Vec3(0, 3, 4), Vec3(9, 3, 4)}).distance, 5);
  EXPECT_DOUBLE_EQ(distance_segment_segment(x, {Vec3(3, 0, 0), Vec3(9, 0, 0)}).distance, 2);
  EXPECT_EQ(distance_segment_segment(x, {Vec3(0, 0, 0), Vec3(9, 0, 0)}).distance, 0);
  EXPECT_EQ(distance_segment_segment(x, x).distance, 0);
}

TEST(Distance, CrossingTrianglesAreAtDistanceZero) {
  const Triangle floor{Vec3(-3, -3, 0), Vec3(3, -3, 0), Vec3(0, 4, 0)};
  const Triangle spike{Vec3(-1, 0, 2), Vec3(1, 0, 2), Vec3(0, 0, -1)};
  const auto d = distance_triangle_triangle(floor, spike);
  EXPECT_EQ(d.distance, 0);
  EXPECT_EQ(d.on_first.feature, SimplexFeature::interior);
  EXPECT_EQ(d.on_second.feature, SimplexFeature::edge);
  EXPECT_NEAR(d.on_first.point.z(), 0, 1e-15);
}

TEST(Distance, NothingIsCloserThanWhatIsReturned) {
  TrianglePairs source(abut::test::seed(11, abut::test::few_rounds));
  for (int i = 0; i < cases(20'000) && !HasFatalFailure(); ++i) {
    const TrianglePair pair = source.next();
    const Triangle &s = pair.first, &t = pair.second;
    SCOPED_TRACE(i);
    prove(as_pair(s[0], distance_point_segment(s[0], {t[0], t[1]})), corners(s, 1), corners(t, 2),
          pair.scale);
    prove(as_pair(s[0], distance_point_triangle(s[0], t)), corners(s, 1), corners(t, 3),
          pair.scale);
    prove(distance_segment_segment({s[0], s[1]}, {t[0], t[1]}), corners(s, 2), corners(t, 2),
          pair.scale);
    prove(distance_segment_triangle({s[0], s[1]}, t), corners(s, 2), corners(t, 3), pair.scale);
    prove(distance_triangle_triangle(s, t), corners(s, 3), corners(t, 3), pair.scale);
  }
}

TEST(Distance, AgreesWithTheEnumerationOfAllFeatures) {
  TrianglePairs source(abut::test::seed(14));
  for (int i = 0; i < cases(1000); ++i) {
    const TrianglePair pair = source.next();
    const Triangle &s = pair.first, &t = pair.second;
    SCOPED_TRACE(i);
    const double tolerance = accuracy * pair.scale;
    ASSERT_NEAR(distance_point_triangle(s[0], t).distance,
                distance_by_enumeration(corners(s, 1), corners(t, 3)), tolerance);
    ASSERT_NEAR(distance_segment_segment({s[0], s[1]}, {t[0], t[1]}).distance,
                distance_by_enumeration(corners(s, 2), corners(t, 2)), tolerance);
    ASSERT_NEAR(distance_segment_triangle({s[0], s[1]}, t).distance,
                distance_by_enumeration(corners(s, 2), corners(t, 3)), tolerance);
    ASSERT_NEAR(distance_triangle_triangle(s, t).distance,
                distance_by_enumeration(corners(s, 3), corners(t, 3)), tolerance);
  }
}

TEST(Distance, IsSymmetricAndTheSameAfterARigidMotion) {
  TrianglePairs source(abut::test::seed(12));
  std::mt19937_64 random(abut::test::seed(13));
  std::uniform_real_distribution<double> real(-1, 1);
  for (int i = 0; i < cases(5000); ++i) {
    const TrianglePair pair = source.next();
    const double distance = distance_triangle_triangle(pair.first, pair.second).distance;
    ASSERT_NEAR(distance_triangle_triangle(pair.second, pair.first).distance, distance,
                accuracy * pair.scale);
    const Quat turn = Quat(real(random), real(random), real(random), real(random)).normalized();
    const Vec3 shift = pair.scale * Vec3(real(random), real(random), real(random));
    TrianglePair moved = pair;
    for (Triangle* t : {&moved.first, &moved.second}) {
      for (Vec3& x : *t) x = turn * x + shift;
    }
    ASSERT_NEAR(distance_triangle_triangle(moved.first, moved.second).distance, distance,
                accuracy * pair.scale);
  }
}
