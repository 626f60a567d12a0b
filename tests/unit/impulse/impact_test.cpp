// Impacts: closed forms, and laws that hold for whatever meets.

#include "impulse/impact.h"

#include <gtest/gtest.h>

#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/impulse/impact_scene.h"

namespace abut::impulse {
namespace {

using test::ImpactScene;
using test::random_scene;
using test::RandomRows;

TEST(Newton, ACentralImpactHasTheTextbookVelocities) {
  ImpactScene scene;
  scene.add_body(Vec3(1, 0, 0), Vec3(-3, 0, 0));
  scene.add_body(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3::Zero(), 3000);
  scene.add_contact(0, 1, Vec3(0.5, 0, 0), Vec3::UnitX(), 0.5);
  const ImpactResult result = newton(scene.impact());
  // Relative speed -4 becomes 2; masses 1000 and 3000.
  EXPECT_NEAR(result.impulses[0], 6 * 750, 1e-9);
  EXPECT_NEAR(result.jumps[0].linear.x(), 4.5, 1e-12);
  EXPECT_NEAR(result.jumps[1].linear.x(), -1.5, 1e-12);
  EXPECT_NEAR(result.energy_gained, -0.5 * 750 * (16 - 4), 1e-8);
}

TEST(Newton, SlowImpactsDoNotBounce) {
  for (const double speed : {0.01, 0.02}) {
    ImpactScene scene;
    scene.add_body(Vec3(0, 0, 0.5), Vec3(0, 0, -speed));
    scene.add_contact(0, world, Vec3::Zero(), Vec3::UnitZ(), 0.8);
    const ImpactResult result = newton(scene.impact(0.015));
    EXPECT_NEAR(result.jumps[0].linear.z(), speed > 0.015 ? 1.8 * speed : speed, 1e-15);
  }
}

// j >= 0; nothing that touches goes on approaching faster than restitution sends it back; energy
// is never gained; and what is said to be lost is what the bodies lose.
TEST(Newton, KeepsTheLawsForWhateverMeets) {
  RandomRows random(test::seed(1));
  for (int round = 0; round < test::cases(300); ++round) {
    SCOPED_TRACE(round);
    ImpactScene scene = random_scene(random, round % 2 == 0);
    const Impact impact = scene.impact();
    const ImpactResult result = newton(impact);
    ASSERT_EQ(result.status, lcp::Status::solved);
    const Vector before = scene.rates(), after = before + scene.system.along(result.jumps);
    const double fastest = before.cwiseAbs().maxCoeff();
    EXPECT_GE(result.impulses.minCoeff(), 0);
    EXPECT_GT(after.minCoeff(), -1e-9 * fastest);  // nothing approaches
    const double energy = scene.kinetic(nullptr);
    // Impulses of contacts that all but depend on each other are large, and cancel to rounding.
    const double terms = result.impulses.dot(before.cwiseAbs() + after.cwiseAbs());
    EXPECT_LE(result.energy_gained, 1e-11 * energy + 1e-13 * terms);
    EXPECT_NEAR(scene.kinetic(&result.jumps) - energy, result.energy_gained, 1e-10 * energy);
  }
}

// With one restitution for all and every contact approaching nothing can gain, so nothing is taken
// back: the law holds to the letter.
TEST(Newton, RestitutionIsExactWhereAllApproach) {
  RandomRows random(test::seed(2));
  for (int round = 0; round < test::cases(200); ++round) {
    SCOPED_TRACE(round);
    ImpactScene scene = random_scene(random, true);
    Impact impact = scene.impact();
    for (int i = 0; i < scene.system.size(); ++i)
      if (scene.system[i].row.rate > 0)  // seen from the other side it approaches
        for (contact::CarriedFeature& feature : scene.contacts[i].features)
          feature.direction = -feature.direction;
    impact = scene.impact();
    const ImpactResult result = newton(impact);
    const Vector before = scene.rates(), after = before + scene.system.along(result.jumps);
    ASSERT_LE(before.maxCoeff(), 0);
    const double e = scene.contacts[0].restitution, fastest = -before.minCoeff();
    for (int i = 0; i < scene.system.size(); ++i) {
      const double excess = after[i] + e * before[i];
      EXPECT_GT(excess, -1e-9 * fastest);
      const double shortest = std::min(excess, result.impulses[i] * scene.inertias[0].inverse_mass);
      EXPECT_LT(shortest, 1e-7 * fastest);  // one of the two is zero
    }
  }
}

// A body that fits exactly between two walls has nowhere to bounce to.
TEST(Newton, AJammedBodyStops) {
  ImpactScene scene;
  scene.add_body(Vec3(0, 0, 0), Vec3(2, 3, 0));
  scene.add_contact(0, world, Vec3(-0.5, 0, 0), Vec3::UnitX(), 0.7);
  scene.add_contact(0, world, Vec3(0.5, 0, 0), -Vec3::UnitX(), 0.7);
  for (const auto law : {&newton, &sequential}) {
    const ImpactResult result = (*law)(scene.impact());
    ASSERT_EQ(result.status, lcp::Status::solved);
    EXPECT_NEAR((result.jumps[0].linear - Vec3(-2, 0, 0)).norm(), 0, 1e-12);
    EXPECT_LT(result.residual, 1e-11);
  }
}

// Newton's cradle: as many leave at the far end as arrived, whatever is between.
TEST(Sequential, ACradlePassesItsMomentumOn) {
  constexpr int balls = 6;
  for (const int arriving : {1, 2, 3}) {
    ImpactScene scene;
    for (int i = 0; i < balls; ++i)
      scene.add_body(Vec3(i, 0, 0), i < arriving ? Vec3(2, 0, 0) : Vec3::Zero());
    for (int i = 0; i + 1 < balls; ++i)
      scene.add_contact(i + 1, i, Vec3(i + 0.5, 0, 0), Vec3::UnitX(), 1);
    const ImpactResult result = sequential(scene.impact());
    ASSERT_EQ(result.status, lcp::Status::solved);
    for (int i = 0; i < balls; ++i) {
      const double speed = scene.motions[i].velocity.x() + result.jumps[i].linear.x();
      EXPECT_NEAR(speed, i >= balls - arriving ? 2 : 0, 1e-12) << arriving << " " << i;
    }
    EXPECT_NEAR(result.energy_gained, 0, 1e-9);
  }
}

TEST(Sequential, EndsWithNothingApproachingAndNoEnergyGained) {
  RandomRows random(test::seed(3));
  for (int round = 0; round < test::cases(40); ++round) {
    SCOPED_TRACE(round);
    ImpactScene scene = random_scene(random, false);
    const ImpactResult result = sequential(scene.impact());
    ASSERT_EQ(result.status, lcp::Status::solved);
    const Vector before = scene.rates(), after = before + scene.system.along(result.jumps);
    const double fastest = before.cwiseAbs().maxCoeff(), energy = scene.kinetic(nullptr);
    EXPECT_GE(result.impulses.minCoeff(), -1e-12 * result.impulses.maxCoeff());
    EXPECT_GT(after.minCoeff(), -1e-9 * fastest);
    // Impulses that nearly cancel exchange more than there is; rounding is relative to that.
    const double exchanged =
        0.5 * result.impulses.cwiseAbs().dot(before.cwiseAbs() + after.cwiseAbs());
    EXPECT_LE(result.energy_gained, 1e-12 * (energy + exchanged));
    EXPECT_NEAR(scene.kinetic(&result.jumps) - energy, result.energy_gained, 1e-9 * energy);
  }
}

// The projection onto no rate at all: energy is only lost, whatever the signs of the impulses.
TEST(ComeToRest, ClosesTheGivenContactsAndGainsNothing) {
  RandomRows random(test::seed(4));
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    ImpactScene scene = random_scene(random, true);
    const Impact impact = scene.impact();
    std::vector<int> closing;
    for (int i = 0; i < scene.system.size(); ++i)
      if (random.whole(0, 1) == 1) closing.push_back(i);
    const ImpactResult result = come_to_rest(impact, closing);
    if (result.status != lcp::Status::solved) continue;  // the rest may be jammed
    const Vector before = scene.rates(), after = before + scene.system.along(result.jumps);
    const double fastest = before.cwiseAbs().maxCoeff();
    for (const int i : closing) EXPECT_NEAR(after[i], 0, 1e-8 * fastest);
    EXPECT_GT(after.minCoeff(), -1e-8 * fastest);
    EXPECT_LE(result.energy_gained, 1e-11 * scene.kinetic(nullptr));
  }
}

}  // namespace
}  // namespace abut::impulse
