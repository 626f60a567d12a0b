// Remembered witnesses: right at every step, and nearly always enough.

#include "narrow/witness.h"

#include "support/models.h"
#include "support/tumbling.h"

using namespace abut;
using namespace abut::geometry;
using namespace abut::test;

namespace {

/// 10 s in steps of 1 ms; returns what was counted.
narrow::PairStatistics follow(const Tumbling& bodies) {
  narrow::Witness witness;
  narrow::PairStatistics statistics;
  for (int i = 0; i <= 10000; ++i) {
    const RelativePose pose = bodies.at(1e-3 * i);
    const ConvexDistance found = witness.distance(bodies.a, bodies.b, pose, statistics);
    ConvexSearch search;
    const ConvexDistance fresh = convex_distance(bodies.a, bodies.b, pose, search);
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.gap, fresh.gap, 1e-12) << "at step " << i;
    if (std::abs(found.gap - fresh.gap) > 1e-12) break;
  }
  return statistics;
}

}  // namespace

TEST(Witness, HoldsForMoreThan95PercentOfTheStepsOfTumblingBodies) {
  const narrow::PairStatistics counted = follow(tumbling_pair(2.005, 0.02));
  EXPECT_EQ(counted.witness_hits + counted.witness_misses, 10001);
  EXPECT_GT(counted.witness_hits, 9500);
  EXPECT_LE(counted.gjk_calls, counted.witness_misses);
}

TEST(Witness, FollowsBodiesThatOverlapAndPart) {
  const narrow::PairStatistics counted = follow(tumbling_pair(1.97, 0.03));
  EXPECT_EQ(counted.witness_hits + counted.witness_misses, 10001);
  EXPECT_GT(counted.witness_hits, 9000);
}

TEST(Witness, LowerBoundIsNeverAboveTheGap) {
  const Tumbling bodies = tumbling_pair(2.0, 0.5);
  narrow::Witness witness;
  narrow::PairStatistics statistics;
  EXPECT_FALSE(witness.lower_bound(bodies.a, bodies.b, bodies.at(0)).has_value());
  witness.distance(bodies.a, bodies.b, bodies.at(0), statistics);
  for (int i = 1; i < 1000; ++i) {
    const RelativePose pose = bodies.at(1e-2 * i);
    const auto bound = witness.lower_bound(bodies.a, bodies.b, pose);
    ASSERT_TRUE(bound.has_value());
    ConvexSearch search;
    ASSERT_LE(*bound, convex_distance(bodies.a, bodies.b, pose, search).gap + 1e-14);
    if (i % 10 == 0) witness.distance(bodies.a, bodies.b, pose, statistics);
  }
}
