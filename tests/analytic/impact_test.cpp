// Impacts without friction against closed forms, at the default tolerances.

#include "support/contact_runs.h"

namespace abut {
namespace {

using test::floor_plane;
using test::head;
using test::run_text;

constexpr double g = 9.81;

std::string ball_over_floor(double restitution, double duration, double rate) {
  return head(duration, rate) + "materials: {m: {restitution: " + std::to_string(restitution) +
         "}}\nbodies:\n"
         "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed,"
         " material: m}\n"
         "  - {name: ball, shape: {sphere: {radius: 0.5}}, material: m, position: [0, 0, 1.5]}\n";
}

// It falls sqrt(2 h / g) from h = 1 m; every flight lasts e times as long as the one before, the
// first full one 2 e of the fall, and reaches e^2 of the height.
TEST(BouncingBall, HasTheTimesAndHeightsOfTheGeometricSeries) {
  const double e = 0.8;
  const auto run = run_text(ball_over_floor(e, 6, 1000));
  const double fall = std::sqrt(2 / g);
  const auto impacts = run.events(EventKind::impact);
  ASSERT_GT(impacts.size(), 3u);
  double exact = fall, flight = 2 * e * fall;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(impacts[i].time, exact, 1e-9);
    exact += flight;
    flight *= e;
  }
  for (int i = 0; i < 2; ++i) {
    // The apex of the flight after impact i, from the state just after it.
    const BodyState& leaves = run.after(impacts[i].time).bodies[1];
    const double apex = leaves.position.z() + leaves.velocity.z() * leaves.velocity.z() / (2 * g);
    EXPECT_NEAR(apex, 0.5 + std::pow(e, 2 * (i + 1)), 1e-9);
    double highest = 0;
    for (const auto& frame : run.sink.frames)
      if (frame.time > impacts[i].time && frame.time < impacts[i + 1].time)
        highest = std::max(highest, frame.bodies[1].position.z());
    // A frame is at most half a sample from the apex.
    EXPECT_NEAR(highest, apex, 0.5 * g * 0.0005 * 0.0005 + 1e-12);
    EXPECT_LE(highest, apex + 1e-12);
  }
  test::expect_sound(run);
  test::expect_restitution(run);
}

TEST(BouncingBall, RestsAtTheExactLimitOfItsSequence) {
  const double e = 0.8;
  const auto run = run_text(ball_over_floor(e, 6, 60));
  const auto rests = run.events(EventKind::rest);
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_NEAR(rests[0].time, std::sqrt(2 / g) * (1 + e) / (1 - e), 1e-6);
  EXPECT_EQ(run.sink.events.back().kind, EventKind::rest);
  EXPECT_NEAR(run.sink.last(1).position.z(), 0.5, 1e-9);
  EXPECT_EQ(run.sink.last(1).velocity.norm(), 0);
  EXPECT_NEAR(run.summary.energy_final - run.summary.energy_initial,
              -run.model.bodies[1].mass.mass * g * 1, 1e-9 * run.summary.energy_initial);
}

TEST(BouncingBall, KeepsItsEnergyForAHundredPerfectBounces) {
  const double fall = std::sqrt(2 / g);
  const auto run = run_text(ball_over_floor(1, 200.5 * fall, 60));
  const auto impacts = run.events(EventKind::impact);
  ASSERT_EQ(impacts.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_NEAR(impacts[i].time, (2 * i + 1) * fall, 1e-8) << i;
  const double energy = run.model.bodies[1].mass.mass * g * 1.5;
  for (const auto& frame : run.sink.frames)
    ASSERT_NEAR(frame.energy.mechanical(), energy, 1e-9 * energy) << frame.time;
  EXPECT_TRUE(run.events(EventKind::rest).empty());
  test::expect_sound(run);
  test::expect_restitution(run);
}

TEST(BouncingBall, RestsAtOnceWithoutRestitution) {
  const auto run = run_text(ball_over_floor(0, 2, 60));
  ASSERT_EQ(run.sink.events.size(), 1u);
  EXPECT_EQ(run.sink.events[0].kind, EventKind::impact);
  const BodyState& after = run.after(run.sink.events[0].time).bodies[1];
  EXPECT_NEAR(after.velocity.norm(), 0, 1e-14);
  EXPECT_NEAR(after.acceleration.norm(), 0, 1e-12);
  ASSERT_EQ(run.sink.frames.back().contacts.size(), 1u);
  const double weight = run.model.bodies[1].mass.mass * g;
  EXPECT_NEAR(run.sink.frames.back().contacts[0].normal_force, weight, 1e-9 * weight);
  test::expect_sound(run);
}

}  // namespace
}  // namespace abut
