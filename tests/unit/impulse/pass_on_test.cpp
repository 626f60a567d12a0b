// The default law of impacts: impulses that are passed on in rounds, and one meaning of restitution
// for one point and for many.

#include <gtest/gtest.h>

#include "impulse/cone_impact.h"
#include "impulse/impact.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/impulse/impact_scene.h"

namespace abut::impulse {
namespace {

using test::ImpactScene;
using test::random_scene;
using test::RandomRows;

double speed_after(const ImpactScene& scene, const ImpactResult& result, int body) {
  return scene.motions[body].velocity.x() + result.jumps[body].linear.x();
}

// Newton's cradle: as many leave at the far end as arrived, whatever is between.
TEST(PassOn, ACradlePassesItsMomentumOn) {
  constexpr int balls = 6;
  for (const int arriving : {1, 2, 3, 5}) {
    ImpactScene scene;
    for (int i = 0; i < balls; ++i)
      scene.add_body(Vec3(i, 0, 0), i < arriving ? Vec3(2, 0, 0) : Vec3::Zero());
    for (int i = 0; i + 1 < balls; ++i)
      scene.add_contact(i + 1, i, Vec3(i + 0.5, 0, 0), Vec3::UnitX(), 1, {0.3, 0.3});
    const ImpactResult result = pass_on(scene.impact());
    ASSERT_EQ(result.status, lcp::Status::solved);
    for (int i = 0; i < balls; ++i)
      EXPECT_NEAR(speed_after(scene, result, i), i >= balls - arriving ? 2 : 0, 1e-12)
          << arriving << " " << i;
    EXPECT_NEAR(result.energy_gained, 0, 1e-9);
  }
}

// Balls that lose a part at each passage: the last one has ((1 + e) / 2)^n of the speed.
TEST(PassOn, EachPassageHasItsRestitution) {
  constexpr int balls = 4;
  ImpactScene scene;
  for (int i = 0; i < balls; ++i) scene.add_body(Vec3(i, 0, 0), Vec3(i == 0 ? 1 : 0, 0, 0));
  for (int i = 0; i + 1 < balls; ++i)
    scene.add_contact(i + 1, i, Vec3(i + 0.5, 0, 0), Vec3::UnitX(), 0.8);
  const ImpactResult result = pass_on(scene.impact(1e-9));
  EXPECT_NEAR(speed_after(scene, result, balls - 1), 0.9 * 0.9 * 0.9, 1e-12);
}

// A body that falls on two others at once: what is symmetric stays symmetric.
TEST(PassOn, KeepsSymmetry) {
  for (const double mu : {0.0, 0.4}) {
    ImpactScene scene;
    scene.add_body(Vec3(0, 0, 1), Vec3(0, 0, -1));
    for (const double side : {-1.0, 1.0}) {
      const int other = scene.bodies.back() + 1;
      scene.add_body(Vec3(0.6 * side, 0, 0), Vec3::Zero());
      scene.add_contact(0, other, Vec3(0.3 * side, 0, 0.5), Vec3(-0.6 * side, 0, 0.8), 0.9,
                        {mu, mu});
      scene.add_contact(other, world, Vec3(0.6 * side, 0, -0.5), Vec3::UnitZ(), 0.7, {mu, mu});
    }
    const ImpactResult result = pass_on(scene.impact());
    ASSERT_EQ(result.status, lcp::Status::solved);
    EXPECT_NEAR(result.jumps[0].linear.x(), 0, 1e-12);
    EXPECT_NEAR(result.jumps[1].linear.x(), -result.jumps[2].linear.x(), 1e-12);
    EXPECT_NEAR(result.jumps[1].linear.z(), result.jumps[2].linear.z(), 1e-12);
    EXPECT_LT(result.energy_gained, 0);
  }
}

TEST(PassOn, IsNewtonsLawWhereNothingBounces) {
  RandomRows random(test::seed(4));
  for (int round = 0; round < test::cases(40); ++round) {
    ImpactScene scene = random_scene(random, false, {0.5, 0.5});
    for (contact::Contact& contact : scene.contacts) contact.restitution = 0;
    Impact impact = scene.impact();
    impact.follows_slip = false;
    EXPECT_EQ(pass_on(impact).impulses, newton(impact).impulses);
  }
}

TEST(PassOn, EndsWithNothingApproachingAndNoEnergyGained) {
  RandomRows random(test::seed(5));
  for (int round = 0; round < test::cases(40); ++round) {
    SCOPED_TRACE(round);
    const double mu = round % 2 == 0 ? 0 : 0.4;
    ImpactScene scene = random_scene(random, round % 3 == 0, {mu, mu});
    const ImpactResult result = pass_on(scene.impact(1e-3));
    ASSERT_EQ(result.status, lcp::Status::solved);
    const int contacts = scene.set.contact_count();
    const Vector before = scene.rates(), after = before + scene.system.along(result.jumps);
    const double fastest = before.cwiseAbs().maxCoeff(), energy = scene.kinetic(nullptr);
    EXPECT_GT(after.head(contacts).minCoeff(), -1e-9 * fastest);
    const double exchanged =
        0.5 * result.impulses.cwiseAbs().dot(before.cwiseAbs() + after.cwiseAbs());
    EXPECT_LE(result.energy_gained, 1e-12 * (energy + exchanged));
    EXPECT_NEAR(scene.kinetic(&result.jumps) - energy, result.energy_gained, 1e-9 * energy);
  }
}

/// A cube that falls with a slip on one corner, or on an edge whose middle is where the corner was.
ImpactScene tilted_cube(bool on_edge, double slip, double mu, double e) {
  ImpactScene scene;
  scene.add_body(Vec3(0.2, 0, 0.6), Vec3(slip, 0, -1));
  const std::vector<double> places =
      on_edge ? std::vector<double>{-0.5, 0.5} : std::vector<double>{0};
  for (const double y : places)
    scene.add_contact(0, world, Vec3(0, y, 0), Vec3::UnitZ(), e, {mu, mu});
  return scene;
}

// The two ends of an edge do together what one point in its middle does, whatever the meaning of
// restitution: while it slips, and where it sticks from the beginning.
TEST(PassOn, AnEdgeObeysTheLawOfACorner) {
  using enum model::RestitutionLaw;
  for (const model::RestitutionLaw law : {energetic, poisson, newton})
    for (const double slip : {5.0, -5.0})
      for (const double e : {0.3, 0.8}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(law) << " " << slip << " " << e);
        ImpactScene edge = tilted_cube(true, slip, 0.3, e),
                    point = tilted_cube(false, slip, 0.3, e);
        Impact on_edge = edge.impact(), on_point = point.impact();
        on_edge.law = on_point.law = law;
        const ImpactResult a = pass_on(on_edge), b = pass_on(on_point);
        EXPECT_LT((a.jumps[0].linear - b.jumps[0].linear).norm(), 1e-11);
        EXPECT_LT((a.jumps[0].angular - b.jumps[0].angular).norm(), 1e-11);
        EXPECT_NEAR(a.energy_gained, b.energy_gained, 1e-8);
      }
}

// Stronge's law: what friction does to the normal velocity changes how fast the bodies part, never
// the share of the work that restitution gives back.
TEST(PassOn, RestitutionOfSeveralPointsIsARatioOfWorks) {
  for (const double slip : {5.0, -5.0}) {
    ImpactScene scene = tilted_cube(true, slip, 0.3, 0.5);
    const Impact impact = scene.impact();
    const ImpactResult result = pass_on(impact);
    const Vector before = scene.rates(), after = before + scene.system.along(result.jumps);
    // Slip keeps its direction, so the normal velocity is linear in the normal impulse.
    const double stop = -before[0] / (after[0] - before[0]);
    const double compression = -0.5 * stop * before[0], restitution = 0.5 * (1 - stop) * after[0];
    EXPECT_NEAR(restitution / compression, 0.25, 1e-11);
    EXPECT_EQ(result.limited.size(), 0u);
  }
}

}  // namespace
}  // namespace abut::impulse
