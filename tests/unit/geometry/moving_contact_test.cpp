#include "geometry/moving_contact.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>

#include "geometry/moving_polygon.h"
#include "support/exact_moving_contact.h"
#include "support/models.h"
#include "support/moving_cases.h"
#include "support/public_queries.h"

using namespace abut;
using namespace abut::geometry;
using namespace abut::test;

namespace {

MovingPoint resting(const Vec3& x) {
  return {x, x};
}
const std::array<MovingPoint, 3> floor_triangle{resting({0, 0, 0}), resting({4, 0, 0}),
                                                resting({0, 4, 0})};

/// What any answer must satisfy, given the true one. Returns whether the answer is a needless hit.
bool needless(const MovingContact& answer, const std::optional<ExactContact>& truth) {
  EXPECT_TRUE(answer.hit || !truth) << "missed at " << truth->lower;
  if (!answer.hit) {
    EXPECT_TRUE(std::isinf(answer.earliest));
    return false;
  }
  EXPECT_TRUE(truth || answer.undecided) << "a proven hit that is none";
  EXPECT_GE(answer.earliest, 0);
  EXPECT_LE(answer.earliest, answer.latest);
  EXPECT_LE(answer.latest, 1);
  if (truth) {
    EXPECT_LE(answer.earliest, truth->upper);
    EXPECT_GE(answer.latest, truth->lower);
  }
  return !truth;
}

MovingContact answer_for(const FourPoints& p, bool edges) {
  return edges ? edge_meets_edge({p[0], p[1]}, {p[2], p[3]})
               : point_meets_triangle(p[0], {p[1], p[2], p[3]});
}
std::optional<ExactContact> truth_for(const FourPoints& p, bool edges) {
  return edges ? exact_edge_meets_edge({p[0], p[1]}, {p[2], p[3]})
               : exact_point_meets_triangle(p[0], {p[1], p[2], p[3]});
}

void compare_with_twin(bool edges, std::uint64_t seed) {
  MovingCases source(seed);
  int hits = 0, needless_hits = 0, at_limit = 0;
  // A full run tries a million cases, half of each kind.
  const int count = test::large(test::full_size() ? 500'000 : 10'000);
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    const FourPoints points = edges ? source.edge_edge() : source.point_triangle();
    const MovingContact answer = answer_for(points, edges);
    const auto truth = truth_for(points, edges);
    hits += truth ? 1 : 0;
    needless_hits += needless(answer, truth) ? 1 : 0;
    at_limit += answer.intervals >= moving_contact_interval_limit ? 1 : 0;
    EXPECT_FALSE(testing::Test::HasFailure()) << "case " << i;
  }
  std::cout << count << " cases, " << hits << " hits, " << needless_hits << " needless, "
            << at_limit << " at the limit of work\n";
  EXPECT_GT(hits, count / 10);  // the cases are worth the name
  EXPECT_LT(hits, count * 9 / 10);
  EXPECT_LT(needless_hits,
            count / 20);  // misses by one unit in the last place are meant to be many
}

}  // namespace

TEST(MovingContact, PointFallsThroughATriangle) {
  const auto r = point_meets_triangle({{1, 1, 3}, {1, 1, -1}}, floor_triangle);
  EXPECT_TRUE(r.hit);
  EXPECT_FALSE(r.undecided);
  EXPECT_NEAR(r.earliest, 0.75, contact_time_tolerance);
  EXPECT_LE(r.earliest, 0.75);
  EXPECT_GE(r.latest, 0.75);
}

TEST(MovingContact, PointFallsPastATriangle) {
  EXPECT_FALSE(point_meets_triangle({{2.001, 2, 3}, {2.001, 2, -1}}, floor_triangle).hit);
  EXPECT_FALSE(point_meets_triangle({{-1e-9, 1, 3}, {-1e-9, 1, -1}}, floor_triangle).hit);
  EXPECT_FALSE(point_meets_triangle({{1, 1, 3}, {1, 1, 1e-12}}, floor_triangle).hit);
}

TEST(MovingContact, TheFirstOfTwoPassagesCounts) {
  // The plane z = x s(t) tilts from s = -1 to 1 about the y axis; the point moves along x with
  // z = 3/2: contact where (8 t - 2)(2 t - 1) = 3/2, the zeros of 16 t^2 - 12 t + 1/2.
  const auto corner = [](double x, double y) { return MovingPoint{{x, y, -x}, {x, y, x}}; };
  const std::array<MovingPoint, 3> tilting{corner(-20, -20), corner(20, -20), corner(0, 40)};
  const auto r = point_meets_triangle({{-2, 0, 1.5}, {6, 0, 1.5}}, tilting);
  const double expected = (12 - std::sqrt(144.0 - 32)) / 32;
  EXPECT_TRUE(r.hit);
  EXPECT_FALSE(r.undecided);
  EXPECT_NEAR(r.earliest, expected, 2 * contact_time_tolerance);
}

