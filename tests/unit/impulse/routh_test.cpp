// Routh's impacts: closed forms of every planar case, a second integration in three dimensions, and
// laws that hold for whatever meets.

#include "impulse/routh.h"

#include <gtest/gtest.h>

#include "support/point_impacts.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/impulse/isotropic_curve.h"

namespace abut::impulse {
namespace {

using test::RandomImpacts;

/// An impact in the plane of the normal and the first tangent.
struct Planar {
  double w, c, t;  ///< collision matrix
  double mu_static, mu;
  double u, v;  ///< normal velocity and signed slip
};

Mat3 turned_about_normal(double angle) {
  return Eigen::AngleAxisd(angle, Vec3::UnitX()).toRotationMatrix();
}

/// In tangents that are turned by an angle.
PointImpact posed(const Planar& planar, double e, double angle) {
  PointImpact impact;
  impact.matrix << planar.w, planar.c, 0, planar.c, planar.t, 0, 0, 0, 1.7;
  impact.before << planar.u, planar.v, 0;
  const Mat3 turn = turned_about_normal(angle);
  impact.matrix = turn * impact.matrix * turn.transpose();
  impact.before = turn * impact.before;
  impact.static_friction = planar.mu_static;
  impact.dynamic_friction = planar.mu;
  impact.restitution = e;
  return impact;
}

/// Normal impulses of an impact whose normal rate is k1 up to the impulse p1 and k2 beyond.
struct TwoLegs {
  double first = 0, second = 0;

