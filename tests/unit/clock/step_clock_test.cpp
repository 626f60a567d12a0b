#include "clock/step_clock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/scene_run.h"

namespace abut::clock {
namespace {

const Vec3 gravity(0, 0, -9.81);

// A clock with one ball in free flight, which passes to it at time 0.
struct Flight {
  model::Model model;
  integrate::Scripts scripts;
  base::ThreadPool pool{1};
  std::vector<bool> broken;
  StepClock clock;

  Flight()
      : model(test::scene(
            "abut: 1\nduration: 10\nbodies:\n"
            "  - {name: ball, shape: {sphere: {radius: 0.1}}, velocity: [1, 2, 3], "
            "angular_velocity: [0, 0, 5]}\n"
            "  - {name: other, shape: {sphere: {radius: 0.1}}, position: [9, 9, 9]}\n")),
        scripts(integrate::make_scripts(model)),
        clock(
            model, scripts, pool, [](BodyIndex, BodyIndex) { return true; }, broken, nullptr) {
    clock.begin(0);
    clock.take({passage_of(0)}, {});
  }
  Passage passage_of(BodyIndex body) const {
    const integrate::Island island{{body}, {}, {}, {}, {}, {}, {}, {}};
    return {body, integrate::start_of(model, island).states.front(), {}};
  }
  Vec3 place(double t) const { return t * Vec3(1, 2, 3) + 0.5 * t * t * gravity; }
};

TEST(StepClock, AStepThatIsCutLosesNothingOfAFlight) {
  Flight flight;
  StepClock& clock = flight.clock;
  double t = 0;
  for (const double part : {1.0, 0.3, 1.0, 0.9, 0.05, 1.0}) {
    const double h = flight.model.solver.step;
    EXPECT_TRUE(clock.advance(10, {}).empty());
    clock.cut(t + part * h);
    t += part * h;
    EXPECT_NEAR(clock.time(), t, 1e-15);
  }
  // Leapfrog is exact where steps end as they were taken; a cut leaves a chord of one.
  const double bend = 0.125 * 9.81 * flight.model.solver.step * flight.model.solver.step;
  EXPECT_LT((clock.centre_of(0) - flight.place(t)).norm(), 6 * bend);
  const std::vector<Passage> left = clock.release_lone();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_LT((left[0].state.velocity - (Vec3(1, 2, 3) + t * gravity)).norm(), 1e-13);
  const double kept = 0.5 * flight.model.solver.step;  // since the middle of the last step
  EXPECT_LT((left[0].balance.impulse - kept * flight.model.bodies[0].mass.mass * gravity).norm(),
            1e-12);
  EXPECT_TRUE(clock.empty());
}

TEST(StepClock, AnOutsiderThatCouldBeMetStopsTheStep) {
  Flight flight;
  Outsider outsider{1, {Vec3(0.25, 0, 0), Quat::Identity()}, 0.1};
  EXPECT_EQ(flight.clock.advance(10, {outsider}), std::vector<BodyIndex>{1});
  EXPECT_EQ(flight.clock.time(), 0);
  outsider.pose.position = Vec3(2, 0, 0);
  EXPECT_TRUE(flight.clock.advance(10, {outsider}).empty());
  EXPECT_GT(flight.clock.time(), 0);
}

TEST(StepClock, ABodyThatJustJoinedStays) {
  Flight flight;
  EXPECT_TRUE(flight.clock.release_lone().empty());
  flight.clock.advance(10, {});
  flight.clock.take({flight.passage_of(1)}, {});
  const std::vector<Passage> left = flight.clock.release_lone();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].body, 0);
  EXPECT_EQ(flight.clock.bodies(), std::vector<BodyIndex>{1});
}

// Joints break on paths too, after the clock has begun.
TEST(StepClock, AJointThatBrokeElsewhereHoldsNothing) {
  const model::Model model = test::scene(
      "abut: 1\nduration: 10\nbodies:\n"
      "  - {name: ball, shape: {sphere: {radius: 0.1}}}\n"
      "joints:\n  - {type: ball, bodies: [world, ball], at: [0, 0, 0]}\n");
  const integrate::Scripts scripts = integrate::make_scripts(model);
  const base::ThreadPool pool{1};
  std::vector<bool> broken = {false};
  StepClock clock(
      model, scripts, pool, [](BodyIndex, BodyIndex) { return true; }, broken, nullptr);
  clock.begin(0);
  const integrate::Island island{{0}, {}, {}, {}, {}, {}, {}, {}};
  clock.take({{0, integrate::start_of(model, island).states.front(), {}}}, {0});
  clock.advance(10, {});
  // Rows of joints give way by 1e-8 of their own answer in a solution of the step.
  const double fall = 0.25 * 9.81 * model.solver.step * model.solver.step;
  EXPECT_NEAR(clock.centre_of(0).z(), 0, 1e-7 * fall);
  EXPECT_TRUE(clock.release_lone().empty());
  broken[0] = true;
  clock.advance(10, {});
  EXPECT_LT(clock.centre_of(0).z(), -fall);
  EXPECT_EQ(clock.release_lone().size(), 1u);
}