TEST(MovingContact, ATouchThatDoesNotLeadThroughIsAHit) {
  const auto corner = [](double x, double y) { return MovingPoint{{x, y, -x}, {x, y, x}}; };
  const std::array<MovingPoint, 3> tilting{corner(-3, -3), corner(3, -3), corner(0, 3)};
  const auto touch = point_meets_triangle({{-1, 0, 0}, {1, 0, 0}}, tilting);
  EXPECT_TRUE(touch.hit);
  EXPECT_LE(touch.earliest, 0.5);
  EXPECT_NEAR(touch.earliest, 0.5, 1e-6);  // near a double zero, time is known to sqrt(rounding)
  // Just below the tilting plane (which has z = (2 t - 1)^2 there) it never arrives.
  EXPECT_FALSE(point_meets_triangle({{-1, 0, -1e-12}, {1, 0, -1e-12}}, tilting).hit);
}

TEST(MovingContact, EdgesCross) {
  const std::array<MovingPoint, 2> still{resting({-1, 0, 0}), resting({1, 0, 0})};
  const auto falling = [](double x) {
    return std::array<MovingPoint, 2>{MovingPoint{{x, -1, 1}, {x, -1, -3}},
                                      MovingPoint{{x, 1, 1}, {x, 1, -3}}};
  };
  const auto r = edge_meets_edge(still, falling(0.5));
  EXPECT_TRUE(r.hit);
  EXPECT_FALSE(r.undecided);
  EXPECT_NEAR(r.earliest, 0.25, contact_time_tolerance);
  EXPECT_TRUE(edge_meets_edge(still, falling(1)).hit);  // at its end
  EXPECT_FALSE(edge_meets_edge(still, falling(1 + 1e-12)).hit);
}

TEST(MovingContact, CollinearEdgesMeetEndToEnd) {
  const std::array<MovingPoint, 2> still{resting({0, 0, 0}), resting({1, 1, 1})};
  const auto sliding = [](double to) {
    return std::array<MovingPoint, 2>{MovingPoint{{3, 3, 3}, {to, to, to}},
                                      MovingPoint{{4, 4, 4}, {to + 1, to + 1, to + 1}}};
  };
  const auto r = edge_meets_edge(still, sliding(-1));  // 3 - 4 t = 1
  EXPECT_TRUE(r.hit);
  EXPECT_NEAR(r.earliest, 0.5, 1e-12);
  EXPECT_FALSE(edge_meets_edge(still, sliding(1.001)).hit);
}

TEST(MovingContact, ADegenerateTriangleIsASegmentOrAPoint) {
  const std::array<MovingPoint, 3> segment{resting({0, 0, 0}), resting({2, 0, 0}),
                                           resting({1, 0, 0})};
  EXPECT_TRUE(point_meets_triangle({{1.5, 0, 1}, {1.5, 0, -1}}, segment).hit);
  EXPECT_FALSE(point_meets_triangle({{1.5, 1e-9, 1}, {1.5, 1e-9, -1}}, segment).hit);
  const std::array<MovingPoint, 3> dot{resting({1, 2, 3}), resting({1, 2, 3}), resting({1, 2, 3})};
  EXPECT_TRUE(point_meets_triangle({{0, 2, 3}, {2, 2, 3}}, dot).hit);
  EXPECT_FALSE(point_meets_triangle({{0, 2, 3}, {0.9999, 2, 3}}, dot).hit);
  const auto all = point_meets_triangle(resting({1, 2, 3}), dot);
  EXPECT_TRUE(all.hit);
  EXPECT_FALSE(all.undecided);
  EXPECT_EQ(all.latest, 0);
}

TEST(MovingContact, WhatIsNotFiniteIsAnUndecidedHit) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto r = point_meets_triangle({{1, 1, bad}, {1, 1, -1}}, floor_triangle);
    EXPECT_TRUE(r.hit);
    EXPECT_TRUE(r.undecided);
    EXPECT_EQ(r.earliest, 0);
  }
}

TEST(MovingContact, NoMissOfPointAndTriangleAgainstTheExactTwin) {
  compare_with_twin(false, 20);
}
TEST(MovingContact, NoMissOfTwoEdgesAgainstTheExactTwin) {
  compare_with_twin(true, 21);
}

TEST(MovingContact, NoMissOnPublicQueries) {
  const auto queries = public_queries(ABUT_TEST_DATA_DIR "/../../../shared/data/ccd-queries");
  if (queries.empty()) GTEST_SKIP() << "the public queries do not lie next to the checkout";
  int misses = 0, needless_hits = 0, apart = 0;
  const auto start = std::chrono::steady_clock::now();
  for (const PublicQuery& query : queries) {
    const bool hit = answer(query).hit;
    misses += query.hit && !hit ? 1 : 0;
    needless_hits += !query.hit && hit ? 1 : 0;
    apart += query.hit ? 0 : 1;
  }
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  std::cout << queries.size() << " queries, " << misses << " misses, " << needless_hits
            << " needless hits, " << elapsed.count() / static_cast<double>(queries.size())
            << " ns per query\n";
  EXPECT_EQ(misses, 0);
  EXPECT_LT(needless_hits, 0.02 * apart);
}

TEST(MovingContact, TheExactTwinAgreesWithPublicQueries) {
  const auto queries = public_queries(ABUT_TEST_DATA_DIR "/../../../shared/data/ccd-queries");
  if (queries.empty()) GTEST_SKIP() << "the public queries do not lie next to the checkout";
  for (const PublicQuery& query : queries) {
    ASSERT_TRUE(query.representable);
    EXPECT_EQ(truth_for(query.points, query.is_edge_edge).has_value(), query.hit);
  }
}
