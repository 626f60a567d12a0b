// Contacts with friction against closed forms, at the default tolerances.

#include "support/constants.h"
#include "support/contact_runs.h"

namespace abut {
namespace {

using test::ContactRun;
using test::expect_sound;
using test::head;
using test::number;
using test::run_text;

using abut::test::g;

// A floor under gravity that is tilted by an angle towards +x, which is a slope.
std::string slope(double angle, const std::string& friction) {
  return "gravity: [" + number(g * std::sin(angle)) + ", 0, " + number(-g * std::cos(angle)) +
         "]\nmaterials: {m: {density: 1000, friction: " + friction +
         "}}\nbodies:\n"
         "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
         "material: m}\n";
}
const char* block =
    "  - {name: block, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.05], material: "
    "m}\n";
const char* ball =
    "  - {name: ball, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], material: m";

/// Friction is within its cone everywhere, on it and against the slip where a contact slides.
void expect_coulomb(const ContactRun& run) {
  for (const record::Frame& frame : run.sink.frames) {
    if (frame.kind == record::FrameKind::before) continue;
    double largest = 0;
    for (const ContactState& c : frame.contacts) largest = std::max(largest, c.normal_force);
    for (const ContactState& c : frame.contacts) {
      const model::Friction mu = model::contact_law(run.model, c.body_a, 0, c.body_b, 0).friction;
      const double rubs = c.friction_force.norm(), none = 1e-9 * largest;
      ASSERT_LE(rubs, mu.static_coefficient * c.normal_force + none) << frame.time;
      ASSERT_NEAR(c.friction_force.dot(c.normal), 0, none);
      if (c.mode != ContactMode::slide) continue;
      ASSERT_NEAR(rubs, mu.dynamic_coefficient * c.normal_force, 1e-6 * largest) << frame.time;
      const Vec3 velocity = test::velocity_at(frame.bodies[c.body_a], c.point) -
                            test::velocity_at(frame.bodies[c.body_b], c.point);
      const Vec3 slip = velocity - c.normal * c.normal.dot(velocity);
      if (slip.norm() < 1e-6) continue;
      ASSERT_NEAR(c.friction_force.dot(slip), -rubs * slip.norm(), 1e-6 * rubs * slip.norm());
    }
  }
}

TEST(Friction, ABlockSlidesDownASlopeAsFastAsFrictionLetsIt) {
  const double angle = 0.35, mu = 0.2;
  const auto run = run_text(head(2, 60) + slope(angle, number(mu)) + block);
  expect_sound(run);
  expect_coulomb(run);
  const double a = g * (std::sin(angle) - mu * std::cos(angle));
  for (const auto& frame : run.sink.frames)
    ASSERT_LT((frame.bodies[1].position - Vec3(0.5 * a * frame.time * frame.time, 0, 0.05)).norm(),
              1e-9)
        << frame.time;
  const double fell = 8 * a * a;  // (a t^2 / 2) m mu g cos, with t = 2 and 4 kg
  EXPECT_NEAR(run.summary.dissipated_by_friction, 4 * mu * g * std::cos(angle) * 2 * a,
              1e-8 * fell);
}

TEST(Friction, ABlockStaysForEverJustUnderTheThresholdAndSlidesJustAboveIt) {
  const double angle = 0.35, threshold = std::tan(angle);
  const auto stays =
      run_text(head(1000, 0.1) + slope(angle, number(threshold * (1 + 1e-6))) + block);
  expect_sound(stays);
  for (const auto& frame : stays.sink.frames)
    ASSERT_LT((frame.bodies[1].position - stays.sink.frames[1].bodies[1].position).norm(), 1e-9);
  const double mu = threshold * (1 - 1e-6);
  const auto slides = run_text(head(100, 1) + slope(angle, number(mu)) + block);
  expect_sound(slides);
  const double a = g * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(slides.sink.frames.back().bodies[1].position.x(), 0.5 * a * 1e4, 1e-9 + 1e-4 * a);
}

TEST(Friction, StaticFrictionHoldsWhereDynamicFrictionWouldNot) {
  const double angle = std::atan(0.4);
  const auto stays = run_text(head(2, 10) + slope(angle, "{static: 0.5, dynamic: 0.3}") + block);
  EXPECT_LT((stays.sink.frames.back().bodies[1].position - Vec3(0, 0, 0.05)).norm(), 1e-9);
  const double steeper = std::atan(0.51);
  const auto slides = run_text(head(1, 10) + slope(steeper, "{static: 0.5, dynamic: 0.3}") + block);
  expect_coulomb(slides);
  EXPECT_NEAR(slides.sink.frames.back().bodies[1].position.x(),
              0.5 * g * (std::sin(steeper) - 0.3 * std::cos(steeper)), 1e-9);
}

TEST(Friction, ABallThatSlidesBeginsToRollWhenItsSlipStops) {
  const double v0 = 2, mu = 0.3;
  const auto run = run_text(head(1, 60) + slope(0, number(mu)) + ball + ", velocity: [2, 0, 0]}\n");
  expect_sound(run);
  expect_coulomb(run);
  const auto sticks = run.events(EventKind::stick);
  ASSERT_EQ(sticks.size(), 1u);
  EXPECT_NEAR(sticks[0].time, 2 * v0 / (7 * mu * g), 1e-9);
  EXPECT_NEAR(run.sink.frames.back().bodies[1].velocity.x(), 5 * v0 / 7, 1e-9);
  EXPECT_NEAR(run.sink.frames.back().bodies[1].angular_velocity.y(), 5 * v0 / 7 / 0.1, 1e-8);
}

// It rolls if friction of 2/7 tan(angle) is there, and else slides.
TEST(Friction, ABallRollsDownASlopeIfItCan) {
  const double angle = 0.5, limit = 2.0 / 7 * std::tan(angle);
  for (const bool rolls : {true, false}) {
    const double mu = limit * (rolls ? 1.001 : 0.999);
    const auto run = run_text(head(1, 60) + slope(angle, number(mu)) + ball + "}\n");
    expect_sound(run);
    expect_coulomb(run);
    const double a =
        rolls ? 5.0 / 7 * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(run.sink.frames.back().bodies[1].position.x(), 0.5 * a, 1e-9) << rolls;
  }
}

TEST(Friction, ABoxTipsSlidesOrStandsEachOnItsSideOfTheThreshold) {
  const char* tall =
      "  - {name: box, shape: {box: {size: [0.2, 0.2, 0.4]}}, position: [0, 0, 0.2], material: "
      "m}\n";
  const auto speed = [&](double mu, double tangent) {
    const auto run = run_text(head(0.1, 60) + slope(std::atan(tangent), number(mu)) + tall);
    EXPECT_EQ(run.summary.status, record::RunStatus::complete);
    expect_coulomb(run);
    const BodyState& last = run.sink.frames.back().bodies[1];
    return std::pair(last.velocity.x(), last.angular_velocity.y());
  };
  const auto [standing, upright] = speed(0.6, 0.499);
  EXPECT_LT(std::abs(standing) + std::abs(upright), 1e-9);
  const auto [turning, tips] = speed(0.6, 0.501);
  EXPECT_GT(tips, 1e-4);
  const auto [slides, level] = speed(0.4, 0.401);
  EXPECT_NEAR(slides, 0.1 * g * 0.001 * std::cos(std::atan(0.401)), 1e-9);
  EXPECT_LT(std::abs(level), 1e-9);
}

TEST(Friction, ASpinningBoxComesToRestWhereItIs) {
  const auto run =
      run_text(head(2, 60) + slope(0, "0.3") +
               "  - {name: box, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.05], "
               "angular_velocity: [0, 0, 10], material: m}\n");
  expect_sound(run);
  expect_coulomb(run);
  // Four corners at r = 0.1 sqrt(2) rub with mu m g in all; the moment of inertia is m 0.04 / 6.
  const double stop = 10 * (0.04 / 6) / (0.3 * g * 0.1 * std::sqrt(2.0));
  const auto sticks = run.events(EventKind::stick);
  ASSERT_EQ(sticks.size(), 4u);
  EXPECT_NEAR(sticks[0].time, stop, 1e-9);
  const BodyState& last = run.sink.frames.back().bodies[1];
  EXPECT_LT((last.position - Vec3(0, 0, 0.05)).norm(), 1e-9);
  EXPECT_LT(last.angular_velocity.norm(), 1e-12);
}

// A disc that lies flat rubs with its rim: mu m g r slows I = m r^2 / 2.
TEST(Friction, ASpinningDiscComesToRestWhereItIs) {
  const auto run =
      run_text(head(2, 60) + slope(0, "0.3") +
               "  - {name: disc, shape: {cylinder: {radius: 0.1, height: 0.04}}, position: [0, 0, "
               "0.02], angular_velocity: [0, 0, 10], material: m}\n");
  expect_sound(run);
  expect_coulomb(run);
  const double stop = 10 * 0.1 / (2 * 0.3 * g);
  const auto sticks = run.events(EventKind::stick);
  ASSERT_FALSE(sticks.empty());
  EXPECT_NEAR(sticks[0].time, stop, 1e-9);
  EXPECT_EQ(run.sink.events.back().time, sticks[0].time);  // nothing moves afterwards
  const BodyState& last = run.sink.frames.back().bodies[1];
  EXPECT_LT((last.position - Vec3(0, 0, 0.02)).norm(), 1e-9);
  EXPECT_LT(last.angular_velocity.norm(), 1e-12);
}

// The floor accelerates ever more; ten boxes go with it until mu g.
TEST(Friction, AStackOnAShakenFloorSlipsWhenItIsDue) {
  const auto run =
      run_text(head(2, 10) +
               "materials: {m: {density: 1000, friction: 0.5}}\n"
               "bodies:\n"
               "  - {name: floor, shape: {box: {size: [20, 20, 1]}}, material: m, "
               "motion: {position: [\"0.5*t^3\", \"0\", \"-0.5\"]}}\n"
               "  - {name: block, shape: {box: {size: [0.2, 0.2, 0.02]}}, position: [0, 0, 0.01], "
               "material: m, repeat: {count: [1, 1, 10], spacing: [0, 0, 0.02]}}\n");
  EXPECT_EQ(run.summary.status, record::RunStatus::complete);
  EXPECT_GT(run.summary.forces_not_unique, 0);  // four corners under each
  expect_coulomb(run);
  const auto slips = run.events(EventKind::slip);
  ASSERT_FALSE(slips.empty());
  EXPECT_NEAR(slips[0].time, 0.5 * g / 3, 1e-9);
}

// Between the floor and the wall a ladder stands up to tan = 2 mu / (1 - mu^2) from the wall.
// A block of 1 kg, pressed by 10 kN against a floor, is pulled by a spring at a hand that moves on
// and turns aside. Its velocity obeys u' = a - c u / |u|, c = mu f / m, from |a| = c on. It is
// integrated by implicit steps of the first order, u + h c u / |u| = what there was + h a, which
// may be of any length where u is small.
TEST(Friction, SlipUnderALoadBeginsWhereItsDirectionTurns) {
  constexpr double mu = 0.01, load = 1e4, stiffness = 1e3, end = 0.2;
  const auto run = run_text(
      head(end, 50) +
      "materials: {m: {density: 1000, friction: 0.01}}\nbodies:\n"
      "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
      "material: m}\n"
      "  - {name: block, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05], "
      "material: m}\n"
      "  - {name: hand, shape: {sphere: {radius: 0.01}}, motion: {position: [t, '9*t^2', 1]}}\n"
      "forces:\n"
      "  - {type: constant, body: block, force: [0, 0, -10000]}\n"
      "  - {type: spring, bodies: [block, hand], stiffness: 1000, length: 0}\n");
  expect_sound(run);
  EXPECT_LT(run.summary.steps, 1000);
  constexpr int steps = 2'000'000;
  constexpr double h = end / steps, c = mu * (load + g - 0.95 * stiffness);
  Eigen::Vector2d place = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero();
  for (int i = 0; i < steps; ++i) {
    const double t = h * (i + 0.5);
    const Eigen::Vector2d trial =
        velocity + h * stiffness * (Eigen::Vector2d(t, 9 * t * t) - place);
    velocity = std::max(0.0, 1 - h * c / trial.norm()) * trial;
    place += h * velocity;
  }
  EXPECT_LT((run.sink.frames.back().bodies[1].velocity.head<2>() - velocity).norm(), 1e-4);
}

TEST(Friction, ALadderStandsWhileItIsSteep) {
  const double mu = 0.3, limit = std::atan(2 * mu / (1 - mu * mu)), r = 0.001;
  for (const bool stands : {true, false}) {
    const double angle = limit + (stands ? -0.02 : 0.02);
    const auto run =
        run_text(head(0.3, 60) + slope(0, number(mu)) +
                 "  - {name: wall, shape: {plane: {normal: [1, 0, 0], offset: 0}}, motion: fixed, "
                 "material: m}\n"
                 "  - {name: ladder, shape: {capsule: {radius: 0.001, height: 2}}, material: m, "
                 "orientation: {axis: [0, 1, 0], angle: " +
                 number(-angle) + "}, position: [" + number(r + std::sin(angle)) + ", 0, " +
                 number(r + std::cos(angle)) + "]}\n");
    EXPECT_EQ(run.summary.status, record::RunStatus::complete);
    expect_coulomb(run);
    const double speed = run.sink.frames.back().bodies[2].velocity.norm();
    if (stands)
      EXPECT_LT(speed, 1e-12);
    else
      EXPECT_GT(speed, 1e-2);
  }
}

// A rod that is dragged over a floor with much friction jams: no forces keep it from the floor, and
// an impulse stops its end.
TEST(Friction, ARodThatJamsIsStoppedByAnImpulseWithoutCollision) {
  const double angle = 0.5;
  const auto run =
      run_text(head(0.2, 60) + slope(0, "2") +
               "  - {name: rod, shape: {capsule: {radius: 0.001, height: 1}}, material: m, "
               "orientation: {axis: [0, 1, 0], angle: " +
               number(angle) + "}, position: [" + number(-0.5 * std::sin(angle)) + ", 0, " +
               number(0.001 + 0.5 * std::cos(angle)) + "], velocity: [-3, 0, 0]}\n");
  expect_sound(run);
  const auto impacts = run.events(EventKind::impact);
  ASSERT_FALSE(impacts.empty());
  EXPECT_EQ(impacts[0].time, 0);
  EXPECT_NE(impacts[0].detail.find("without collision"), std::string::npos);
  EXPECT_GT(impacts[0].normal_impulse, 0);
  EXPECT_EQ(run.summary.jams, 1);
  EXPECT_GT(run.sink.frames.back().bodies[1].velocity.norm(), 0.1);  // and on it goes
}

// A ball that is stopped by a wall falls along it: nothing presses it, so friction has nothing to
// hold it with, and the contact says that it slides.
TEST(Friction, WhatIsNotPressedSlidesAlongAWall) {
  const auto run = run_text(
      head(0.3, 100) +
      "materials: {m: {friction: 0.5}}\nbodies:\n"
      "  - {name: wall, shape: {plane: {normal: [-1, 0, 0]}}, motion: fixed, material: m}\n"
      "  - {name: ball, material: m, shape: {sphere: {radius: 0.1}}, position: [-0.2, 0, 0], "
      "velocity: [1, 0, 0]}\n");
  int told = 0;
  for (const auto& frame : run.sink.frames)
    for (const ContactState& contact : frame.contacts) {
      if (!(frame.time > 0.11)) continue;
      EXPECT_LT(contact.normal_force, 1e-9);
      EXPECT_EQ(contact.mode, ContactMode::slide) << frame.time;
      ++told;
    }
  EXPECT_GT(told, 10);
  expect_sound(run);
}

// Sixteen balls, some in touch: energy falls from frame to frame, and momentum along y and z is
// that of forces of contacts alone, which the summary's book tells.
TEST(Friction, ABilliardBreakOfSixteenBalls) {
  std::string balls;
  const double r = 0.028575, apart = 2 * r + 1e-5;
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i <= row; ++i)
      balls += "  - {name: b" + std::to_string(row) + std::to_string(i) +
               ", material: m, shape: {sphere: {radius: 0.028575}}, position: [" +
               number(0.5 * std::sqrt(3) * apart * row) + ", " + number(apart * (i - 0.5 * row)) +
               ", 0.028575]}\n";
  const auto run = run_text(
      head(0.5, 60, "impact: newton") +
      "materials: {m: {density: 1740, friction: 0.1, restitution: 0.95}}\nbodies:\n"
      "  - {name: table, shape: {plane: {normal: [0, 0, 1]}}, motion: fixed, material: m}\n"
      "  - {name: cue, material: m, shape: {sphere: {radius: 0.028575}}, position: [-0.2, 0.002, "
      "0.028575], velocity: [5, 0, 0]}\n" +
      balls);
  // Balls that are struck hop on the table, and each landing may end a rest gap higher or lower
  // than the flight; the energy that it is compared with is that of the cue ball.
  const double landing = g * model::rest_gap(run.model.solver) / (0.5 * 5 * 5);
  expect_sound(run, 1e-9 + static_cast<double>(run.summary.impacts) * landing);
  expect_coulomb(run);
  EXPECT_GE(run.summary.impacts, 15);
}

TEST(Friction, ATumblingBoxRubsWithinItsConesAndNeverGainsEnergy) {
  for (const char* law : {"auto", "newton", "routh", "moore-wilhelms", "sequential"}) {
    SCOPED_TRACE(law);
    const auto run =
        run_text(head(2, 60, std::string("impact: ") + law) +
                 "materials: {m: {density: 1000, friction: 0.5, restitution: 0.3}}\n"
                 "bodies:\n"
                 "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
                 "material: m}\n"
                 "  - {name: box, shape: {box: {size: [0.2, 0.3, 0.1]}}, position: [0, 0, 0.5], "
                 "orientation: {axis: [1, 2, 3], angle: 40 deg}, angular_velocity: [1, 2, 3], "
                 "velocity: [0.5, 0, 0], material: m}\n");
    expect_sound(run);
    expect_coulomb(run);
    EXPECT_LT(run.sink.frames.back().energy.kinetic, 1e-12);
  }
}

}  // namespace
}  // namespace abut
