// Remembered witnesses: right at every step, and nearly always enough.

#include "narrow/witness.h"

#include "support/models.h"
#include "support/tumbling.h"

using namespace abut;
using namespace abut::geometry;
using namespace abut::test;

namespace {

/// Returns what was counted.
narrow::PairStatistics follow(const Tumbling& bodies, const std::vector<RelativePose>& poses) {
  narrow::Witness witness;
  narrow::PairStatistics statistics;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const RelativePose& pose = poses[i];
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

TEST(Witness, HoldsForMoreThan95PercentOfTheStepsOfTumblingBodiesNearContact) {
  const Tumbling bodies = tumbling_pair(0, 0);
  const narrow::PairStatistics counted = follow(bodies, near_contact(bodies));
  EXPECT_EQ(counted.witness_hits + counted.witness_misses, 10001);
  EXPECT_GT(counted.witness_hits, 9500);
  EXPECT_LE(counted.gjk_calls, counted.witness_misses);
}

TEST(Witness, FollowsBodiesThatOverlapAndPart) {
  const Tumbling bodies = tumbling_pair(1.97, 0.03);
  std::vector<RelativePose> poses;
  for (int i = 0; i <= 10000; ++i) poses.push_back(bodies.at(1e-3 * i));
  const narrow::PairStatistics counted = follow(bodies, poses);
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