// A brick above a floor, which falls onto it.
struct Landing {
  model::Model model;
  integrate::Scripts scripts;
  base::ThreadPool pool{1};
  std::vector<bool> broken;
  StepClock clock;

  explicit Landing(const std::string& solver)
      : model(test::scene("abut: 1\nduration: 10\nsolver: {" + solver +
                          "}\nmaterials: {m: {restitution: 0}}\nbodies:\n"
                          "  - {name: brick, shape: {box: {size: [0.2, 0.3, 0.1]}}, material: m, "
                          "position: [0, 0, 0.055], velocity: [0, 0, -2]}\n"
                          "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n")),
        scripts(integrate::make_scripts(model)),
        clock(
            model, scripts, pool, [](BodyIndex, BodyIndex) { return true; }, broken, nullptr) {
    clock.begin(0);
    const integrate::Island island{{0}, {}, {}, {}, {}, {}, {}, {}};
    clock.take({{0, integrate::start_of(model, island).states.front(), {}}}, {});
  }
};

TEST(StepClock, AContactThatWouldBePassedFarClosesAtItsOwnTime) {
  Landing landing("clock: auto");
  ASSERT_TRUE(landing.clock.advance(10, {}).empty());
  const std::vector<motion::BodyPath> paths = landing.clock.paths_of(0, 0);
  ASSERT_EQ(paths.size(), 2u);
  const double kept = kept_gap(landing.model, 0, 0);
  const double touch = paths[0].end();
  // The time is that of the velocity in the middle of the step that was cut, a little fast: what it
  // leaves counts as closed.
  const double gap = paths[0].pose(touch).position.z() - 0.05;
  EXPECT_GE(gap, kept);
  EXPECT_LE(gap, 1.25 * kept);
  EXPECT_NEAR(touch * (2 + 0.5 * 9.81 * touch), 0.005 - gap, 1e-12);
}

// Three balls on each other that have just bounced, some towards each other. Others have events in
// the same picosecond, at each of which the step ends: a kick as short as that gives what contacts
// have left to do, however little, and tells nothing of their forces.
TEST(StepClock, WhatIsCutAtOnceIsToldWithinReason) {
  const model::Model model = test::scene(
      "abut: 1\nduration: 10\nmaterials: {m: {restitution: 0.8}}\nbodies:\n"
      "  - {name: low, shape: {sphere: {radius: 0.2}}, material: m, position: [0, 0, "
      "0.2000000001], "
      "velocity: [0, 0, 0.0016]}\n"
      "  - {name: middle, shape: {sphere: {radius: 0.2}}, material: m, "
      "position: [0, 0, 0.6000000003], velocity: [0, 0, -0.0005]}\n"
      "  - {name: high, shape: {sphere: {radius: 0.2}}, material: m, "
      "position: [0, 0, 1.0000000005], velocity: [0, 0, -0.0015]}\n"
      "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n");
  const integrate::Scripts scripts = integrate::make_scripts(model);
  const base::ThreadPool pool{1};
  std::vector<bool> broken;
  StepClock clock(
      model, scripts, pool, [](BodyIndex, BodyIndex) { return true; }, broken, nullptr);
  clock.begin(0);
  std::vector<Passage> joining;
  for (const BodyIndex body : {0, 1, 2}) {
    const integrate::Island island{{body}, {}, {}, {}, {}, {}, {}, {}};
    joining.push_back({body, integrate::start_of(model, island).states.front(), {}});
  }
  clock.take(joining, {});
  // What the balls have at first, and what falling for a step gives them.
  const double h = model.solver.step, mass = model.bodies[0].mass.mass;
  const double most = 3 * mass * 0.5 * std::pow(0.0016 + 9.81 * h, 2);
  for (int cut = 0; cut < 8; ++cut) {
    ASSERT_TRUE(clock.advance(10, {}).empty());
    EXPECT_LT(clock.energy(clock.time() - 0.5 * h).kinetic, most) << cut;
    EXPECT_LT(clock.energy(clock.time() - 0.9 * h).kinetic, most) << cut;
    std::vector<BodyState> states(model.bodies.size());
    integrate::Snapshot snapshot;
    clock.take_snapshot(clock.time() - 0.5 * h, states, snapshot);
    for (const ContactState& contact : snapshot.contacts)
      EXPECT_LT(contact.normal_force, 2 * 3 * mass * (0.0016 / h + 2 * 9.81)) << cut;
    clock.cut(clock.time() - h + 1e-13 * (1 + cut));
  }
}

