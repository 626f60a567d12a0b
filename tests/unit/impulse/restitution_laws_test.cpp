// Poisson's and Newton's restitution in Routh's impacts: closed forms of the planar cases, a second
// integration in three dimensions, and what energy allows.

#include <gtest/gtest.h>

#include "impulse/routh.h"
#include "support/point_impacts.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::impulse {
namespace {

using enum model::RestitutionLaw;

/// An impact in the plane of the normal and the first tangent, that slips from v to its end and
/// then sticks or slips with other rates.
struct Planar {
  const char* name;
  double w, c, t;  ///< collision matrix
  double mu_static, mu;
  double u, v;  ///< normal velocity and signed slip
};

constexpr Planar planar_cases[] = {
    {"slips throughout", 1, 0, 3.5, 0.3, 0.3, -1, 5},
    {"slips throughout, against the coupling", 1.2, 0.4, 3.5, 0.3, 0.2, -1, -5},
    {"sticks in compression", 1, 0, 3.5, 0.5, 0.5, -1, 0.2},
    {"sticks in compression, coupled", 1.5, -0.8, 3, 0.5, 0.4, -1, 0.3},
    {"sticks in restitution", 1, 0, 3.5, 0.5, 0.5, -1, 1.75 * 1.3},
    {"sticks in restitution, coupled", 1.5, 0.8, 3, 0.5, 0.4, -1, 0.4 * 1.2},
    {"reverses in compression", 1.5, 2, 3.5, 0.3, 0.3, -1, -0.2},
    {"reverses in restitution", 1.5, 2, 3.5, 0.3, 0.3, -1, -3.05 * 0.6},
    {"jams", 1, 2, 5, 0.8, 0.8, -1, 1},
    {"jams from far", 1, -2, 5, 0.9, 0.7, -0.1, -3},
};

PointImpact posed(const Planar& x, double e, model::RestitutionLaw law) {
  PointImpact impact;
  impact.matrix << x.w, x.c, 0, x.c, x.t, 0, 0, 0, 1.7;
  impact.before << x.u, x.v, 0;
  impact.static_friction = x.mu_static;
  impact.dynamic_friction = x.mu;
  impact.restitution = e;
  impact.law = law;
  return impact;
}

/// The impulse in closed form: normal rate k1 up to the normal impulse p1, where slip stops, and k2
/// beyond; tangential ratios q1 and q2.
Vec3 closed_form(const Planar& x, double e, model::RestitutionLaw law) {
  const double s = x.v > 0 ? 1 : -1, slowing = x.mu * x.t - x.c * s;
  const double p1 = slowing > 0 ? std::abs(x.v) / slowing : 1e300;
  const double k1 = x.w - x.mu * x.c * s, q1 = -x.mu * s;
  const bool sticks = std::abs(x.c / x.t) <= x.mu_static;
  const double q2 = sticks ? -x.c / x.t : x.mu * s, k2 = x.w + x.c * q2;
  const double u1 = x.u + k1 * p1;  // where slip stops
  const double compression = u1 < 0 ? p1 - u1 / k2 : -x.u / k1;
  double whole = (1 + e) * compression;
  if (law == newton) {
    const double wanted = -e * x.u;
    if (u1 < 0)
      whole = compression + wanted / k2;
    else
      whole = wanted <= u1 ? (wanted - x.u) / k1 : p1 + (wanted - u1) / k2;
  }
  const double first = std::min(p1, whole), second = whole - first;
  return {whole, q1 * first + q2 * second, 0};
}

double energy_lost(const PointImpact& impact, const Vec3& impulse) {
  return -impulse.dot(impact.before + 0.5 * impact.matrix * impulse);
}

TEST(RestitutionLaws, PlanarCasesInClosedForm) {
  int limited = 0;
  for (const Planar& planar : planar_cases)
    for (const model::RestitutionLaw law : {poisson, newton})
      for (const double e : {0.0, 0.5, 1.0}) {
        SCOPED_TRACE(testing::Message()
                     << planar.name << ", law " << static_cast<int>(law) << ", e " << e);
        const PointImpact impact = posed(planar, e, law);
        const PointImpactResult result = routh(impact);
        ASSERT_EQ(result.status, lcp::Status::solved);
        const Vec3 expected = closed_form(planar, e, law);
        const double scale = expected.norm() * impact.before.norm();
        if (energy_lost(impact, expected) >= -1e-12 * scale) {
          EXPECT_FALSE(result.is_limited);
          EXPECT_LT((result.impulse - expected).norm(), 1e-12 * expected.norm());
        } else {
          ++limited;
          EXPECT_TRUE(result.is_limited);
          EXPECT_LT(result.restitution, e);
          EXPECT_LT((result.impulse - closed_form(planar, result.restitution, law)).norm(),
                    1e-12 * expected.norm());
          EXPECT_NEAR(energy_lost(impact, result.impulse), 0, 1e-12 * scale);
        }
      }
  EXPECT_GT(limited, 0);
}

/// Compares with a second integration, which is good to about 1e-9; false if that takes forever.
bool agrees_with_a_second_integration(PointImpact impact) {
  const PointImpactResult result = routh(impact);
  EXPECT_EQ(result.status, lcp::Status::solved);
  impact.restitution = result.restitution;
  const test::ReferenceImpact reference(impact, 0.005, 20000);
  if (!reference.finished()) return false;  // slip is nearly balanced
  EXPECT_LT((result.impulse - reference.impulse()).norm(), 1e-8 * result.impulse.norm());
  EXPECT_LT((result.after - reference.after()).norm(), 1e-8 * impact.before.norm());
  return true;
}

// Of some impacts slip is nearly balanced, and the second integration does not come to its end:
// others take their place.
TEST(RestitutionLaws, AgreeWithASecondIntegration) {
  test::RandomImpacts random(test::seed(21));
  const int wanted = test::cases(9), most_rounds = 10 * wanted;
  int compared = 0;
  for (int round = 0; compared < wanted && round < most_rounds; ++round) {
    PointImpact impact = random.impact(0.7);
    if (round % 5 == 0) impact.before.tail<2>().setZero();
    for (const model::RestitutionLaw law : {poisson, newton})
      for (const double e : {0.0, 0.5, 1.0}) {
        SCOPED_TRACE(testing::Message()
                     << round << ", law " << static_cast<int>(law) << ", e " << e);
        impact.law = law;
        impact.restitution = e;
        compared += agrees_with_a_second_integration(impact) ? 1 : 0;
      }
  }
  EXPECT_GE(compared, wanted);
}

// As slip turns, a point may recede more slowly the longer it is pushed. The speed that Newton's
// law asks for is then reached by an impulse that is longer by a jump: just before it the impulse
// grows as the square root of what is missing.
bool impulse_jumps_beyond(PointImpact impact, const PointImpactResult& result) {
  if (impact.law != newton) return false;
  impact.restitution = (1 - 1e-6) * result.restitution;
  return (result.impulse - routh(impact).impulse).norm() > 1e-4 * result.impulse.norm();
}

TEST(RestitutionLaws, HoldToTheLetterUnlessEnergyLimitsThem) {
  test::RandomImpacts random(test::seed(22));
  for (int round = 0; round < test::cases(200); ++round) {
    SCOPED_TRACE(round);
    PointImpact impact = random.impact();
    impact.law = round % 2 == 0 ? poisson : newton;
    const PointImpactResult result = routh(impact);
    ASSERT_EQ(result.status, lcp::Status::solved);
    const double scale = result.impulse.norm() * impact.before.norm();
    EXPECT_GE(result.energy_lost, -1e-12 * scale);
    EXPECT_NEAR(result.energy_lost, energy_lost(impact, result.impulse), 1e-11 * scale);
    if (result.is_limited) {
      if (!impulse_jumps_beyond(impact, result)) {
        EXPECT_NEAR(result.energy_lost, 0, 1e-11 * scale);
      }
      EXPECT_LT(result.restitution, impact.restitution);
    } else {
      EXPECT_EQ(result.restitution, impact.restitution);
    }
    if (impact.law == newton) {
      EXPECT_NEAR(result.after[0], -result.restitution * impact.before[0],
                  1e-11 * impact.before.norm());
      continue;
    }
    double compression = 0, restitution = 0;
    for (const ImpactPhase& phase : result.phases)
      (phase.is_restitution ? restitution : compression) += phase.normal_impulse;
    EXPECT_NEAR(restitution, result.restitution * compression, 1e-12 * compression);
  }
}

// Without friction all three agree.
TEST(RestitutionLaws, AgreeWithoutFriction) {
  test::RandomImpacts random(test::seed(23));
  for (int round = 0; round < test::cases(50); ++round) {
    PointImpact impact = random.impact();
    impact.static_friction = impact.dynamic_friction = 0;
    const Vec3 expected = routh(impact).impulse;
    for (const model::RestitutionLaw law : {poisson, newton}) {
      impact.law = law;
      EXPECT_LT((routh(impact).impulse - expected).norm(), 1e-14 * expected.norm());
      EXPECT_FALSE(routh(impact).is_limited);
    }
  }
}

}  // namespace
}  // namespace abut::impulse
