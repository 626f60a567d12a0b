// The law of Moore and Wilhelms: its two cases as in the paper, and energy that never grows.

#include "impulse/moore_wilhelms.h"

#include <gtest/gtest.h>

#include "support/point_impacts.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::impulse {
namespace {

using test::RandomImpacts;

PointImpact sphere(double slip, double mu, double e) {
  PointImpact impact;
  impact.matrix = Vec3(1, 3.5, 3.5).asDiagonal();
  impact.before << -2, 0.6 * slip, 0.8 * slip;
  impact.static_friction = impact.dynamic_friction = mu;
  impact.restitution = e;
  return impact;
}

TEST(MooreWilhelms, ASphereThatSticksRolls) {
  for (const double e : {0.0, 0.5}) {
    const PointImpactResult result = moore_wilhelms(sphere(1, 0.5, e));
    const Vec3 stop(2, -0.6 / 3.5, -0.8 / 3.5);
    EXPECT_LT((result.impulse - (1 + e) * stop).norm(), 1e-14);
    EXPECT_EQ(result.phases.front().slip, Slip::sticks);
  }
}

TEST(MooreWilhelms, ASphereThatSlidesHasTheRatioOfFriction) {
  for (const double e : {0.0, 0.5}) {
    const PointImpactResult result = moore_wilhelms(sphere(30, 0.5, e));
    const Vec3 stop = 2 * Vec3(1, -0.3, -0.4);
    EXPECT_LT((result.impulse - (1 + e) * stop).norm(), 1e-14);
    EXPECT_EQ(result.phases.front().slip, Slip::slides);
    EXPECT_NEAR(result.after[0], 2 * e, 1e-14);
  }
}

// The equations of the paper, solved as they stand: R.i = alpha R.k, R.j = beta R.k, no normal
// velocity after.
TEST(MooreWilhelms, SolvesThePapersEquations) {
  RandomImpacts random(test::seed(1));
  int slides = 0;
  const int rounds = test::cases(300);
  for (int round = 0; round < rounds; ++round) {
    const PointImpact impact = random.impact(0.5);
    Vec3 expected = -impact.matrix.inverse() * impact.before;
    if (expected.tail<2>().norm() > impact.static_friction * expected[0]) {
      ++slides;
      const Eigen::Vector2d ratio = impact.dynamic_friction * expected.tail<2>().normalized();
      Mat3 conditions;
      conditions << impact.matrix.row(0), -ratio.x(), 1, 0, -ratio.y(), 0, 1;
      expected = conditions.inverse() * Vec3(-impact.before[0], 0, 0);
    }
    expected *= 1 + impact.restitution;
    EXPECT_LT((moore_wilhelms(impact).impulse - expected).norm(), 1e-10 * expected.norm());
  }
  EXPECT_GT(slides, rounds / 10);
}

void expect_laws(const PointImpact& impact) {
  const PointImpactResult result = moore_wilhelms(impact);
  ASSERT_EQ(result.status, lcp::Status::solved);
  const double rounding = impact.matrix.norm() * result.impulse.norm() + impact.before.norm();
  EXPECT_NEAR(result.after[0], -impact.restitution * impact.before[0], 1e-11 * rounding);
  EXPECT_GT(result.impulse[0], 0);
  EXPECT_LE(result.impulse.tail<2>().norm(),
            impact.static_friction * result.impulse[0] * (1 + 1e-12));
  const double gain = 0.5 * result.impulse.dot(impact.before + result.after);
  EXPECT_LE(gain, 1e-13 * rounding * result.impulse.norm());
  EXPECT_EQ(result.energy_lost, std::max(0.0, -gain));
}

TEST(MooreWilhelms, KeepsTheLawsForWhateverMeets) {
  RandomImpacts random(test::seed(2));
  for (int round = 0; round < test::cases(3000); ++round) {
    SCOPED_TRACE(round);
    PointImpact impact = random.impact(random.number(0, 2));
    impact.before.tail<2>() *= std::pow(10, random.number(-14, 2));
    if (round % 3 == 0) impact.restitution = 1;
    expect_laws(impact);
  }
}

// A matrix in which slip with this friction would jam: then the law has it stick.
TEST(MooreWilhelms, SticksWhereSlipWouldJam) {
  PointImpact impact;
  impact.matrix << 1, 2, 0, 2, 5, 0, 0, 0, 1;
  impact.static_friction = impact.dynamic_friction = 0.8;
  for (const double slip : {0.01, 0.3, 3.0}) {
    impact.before << -0.1, slip, 0;
    expect_laws(impact);
    EXPECT_EQ(moore_wilhelms(impact).phases.front().slip, Slip::sticks);
  }
}

TEST(MooreWilhelms, WithoutFrictionItIsNewtonsLaw) {
  RandomImpacts random(test::seed(3));
  for (int round = 0; round < test::cases(100); ++round) {
    PointImpact impact = random.impact();
    impact.static_friction = impact.dynamic_friction = 0;
    const double p = -(1 + impact.restitution) * impact.before[0] / impact.matrix(0, 0);
    EXPECT_LT((moore_wilhelms(impact).impulse - Vec3(p, 0, 0)).norm(), 1e-14 * p);
  }
}

TEST(MooreWilhelms, DirectionsWithoutMotion) {
  PointImpact impact;
  impact.matrix = Vec3(2, 0, 0).asDiagonal();
  impact.before << -3, 0, 0;
  impact.static_friction = impact.dynamic_friction = 0.5;
  impact.restitution = 0.5;
  EXPECT_LT((moore_wilhelms(impact).impulse - Vec3(2.25, 0, 0)).norm(), 1e-15);
  // On a conveyor it slips against the motion that nothing stops.
  impact.before << -3, 0.4, 0.3;
  EXPECT_LT((moore_wilhelms(impact).impulse - 2.25 * Vec3(1, -0.4, -0.3)).norm(), 1e-15);
  expect_laws(impact);
  impact.matrix(0, 0) = 0;
  EXPECT_EQ(moore_wilhelms(impact).status, lcp::Status::no_solution);
  impact.before[0] = 1;
  EXPECT_EQ(moore_wilhelms(impact).impulse, Vec3::Zero());
}

}  // namespace
}  // namespace abut::impulse