TEST(StepClock, FixedStepsAreCutByBouncesOnly) {
  Landing landing("clock: step");
  ASSERT_TRUE(landing.clock.advance(10, {}).empty());
  EXPECT_EQ(landing.clock.paths_of(0, 0).size(), 1u);
}

// Balls side by side, each of which reaches the floor at a time of its own within the step: how
// many steps are taken for that.
long steps_of_balls_that_bounce(int count) {
  constexpr double radius = 0.1, speed = 2;
  const double h = 1.0 / 240;
  std::string scene =
      "abut: 1\nduration: 10\ngravity: [0, 0, 0]\nsolver: {clock: step}\n"
      "materials: {m: {restitution: 0.5, friction: 0}}\nbodies:\n"
      "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n";
  for (int k = 0; k < count; ++k)
    scene += fmt::format(
        "  - {{name: b{}, shape: {{sphere: {{radius: {}}}}}, material: m, velocity: [0, 0, {}], "
        "position: [{}, 0, {}]}}\n",
        k, radius, -speed, 2.01 * radius * k, 1.001 * radius + speed * h * (k + 1) / (count + 1));
  const model::Model model = test::scene(scene);
  const integrate::Scripts scripts = integrate::make_scripts(model);
  const base::ThreadPool pool(1);
  const std::vector<bool> broken;
  StepClock clock(
      model, scripts, pool, [](BodyIndex, BodyIndex) { return true; }, broken, nullptr);
  clock.begin(0);
  std::vector<Passage> joining;
  for (BodyIndex body = 1; body <= count; ++body) {
    const integrate::Island island{{body}, {}, {}, {}, {}, {}, {}, {}};
    joining.push_back({body, integrate::start_of(model, island).states.front(), {}});
  }
  clock.take(joining, {});
  // The first is also taken in halves, which does not count.
  EXPECT_TRUE(clock.advance(10, {}).empty());
  EXPECT_TRUE(clock.advance(10, {}).empty());
  std::vector<BodyState> states(model.bodies.size());
  integrate::Snapshot snapshot;
  clock.take_snapshot(clock.time(), states, snapshot);
  for (BodyIndex body = 1; body <= count; ++body)
    EXPECT_NEAR(states[body].velocity.z(), 0.5 * speed, 1e-3 * speed);
  return clock.statistics().steps;
}

TEST(StepClock, FewBouncesEndStepsAndManyDoNot) {
  EXPECT_GE(steps_of_balls_that_bounce(1), 3);
  EXPECT_EQ(steps_of_balls_that_bounce(12), 2);
}

TEST(StepClock, AFiftiethOfTheToleranceIsAFiftiethOfTheGap) {
  const Landing usual("clock: auto"), fine("clock: auto, step_tolerance: 2e-6");
  EXPECT_NEAR(kept_gap(fine.model, 0, 0), kept_gap(usual.model, 0, 0) / 50, 1e-15);
  EXPECT_NEAR(model::step_length(fine.model.solver),
              model::step_length(usual.model.solver) / std::sqrt(50), 1e-15);
}