  TwoLegs(double u, double e, double k1, double p1, double k2) {
    if (u + k1 * p1 < 0) {  // the change is in compression
      const double u1 = u + k1 * p1, end = -u1 / k2;
      const double compression = 0.5 * (u + u1) * p1 + 0.5 * u1 * end;
      first = p1;
      second = end + e * std::sqrt(-2 * compression / k2);
    } else if (const double whole = -u / k1 * (1 + e); whole <= p1) {  // there is none
      first = whole;
    } else {  // in restitution
      const double u1 = u + k1 * p1;
      const double due = e * e * u * u / (2 * k1) - u1 * u1 / (2 * k1);
      first = p1;
      second = due > 0 ? (std::sqrt(u1 * u1 + 2 * k2 * due) - u1) / k2 : 0;
    }
  }
};

/// Expects the impulse whose tangential ratio is q1 for the first leg, q2 for the second.
void expect_impulse(const Planar& planar, double k1, double p1, double q1, double k2, double q2,
                    const std::vector<Slip>& slips) {
  for (const double e : {0.0, 0.5, 1.0})
    for (const double angle : {0.0, 0.4, 2.9, -1.3}) {
      SCOPED_TRACE(testing::Message() << "e " << e << ", angle " << angle);
      const PointImpactResult result = routh(posed(planar, e, angle));
      ASSERT_EQ(result.status, lcp::Status::solved);
      const TwoLegs legs(planar.u, e, k1, p1, k2);
      const Vec3 expected(legs.first + legs.second, q1 * legs.first + q2 * legs.second, 0);
      const Vec3 found = turned_about_normal(-angle) * result.impulse;
      EXPECT_LT((found - expected).norm(), 1e-13 * expected.norm());
      EXPECT_NEAR(result.restitution_work, -e * e * result.compression_work,
                  1e-14 * -result.compression_work);
      std::vector<Slip> seen;
      for (const ImpactPhase& phase : result.phases)
        if (seen.empty() || seen.back() != phase.slip) seen.push_back(phase.slip);
      const auto count = static_cast<std::ptrdiff_t>(legs.second > 0 ? slips.size() : 1);
      EXPECT_EQ(seen, std::vector<Slip>(slips.begin(), slips.begin() + count));
    }
}

/// Slip from v to its end, then something else.
void expect_slip_and(const Planar& x, double k2, double q2, Slip then) {
  const double s = x.v > 0 ? 1 : -1, rate = x.c * s - x.mu * x.t;
  const double stop = rate < 0 ? std::abs(x.v) / -rate : 1e300;
  expect_impulse(x, x.w - x.mu * x.c * s, stop, -x.mu * s, k2, q2, {Slip::slides, then});
}
void expect_slip_then_stick(const Planar& x) {
  expect_slip_and(x, x.w - x.c * x.c / x.t, -x.c / x.t, Slip::sticks);
}
void expect_slip_then_reversal(const Planar& x) {
  const double s = x.v > 0 ? -1 : 1;
  expect_slip_and(x, x.w - x.mu * x.c * s, -x.mu * s, Slip::slides_anew);
}

TEST(RouthPlanar, SlipsThroughout) {
  expect_slip_then_stick({1, 0, 3.5, 0.3, 0.3, -1, 5});
  expect_slip_then_stick({1.2, 0.4, 3.5, 0.3, 0.2, -1, -5});
  expect_slip_then_stick({1.2, 0.4, 3.5, 0.3, 0.1, -2, 3});  // and slip grows
}

TEST(RouthPlanar, SlipsAndThenSticksInCompression) {
  expect_slip_then_stick({1, 0, 3.5, 0.5, 0.5, -1, 0.2});
  expect_slip_then_stick({1.5, -0.8, 3, 0.5, 0.4, -1, 0.3});
}

TEST(RouthPlanar, SlipsAndThenSticksInRestitution) {
  expect_slip_then_stick({1, 0, 3.5, 0.5, 0.5, -1, 1.75 * 1.3});
  expect_slip_then_stick({1.5, 0.8, 3, 0.5, 0.4, -1, 0.4 * 1.2});
}

TEST(RouthPlanar, SlipsAndThenReversesInCompression) {
  expect_slip_then_reversal({1.5, 2, 3.5, 0.3, 0.3, -1, -0.2});
  expect_slip_then_reversal({1.5, -2, 3.5, 0.5, 0.3, -1, 0.2});
}

TEST(RouthPlanar, SlipsAndThenReversesInRestitution) {
  expect_slip_then_reversal({1.5, 2, 3.5, 0.3, 0.3, -1, -3.05 * 0.6});
  expect_slip_then_reversal({1.5, -2, 3.5, 0.5, 0.3, -1, 3.05 * 0.8});
}

TEST(RouthPlanar, SticksThroughout) {
  const double w = 1.5, c = 0.5, t = 3;
  expect_impulse({w, c, t, 0.5, 0.4, -1, 0}, w - c * c / t, 1e300, -c / t, 1, 0, {Slip::sticks});
}

TEST(RouthPlanar, SlipsFromRest) {
  const double w = 1.5, c = -2, t = 3.5, mu = 0.3;
  expect_impulse({w, c, t, 0.5, mu, -1, 0}, w + mu * c, 1e300, mu, 1, 0, {Slip::slides_anew});
}

// Under slip alone the bodies would approach ever faster.
TEST(RouthPlanar, JamsAndThenSticks) {
  expect_slip_then_stick({1, 2, 5, 0.8, 0.8, -1, 1});
  expect_slip_then_stick({1, -2, 5, 0.9, 0.7, -0.1, -3});
}

// An impact without collision: friction brings them together.
TEST(RouthPlanar, JamsWithoutApproach) {
  expect_slip_then_stick({1, 2, 5, 0.8, 0.8, 0, 1});
  const PointImpactResult none = routh(posed({1, 2, 5, 0.8, 0.8, 0, -1}, 0.5, 0.3));
  EXPECT_EQ(none.impulse, Vec3::Zero());
  EXPECT_TRUE(none.phases.empty());
}

TEST(RouthPlanar, StaticFrictionDecidesWhereSlipStops) {
  const Planar sticks{1.5, -1.2, 3, 0.5, 0.3, -1, 0.2}, slips{1.5, -1.2, 3, 0.35, 0.3, -1, 0.2};
  expect_slip_then_stick(sticks);
  expect_slip_then_reversal(slips);
}

TEST(Routh, WithoutFrictionItIsNewtonsLaw) {
  RandomImpacts random(test::seed(1));
  for (int round = 0; round < test::cases(100); ++round) {
    PointImpact impact = random.impact();
    impact.static_friction = impact.dynamic_friction = 0;
    const PointImpactResult result = routh(impact);
    const double p = -(1 + impact.restitution) * impact.before[0] / impact.matrix(0, 0);
    EXPECT_LT((result.impulse - Vec3(p, 0, 0)).norm(), 1e-14 * p);
  }
}

TEST(Routh, BodiesThatPartExchangeNothing) {
  RandomImpacts random(test::seed(2));
  PointImpact impact = random.impact();
  impact.before[0] = 1e-9;
  EXPECT_EQ(routh(impact).impulse, Vec3::Zero());
  EXPECT_EQ(routh(impact).energy_lost, 0);
}

// In three dimensions the slip turns. The second integration is good to about 1e-9.
TEST(Routh, AgreesWithASecondIntegration) {
  RandomImpacts random(test::seed(3));
  int seen[4] = {}, compared = 0;
  const int rounds = test::cases(90);
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    PointImpact impact = random.impact(0.7);
    if (round % 10 == 0) impact.before.tail<2>().setZero();
    if (round % 10 == 1) impact.before.tail<2>() *= 1e-3;
    if (round % 3 == 0) impact.restitution = round % 2;
    const PointImpactResult result = routh(impact);
    const test::ReferenceImpact reference(impact, 0.005);
    if (!reference.finished()) continue;  // nearly balanced: it takes forever
    ++compared;
    EXPECT_LT((result.impulse - reference.impulse()).norm(), 1e-8 * result.impulse.norm());
    EXPECT_LT((result.after - reference.after()).norm(), 1e-8 * impact.before.norm());
    ++seen[static_cast<int>(result.phases.back().slip)];
  }
  EXPECT_GT(compared, rounds * 9 / 10);
  for (const Slip slip : {Slip::slides, Slip::sticks, Slip::slides_anew})
    EXPECT_GT(seen[static_cast<int>(slip)], rounds / 40);
}

TEST(Routh, FollowsTheCurveOfAnIsotropicPoint) {
  RandomImpacts random(test::seed(8));
  int stopped = 0;
  for (int round = 0; round < test::cases(200); ++round) {
    SCOPED_TRACE(round);
    const double c = random.number(0.2, 1), t = random.number(1, 4);
    const double w = c * c / t + random.number(0.3, 2), n = random.number(0.3, 3), mu = n * c / t;
    const Vec3 before(-random.number(0.1, 2), random.number(-1, 1), random.number(0.05, 1));
    const test::IsotropicCurve curve(w, c, t, mu, before);
    if (mu * c > w) continue;              // it may jam, and the normal speed is not monotonic
    if (std::abs(n - 1) < 0.05) continue;  // differences of large numbers
    PointImpact impact;
    impact.matrix << w, c, 0, c, t, 0, 0, 0, t;
    impact.before = before;
    impact.static_friction = impact.dynamic_friction = mu;
    for (const double e : {0.0, 0.5, 1.0}) {
      impact.restitution = e;
      const PointImpactResult result = routh(impact);
      const Vec3 expected = curve.whole(e);
      EXPECT_LT((result.impulse - expected).norm(), 5e-12 * expected.norm()) << e;
      if (result.phases.back().slip == Slip::sticks) ++stopped;
    }
  }
  EXPECT_GT(stopped, 20);
}

void expect_laws(const PointImpact& impact, const PointImpactResult& result) {
  ASSERT_EQ(result.status, lcp::Status::solved);
  const double e = impact.restitution;
  const double change = (impact.matrix * result.impulse).norm() + impact.before.norm();
  const double rounding = impact.matrix.norm() * result.impulse.norm() + change;
  EXPECT_GE(result.after[0], -1e-12 * rounding);
  EXPECT_LE(result.impulse.tail<2>().norm(),
            impact.static_friction * result.impulse[0] * (1 + 1e-12));
  EXPECT_LE(result.compression_work, 0);
  EXPECT_NEAR(result.restitution_work, -e * e * result.compression_work,
              1e-12 * -result.compression_work);
  EXPECT_GE(result.energy_lost, 0);
  EXPECT_NEAR(result.energy_lost, -0.5 * result.impulse.dot(impact.before + result.after),
              1e-12 * rounding * result.impulse.norm());
  double spent = 0;
  for (const ImpactPhase& phase : result.phases) spent += phase.normal_impulse;
  EXPECT_NEAR(spent, result.impulse[0], 1e-14 * spent);
}

// Matrices of condition up to 1e10, and slip from rounding to a thousand times the approach.
TEST(Routh, KeepsTheLawsForWhateverMeets) {
  RandomImpacts random(test::seed(4));
  for (int round = 0; round < test::cases(500); ++round) {
    SCOPED_TRACE(round);
    PointImpact impact = random.impact(random.number(0, 2.5));
    impact.before.tail<2>() *= std::pow(10, random.number(-14, 3));
    expect_laws(impact, routh(impact));
  }
}

TEST(Routh, DoesNotDependOnTheTangents) {
  RandomImpacts random(test::seed(5));
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    const PointImpact impact = random.impact(0.7);
    const Mat3 turn = turned_about_normal(random.number(-3, 3));
    PointImpact turned = impact;
    turned.matrix = turn * impact.matrix * turn.transpose();
    turned.before = turn * impact.before;
    const Vec3 expected = turn * routh(impact).impulse;
    EXPECT_LT((routh(turned).impulse - expected).norm(), 1e-10 * expected.norm());
  }
}

// Units are arbitrary: masses a thousand times as large, velocities a million times as small.
TEST(Routh, DoesNotDependOnUnits) {
  RandomImpacts random(test::seed(6));
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    const PointImpact impact = random.impact(0.7);
    PointImpact scaled = impact;
    scaled.matrix *= 1e-3;
    scaled.before *= 1e-6;
    const Vec3 expected = 1e-3 * routh(impact).impulse;
    EXPECT_LT((routh(scaled).impulse - expected).norm(), 1e-11 * expected.norm());
  }
}

// Slip may turn into a direction that jams while the bodies part; they approach once more.
TEST(Routh, CompressionMayResume) {
  PointImpact impact;
  // Slip across the coupling turns into it, because that is where the bodies yield less.
  impact.matrix << 1, 0.9, 0, 0.9, 1, 0, 0, 0, 4;
  impact.static_friction = impact.dynamic_friction = 1.2;
  impact.restitution = 1;
  int resumed = 0;
  for (int i = 0; i < 5; ++i) {
    impact.before << -0.45 - 0.03 * i, 0, 4;
    const PointImpactResult result = routh(impact);
    expect_laws(impact, result);
    const test::ReferenceImpact reference(impact, 0.01, 1000000);
    ASSERT_TRUE(reference.finished());
    EXPECT_LT((result.impulse - reference.impulse()).norm(), 1e-8 * result.impulse.norm()) << i;
    for (std::size_t k = 1; k < result.phases.size(); ++k)
      if (result.phases[k - 1].is_restitution && !result.phases[k].is_restitution) ++resumed;
  }
  EXPECT_GT(resumed, 1);
}