// A ball at rest is struck by a fast one: it gets farther than anybody could have expected, and
// comes to a third one that it was not compared with. The step is not over before that is.
TEST(StepClock, WhatIsStruckDoesNotGetIntoWhatItWasNotComparedWith) {
  const model::Model model = test::scene(
      "abut: 1\nduration: 10\ngravity: [0, 0, 0]\nsolver: {clock: step}\n"
      "materials: {m: {restitution: 1, friction: 0}}\nbodies:\n"
      "  - {name: fast, shape: {sphere: {radius: 0.1}}, mass: 9, material: m, "
      "position: [-0.22, 0, 0], velocity: [20, 0, 0]}\n"
      "  - {name: struck, shape: {sphere: {radius: 0.1}}, mass: 1, material: m}\n"
      "  - {name: far, shape: {sphere: {radius: 0.1}}, mass: 9, material: m, "
      "position: [0.24, 0, 0]}\n");
  const integrate::Scripts scripts = integrate::make_scripts(model);
  const base::ThreadPool pool(1);
  const std::vector<bool> broken;
  StepClock clock(
      model, scripts, pool, [](BodyIndex, BodyIndex) { return true; }, broken, nullptr);
  clock.begin(0);
  std::vector<Passage> all;
  for (const BodyIndex body : {0, 1, 2}) {
    const integrate::Island island{{body}, {}, {}, {}, {}, {}, {}, {}};
    all.push_back({body, integrate::start_of(model, island).states.front(), {}});
  }
  clock.take(all, {});
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(clock.advance(10, {}).empty());
    EXPECT_GT(clock.centre_of(1).x() - clock.centre_of(0).x(), 0.2) << k;
    EXPECT_GT(clock.centre_of(2).x() - clock.centre_of(1).x(), 0.2) << k;
  }
  EXPECT_EQ(clock.statistics().forced_stops, 0);
  EXPECT_GT(clock.centre_of(2).x(), 0.24);
}

TEST(StepClock, TheErrorOfAFlightIsRounding) {
  Flight flight;
  flight.clock.advance(10, {});
  EXPECT_LT(flight.clock.error(), 1e-14);
}

// However strong drag is: linear drag is exact, quadratic drag comes to its terminal velocity, and
// nothing turns back.
TEST(StepClock, DragIsFollowedHoweverStrongItIs) {
  const auto run_with = [](const std::string& drag) {
    return test::run_of(
        "abut: 1\nduration: 1\nsolver: {clock: step}\nbodies:\n"
        "  - {name: ball, shape: {sphere: {radius: 0.5}}, mass: 2, position: [0, 0, 9], "
        "velocity: [3, 0, 0], angular_velocity: [0, 0, 5]}\n"
        "forces:\n  - {type: drag, body: ball, " +
        drag + "}\n");
  };
  for (const double rate : {0.5, 20.0, 1e3, 1e6, 1e12}) {
    const test::Ran run =
        run_with(fmt::format("linear: {:.17g}, angular: {:.17g}", 2 * rate, 0.2 * rate));
    ASSERT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
    EXPECT_LT(run.summary.energy_error, 1e-9);
    EXPECT_LT(run.summary.momentum_error, 1e-9);
    const BodyState& ball = run.sink.last(0);
    const double left = std::exp(-rate), fallen = 9.81 / rate;
    EXPECT_NEAR(ball.velocity.x(), 3 * left, 1e-4) << rate;
    EXPECT_NEAR(ball.velocity.z(), -fallen * (1 - left), 1e-4 * fallen) << rate;
    EXPECT_NEAR(ball.angular_velocity.z(), 5 * left, 1e-2) << rate;  // I = 0.2 kg m^2
    for (const auto& frame : run.sink.frames) EXPECT_GE(frame.bodies[0].velocity.x(), 0) << rate;
  }
  const test::Ran run = run_with("quadratic: 2e6, wind: [0, 1, 0]");
  ASSERT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
  EXPECT_LT((run.sink.last(0).velocity - Vec3(0, 1, 0)).head<2>().norm(), 1e-9);
  const double against = std::sqrt(9.81 * 2 / 2e6);
  EXPECT_NEAR(run.sink.last(0).velocity.z(), -against, 1e-3 * against);
}

// Springs that swing or damp faster than steps are rows that yield: what they hold comes to rest
// where force and weight are in balance.
TEST(StepClock, SpringsThatAreTooStiffAreImplicit) {
  const test::Ran run = test::run_of(R"yaml(
abut: 1
duration: 1
solver: {clock: step}
bodies:
  - {name: box, shape: {box: {size: [0.1, 0.1, 0.1]}}, mass: 0.01, position: [0, 0, 1], angular_velocity: [0, 0, 5]}
forces:
  - {type: spring, bodies: [world, box], at: [[0, 0, 2], [0.05, 0, 1]], length: 1, stiffness: 1e6, damping: 1e4}
)yaml");
  ASSERT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
  EXPECT_LT(run.summary.steps, 64 * 240);
  EXPECT_LT(run.summary.momentum_error, 1e-9);
  const BodyState& box = run.sink.last(0);
  const Vec3 held = box.position + box.orientation * Vec3(0.05, 0, 0);
  EXPECT_NEAR((held - Vec3(0, 0, 2)).norm(), 1, 1e-4);  // the box turns about its corner
}

}  // namespace
}  // namespace abut::clock