// A point that joints keep from moving sideways, or along one tangent.
TEST(Routh, ManagesWithoutTangentialMotion) {
  PointImpact impact;
  impact.matrix = Vec3(2, 0, 0).asDiagonal();
  impact.before << -3, 0, 0;
  impact.static_friction = impact.dynamic_friction = 0.5;
  impact.restitution = 0.5;
  EXPECT_LT((routh(impact).impulse - Vec3(2.25, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(routh(impact).phases.front().slip, Slip::sticks);
  // On a conveyor it slips for ever.
  impact.before << -3, 0.4, 0.3;
  const Vec3 expected = 2.25 * Vec3(1, -0.4, -0.3);
  EXPECT_LT((routh(impact).impulse - expected).norm(), 1e-15);

  RandomImpacts random(test::seed(7));
  for (int round = 0; round < test::cases(200); ++round) {
    SCOPED_TRACE(round);
    PointImpact held = random.impact();
    const Vec3 a = random.vector(), b(0, 0.6, 0.8);  // it cannot move along b
    const Vec3 c = a - b * b.dot(a), d = b.cross(random.vector());
    held.matrix = c * c.transpose() + d * d.transpose();
    held.before -= b * b.dot(held.before);
    expect_laws(held, routh(held));
  }
}

TEST(Routh, BodiesThatCannotYieldHaveNoSolution) {
  PointImpact impact;
  impact.matrix = Vec3(0, 1, 1).asDiagonal();
  impact.before << -1, 0.5, 0;
  impact.static_friction = impact.dynamic_friction = 0.5;
  EXPECT_EQ(routh(impact).status, lcp::Status::no_solution);
  EXPECT_EQ(routh(impact).impulse, Vec3::Zero());
  // Wedged: sticking, it could not yield either.
  impact.matrix << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  impact.before << -1, 0, 0;
  impact.static_friction = impact.dynamic_friction = 2;
  EXPECT_EQ(routh(impact).status, lcp::Status::no_solution);
}

}  // namespace
}  // namespace abut::impulse
