// The step clock against closed forms, and heaps that come to their end.

#include <cmath>

#include <fmt/format.h>

#include "support/contact_runs.h"
#include "support/scene_run.h"
#include "support/tiles.h"

namespace abut {
namespace {

using test::Ran;
using test::run_of;

constexpr double free_fall = 9.81;

std::string stepped(double step, double duration, const std::string& rest) {
  return "abut: 1\nduration: " + std::to_string(duration) +
         "\nsolver: {clock: step, step: " + std::to_string(step) + "}\n" + rest;
}

const char* const floor_and = R"(
materials: {m: {density: 1000, friction: 0.3, restitution: 0}, e: {restitution: 0.8}}
bodies:
  - {name: floor, motion: fixed, material: m, shape: {plane: {normal: [0, 0, 1]}}}
)";

// What every stepped run promises.
void expect_apart(const Ran& ran) {
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_GT(ran.summary.min_gap, 0);
  EXPECT_EQ(ran.summary.forced_stops, 0);
  EXPECT_LT(ran.summary.momentum_error, 1e-3);
}

// Velocities live in the middle of steps: free flight is exact, spin about a principal axis too.
TEST(Stepping, FreeFlightIsExact) {
  // Within a step a frame tells of a straight line: it is the ends that are exact.
  const Ran ran = run_of(stepped(0.01, 1, R"(
record: {rate: 100}
bodies:
  - {name: ball, shape: {sphere: {radius: 0.1}}, velocity: [1, 2, 5], angular_velocity: [0, 0, 3]}
)"));
  const BodyState& last = ran.last("ball");
  EXPECT_NEAR((last.position - Vec3(1, 2, 5 - free_fall / 2)).norm(), 0, 1e-12);
  EXPECT_NEAR((last.velocity - Vec3(1, 2, 5 - free_fall)).norm(), 0, 1e-12);
  EXPECT_LT(ran.summary.energy_error, 1e-12);
}

// A tumbling brick is followed by the midpoint rule: what a step leaves goes with its third power,
// and the estimate with it.
TEST(Stepping, TheEstimateOfErrorsFollowsTheLengthOfSteps) {
  const auto error = [](double step) {
    return run_of(stepped(step, 0.5, R"(
bodies:
  - {name: brick, shape: {box: {size: [0.1, 0.2, 0.3]}}, angular_velocity: [1, 6, 2]}
)"))
        .summary.step_error_max;
  };
  const double coarse = error(0.01), fine = error(0.005);
  EXPECT_GT(coarse, 1e-8);
  EXPECT_GT(coarse / fine, 5);
  EXPECT_LT(coarse / fine, 12);
}

// v^2 / (2 mu free_fall) to the stop, with an error of first order in the step.
TEST(Stepping, ABlockStopsWhereItShould) {
  const double exact = 4 / (2 * 0.3 * free_fall);
  for (const double step : {0.01, 0.0025}) {
    const Ran ran = run_of(stepped(step, 1.5, std::string(floor_and) + R"(
  - {name: block, material: m, shape: {box: {size: [1, 1, 0.5]}}, position: [0, 0, 0.25],
     velocity: [2, 0, 0]}
)"));
    expect_apart(ran);
    EXPECT_NEAR(ran.last("block").position.x(), exact, 2 * step) << step;
    EXPECT_LT(ran.last("block").velocity.norm(), 1e-9);
  }
}

// A ball that slides comes to roll with 5/7 of its speed.
TEST(Stepping, SlidingBecomesRolling) {
  const Ran ran = run_of(stepped(0.004, 1.5, std::string(floor_and) + R"(
  - {name: ball, material: m, shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.2],
     velocity: [3, 0, 0]}
)"));
  expect_apart(ran);
  const BodyState& last = ran.last("ball");
  EXPECT_NEAR(last.velocity.x(), 3 * 5 / 7.0, 2e-3);
  EXPECT_NEAR(last.angular_velocity.y(), 3 * 5 / 7.0 / 0.2, 2e-2);
}

// Each bounce leaves e^2 of the height; the gap kept is part of what is not.
TEST(Stepping, BouncesKeepTheirRestitution) {
  const Ran ran = run_of(stepped(1.0 / 240, 0.9, R"(
materials: {e: {restitution: 0.8}}
bodies:
  - {name: floor, motion: fixed, material: e, shape: {plane: {normal: [0, 0, 1]}}}
  - {name: ball, material: e, shape: {sphere: {radius: 0.5}}, position: [0, 0, 1.5]}
)"));
  expect_apart(ran);
  double apex = 0;
  for (const auto& frame : ran.sink.frames)
    if (frame.time > 0.5) apex = std::max(apex, frame.bodies[1].position.z());
  EXPECT_NEAR(apex, 0.5 + 0.64, 2e-3);
  // A frame within a step tells of a straight line and of a velocity that changes: s seconds from
  // the middle, energy is off by (g s)^2 / 2 per kilogram, s <= h / 2, of the g * 1 m exchanged.
  const double h = 1.0 / 240;
  EXPECT_LT(ran.summary.energy_error, free_fall * h * h / 8 * 1.01);
}

// Wherever in a step the floor is reached, just after its beginning too.
TEST(Stepping, NoBounceIsLost) {
  const double h = 1.0 / 240;
  for (const double part : {1.0 / 256, 1.0 / 100, 1.0 / 32, 0.5, 0.99}) {
    const double fall = (100 + part) * h, height = 0.5 * free_fall * fall * fall;
    const Ran ran = run_of(stepped(h, 0.9,
                                   fmt::format(R"(
materials: {{e: {{restitution: 0.8}}}}
bodies:
  - {{name: floor, motion: fixed, material: e, shape: {{plane: {{normal: [0, 0, 1]}}}}}}
  - {{name: ball, material: e, shape: {{sphere: {{radius: 0.5}}}}, position: [0, 0, {}]}}
)",
                                               0.5 + height)));
    expect_apart(ran);
    double apex = 0;
    for (const auto& frame : ran.sink.frames)
      if (frame.time > 0.5) apex = std::max(apex, frame.bodies[1].position.z());
    EXPECT_NEAR(apex, 0.5 + 0.64 * height, 2e-3) << part;
  }
}

// A ball that gets through a wall within a step, and far beyond, would be apart from it on both
// sides: it bounces off all the same, or stays in front of it.
TEST(Stepping, FastBallsDoNotStopAtThinWallsNorPassThem) {
  for (const double speed : {200.0, 1000.0, 5000.0})
    for (const double thickness : {0.001, 1.0})
      for (const double restitution : {0.0, 1.0}) {
        const Ran ran =
            run_of(stepped(1.0 / 240, 0.05,
                           fmt::format(R"(
gravity: [0, 0, 0]
materials: {{m: {{restitution: {}}}}}
bodies:
  - {{name: wall, motion: fixed, material: m, shape: {{box: {{size: [{}, 2, 2]}}}}}}
  - {{name: ball, material: m, shape: {{sphere: {{radius: 0.01}}}}, position: [{}, 0, 0], velocity: [{}, 0, 0]}}
)",
                                       restitution, thickness, -1 - thickness / 2, speed)));
        EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
        EXPECT_EQ(ran.summary.forced_stops, 0) << speed << " " << thickness << " " << restitution;
        EXPECT_GT(ran.summary.min_gap, 0);
        EXPECT_NEAR(ran.last("ball").velocity.x(), -restitution * speed, 1e-5 * speed);
        EXPECT_LT(ran.last("ball").position.x(), -0.01 - thickness / 2);
      }
}

// A pendulum swings through with its speed, and its joint stays closed.
TEST(Stepping, APendulumKeepsItsEnergy) {
  const Ran ran = run_of(stepped(0.002, 4, R"(
bodies:
  - {name: bob, shape: {sphere: {radius: 0.05}}, position: [1, 0, 0]}
joints:
  - {name: pivot, type: ball, bodies: [world, bob], at: [0, 0, 0]}
)"));
  EXPECT_EQ(ran.summary.status, RunStatus::complete);
  EXPECT_LT(test::largest_gap(ran), 1e-4);
  double fastest = 0;
  for (const auto& frame : ran.sink.frames)
    fastest = std::max(fastest, frame.bodies[0].velocity.norm());
  const double rolled = std::sqrt(2 * free_fall / (1 + 0.4 * 0.05 * 0.05));
  EXPECT_NEAR(fastest, rolled, 0.01 * rolled);
  EXPECT_LT(ran.summary.energy_error, 5e-3);
}

// What comes to rest sleeps, and does not creep.
TEST(Stepping, ABoxAtRestStaysWhereItIs) {
  const Ran ran = run_of(stepped(1.0 / 240, 2, std::string(floor_and) + R"(
  - {name: block, material: m, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 0.6]}
)"));
  expect_apart(ran);
  const auto& frames = ran.sink.frames;
  const Vec3 settled = frames[frames.size() / 2].bodies[1].position;
  EXPECT_EQ(settled, ran.last("block").position);
  EXPECT_NEAR(settled.z(), 0.5, 2e-3);
}

// The first heap that someone drops. The event clock hands over to steps, and the run ends.
TEST(Stepping, TenBoxesFallIntoAHeap) {
  const Ran ran = run_of(R"(
abut: 1
duration: 1
materials: {default: {friction: 0.5, restitution: 0.2}}
bodies:
  - {name: floor, motion: fixed, shape: {plane: {normal: [0, 0, 1], offset: 0}}}
  - name: box
    shape: {box: {size: [0.2, 0.2, 0.2]}}
    position: [0, 0, 0.3]
    orientation: {axis: [1, 2, 0.5], angle: 20 deg}
    repeat: {count: [1, 1, 10], spacing: [1, 1, 0.35]}
)");
  expect_apart(ran);
  EXPECT_GT(ran.summary.stepped_fraction, 0);
  EXPECT_LT(ran.summary.energy_error, 1e-2);
}

// Few contacts are followed from event to event, as ever; and `event` never gives way.
std::string tower(const std::vector<double>& masses) {
  std::string bodies = floor_and;
  for (std::size_t i = 0; i < masses.size(); ++i)
    bodies += "  - {name: b" + std::to_string(i) +
              ", material: m, mass: " + std::to_string(masses[i]) +
              ", shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, " +
              std::to_string(0.1 + 0.201 * static_cast<double>(i)) + "]}\n";
  return bodies;
}

// Towers that sweeps alone let sink: heavy on light, and high ones. They land, and then stand
// still.
TEST(Stepping, TowersStand) {
  std::vector<double> heavy(9, 1.0), high(60, 1.0);
  heavy.push_back(1000);
  for (const std::vector<double>& masses : {heavy, high}) {
    const Ran ran = run_of(stepped(1.0 / 240, 1, tower(masses)));
    expect_apart(ran);
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const BodyState& body = ran.last("b" + std::to_string(i));
      const double lowest = 0.1 + 0.2 * static_cast<double>(i);
      EXPECT_NEAR(body.position.z(), lowest, 2e-4 * static_cast<double>(i + 1));
      EXPECT_LT(body.position.head<2>().norm(), 1e-4);
      EXPECT_EQ(body.velocity.norm(), 0);
    }
  }
}

// Six boxes with flush sides, each shifted over the one below by so much that they fall over. They
// begin half a nanometre apart and turn together.
TEST(Stepping, AStackThatLeansTooFarFallsOver) {
  std::string boxes = floor_and;
  for (int i = 0; i < 6; ++i)
    boxes += "  - {name: b" + std::to_string(i) +
             ", shape: {box: {size: [0.4, 0.2, 0.1]}}, mass: 1, material: m, position: [" +
             std::to_string(0.09 * i) + ", 0, " + std::to_string(0.05 + 0.1 * i) + "]}\n";
  const Ran ran = run_of(stepped(1.0 / 240, 1.5, boxes));
  expect_apart(ran);
  EXPECT_LT(ran.last("b5").position.z(), 0.3);
  EXPECT_LT(ran.summary.steps, 2000);
}

// A chain that stands upright falls down on its end: where it buckles, links turn fast, and a step
// in which joints do not close is taken again, shorter.
TEST(Stepping, JointsOfAChainThatFallsStayClosed) {
  std::string links = floor_and, joints = "joints:\n";
  for (int i = 0; i < 12; ++i) {
    links += "  - {name: l" + std::to_string(i) +
             ", shape: {capsule: {radius: 0.015, height: 0.07}}, mass: 0.05, material: m, "
             "position: [" +
             std::to_string(i == 0 ? 0.0 : 1e-4 * (i % 3)) + ", 0, " +
             std::to_string(0.3 + 0.1 * i) + "]}\n";
    if (i > 0)
      joints += "  - {type: ball, bodies: [l" + std::to_string(i - 1) + ", l" + std::to_string(i) +
                "], at: [0, 0, " + std::to_string(0.25 + 0.1 * i) + "]}\n";
  }
  const Ran ran = run_of(stepped(1.0 / 240, 1, links + joints));
  EXPECT_GT(ran.summary.min_gap, 0);
  EXPECT_EQ(ran.summary.forced_stops, 0);
  EXPECT_LT(test::largest_gap(ran), 1e-3 * 0.05);  // of the radius of a link
  EXPECT_LT(ran.last("l11").position.z(), 0.5);
}

// Two hundred turns per second about no axis of its own, held at one end: steps in which a body
// turns by radians have no solution near, and what was found instead had ever more energy.
TEST(Stepping, ARodThatTumblesFastStaysAtItsJoint) {
  const Ran ran = run_of(stepped(1.0 / 240, 0.05, R"(
bodies:
  - {name: rod, shape: {box: {size: [0.02, 0.06, 0.2]}}, mass: 0.1, position: [0, 0, -0.1],
     velocity: [-100, 0, 0], angular_velocity: [300, 1000, 500]}
joints:
  - {type: ball, bodies: [world, rod], at: [0, 0, 0]}
)"));
  const double start = 0.5 * 0.1 * 100 * 100;  // J, a part of what it has
  EXPECT_LT(ran.sink.frames.back().energy.kinetic, 2 * start);
  EXPECT_NEAR(ran.last("rod").position.norm(), 0.1, 1e-3);
}

// What is slow is told by the forces that act, not by gravity: bodies fall asleep all the same.
TEST(Stepping, WeightGivenAsAForceIsWeight) {
  const std::string forces = R"(gravity: [0, 0, 0]
forces:
  - {type: constant, body: b0, force: [0, 0, -9.81]}
  - {type: constant, body: b1, force: [0, 0, -9.81]}
)";
  const Ran heavy = run_of(stepped(1.0 / 240, 1, tower({1, 1})));
  const Ran pulled = run_of(stepped(1.0 / 240, 1, forces + tower({1, 1})));
  for (const char* name : {"b0", "b1"}) {
    EXPECT_LT((heavy.last(name).position - pulled.last(name).position).norm(), 1e-12);
    EXPECT_EQ(heavy.last(name).velocity.norm(), 0);
    EXPECT_EQ(pulled.last(name).velocity.norm(), 0);
  }
}

// A box that lands flat loses its fall, by an impact and not by damping, with friction and without.
TEST(Stepping, WhatALandingTakesIsLostByAnImpact) {
  for (const char* const friction : {"0", "0.3"}) {
    const Ran ran =
        run_of(stepped(1 / 240.0, 0.6, std::string("materials: {m: {friction: ") + friction + R"(}}
bodies:
  - {name: floor, motion: fixed, material: m, shape: {plane: {}}}
  - {name: box, mass: 2, material: m, shape: {box: {size: [0.4, 0.4, 0.4]}}, position: [0, 0, 0.7]}
)"));
    expect_apart(ran);
    const double lost = 2 * free_fall * (0.7 - ran.last("box").position.z());
    EXPECT_NEAR(ran.summary.dissipated_by_impacts, lost, 1e-2 * lost) << friction;
    EXPECT_NEAR(ran.summary.dissipated_by_damping, 0, 1e-2 * lost) << friction;
  }
}

TEST(Stepping, FewContactsAreNotStepped) {
  const Ran ran = run_of(std::string("abut: 1\nduration: 1\n") + floor_and + R"(
  - {name: block, material: m, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 0.6]}
)");
  EXPECT_EQ(ran.summary.stepped_fraction, 0);
  EXPECT_EQ(ran.summary.cone_steps, 0);
}

// A scripted wall pushes a ball, which keeps ahead of it.
TEST(Stepping, ScriptsPush) {
  const Ran ran = run_of(stepped(0.004, 1, R"(
gravity: [0, 0, 0]
bodies:
  - {name: wall, shape: {box: {size: [0.1, 1, 1]}},
     motion: {position: ["2*t", "0", "0"]}}
  - {name: ball, shape: {sphere: {radius: 0.2}}, position: [1, 0, 0]}
)"));
  expect_apart(ran);
  EXPECT_GT(ran.last("ball").position.x(), 2 + 0.25 - 1e-9);
  EXPECT_NEAR(ran.last("ball").velocity.x(), 2, 1e-2);
}

// A motor of limited force that never reaches its speed: F^2 t^2 / (2 m) of work, and nothing lost
// but what it gives within a step, where frames interpolate.
TEST(Stepping, MotorsWork) {
  const Ran ran = run_of(stepped(0.002, 0.5, R"(
gravity: [0, 0, 0]
bodies:
  - {name: slider, shape: {box: {size: [0.1, 0.1, 0.1]}}, mass: 2}
joints:
  - {type: prismatic, bodies: [world, slider], axis: [1, 0, 0], motor: {speed: 100, max_force: 10}}
)"));
  const double work = 10 * 10 * 0.5 * 0.5 / (2 * 2);
  EXPECT_NEAR(ran.summary.work, work, 0.02 * work);
  EXPECT_NEAR(ran.summary.energy_final, work, 0.02 * work);
  for (const auto& frame : ran.sink.frames)
    EXPECT_NEAR(frame.energy.dissipated, 0, 10 * frame.bodies[0].velocity.norm() * 0.002 + 1e-9);
}

// What a plate that goes up gives to the box on it is work: m g h, and nothing lost or found.
TEST(Stepping, ScriptsThatLiftWork) {
  const Ran ran = run_of(stepped(0.002, 1, R"(
bodies:
  - {name: plate, shape: {box: {size: [1, 1, 0.2]}},
     motion: {position: ["0", "0", "-0.25 * cos(pi * t) + 0.15"]
}
}
  - {name: box, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.1], mass: 3}
)"));
  const double work = 3 * free_fall * 0.5;
  EXPECT_NEAR(ran.summary.work, work, 0.02 * work);
  for (const auto& frame : ran.sink.frames)
    EXPECT_NEAR(frame.energy.dissipated, 0, 0.02 * work) << frame.time;
}

// A scripted body that swings a rod by a hinge works; once the rod goes with it nothing is lost.
TEST(Stepping, ScriptsThatSwingByAJointWork) {
  const std::string scene = R"yaml(
bodies:
  - {name: carrier, shape: {box: {size: [0.1, 0.1, 0.1]}}, motion: {position: ["0.5*sin(3*t)", "0", "2"]}}
  - {name: rod, shape: {box: {size: [0.1, 0.1, 0.4]}}, position: [0, 0, 1.5]}
joints:
  - {type: hinge, bodies: [carrier, rod], at: [0, 0, 1.9], axis: [0, 1, 0]}
)yaml";
  const Ran ran = run_of(stepped(0.004, 2, scene));
  const Ran exact = run_of("abut: 1\nduration: 2\nsolver: {clock: event}\n" + scene);
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  ASSERT_GT(exact.summary.work, 20);
  EXPECT_NEAR(ran.summary.work, exact.summary.work, 0.01 * exact.summary.work);
  for (const auto& frame : ran.sink.frames) {
    if (frame.time == 0) continue;  // there the carrier jerks the rod
    EXPECT_NEAR(frame.energy.dissipated, exact.sink.frames.back().energy.dissipated,
                0.01 * exact.summary.work)
        << frame.time;
  }
}

// What is told of a time within a step keeps the books of mechanisms that turn fast and of bodies
// that are struck: nothing that was lost comes back, whatever part of a step a frame is of.
TEST(Stepping, FramesWithinStepsKeepTheBooks) {
  const std::string mechanism = R"(
record: {rate: 700}
bodies:
  - {name: crank, shape: {box: {size: [0.2, 0.02, 0.02]}}, position: [0.1, 0, 0]}
  - {name: rod, shape: {box: {size: [0.4, 0.02, 0.02]}}, position: [0.4, 0, 0]}
joints:
  - {type: hinge, bodies: [world, crank], at: [0, 0, 0], axis: [0, 1, 0], motor: {speed: 6, max_torque: 3}}
  - {type: hinge, bodies: [crank, rod], at: [0.2, 0, 0], axis: [0, 1, 0]}
)";
  const std::string corner = R"(
record: {rate: 700}
materials: {m: {density: 1000, friction: 0, restitution: 0}}
bodies:
  - {name: floor, motion: fixed, material: m, shape: {plane: {normal: [0, 0, 1]}}}
  - {name: ramp, motion: fixed, material: m, shape: {plane: {normal: [-0.3, 0, 1], offset: -0.15}}}
  - {name: block, material: m, shape: {box: {size: [0.4, 0.2, 0.1]}}, position: [0, 0, 0.05], velocity: [1, 0, 0]}
)";
  for (const std::string& scene : {mechanism, corner}) {
    const Ran ran = run_of(stepped(1.0 / 240, 0.8, scene));
    EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
    double lost = 0;
    for (const auto& frame : ran.sink.frames) {
      EXPECT_GT(frame.energy.dissipated, lost - 5e-3 * ran.summary.energy_scale) << frame.time;
      lost = std::max(lost, frame.energy.dissipated);
    }
  }
}

// The work of an impulse on one of two bodies that a joint connects is what both gain, and nothing
// is lost or found.
TEST(Stepping, ABlowOnJointedBodiesWorks) {
  const Ran ran = run_of(stepped(0.004, 0.2, R"(
gravity: [0, 0, 0]
bodies:
  - {name: one, shape: {box: {size: [0.3, 0.2, 1]}}, density: 1000}
  - {name: two, shape: {box: {size: [0.3, 0.2, 0.6]}}, density: 700, position: [0, 0, 0.9]}
joints:
  - {type: ball, bodies: [one, two], at: [0, 0, 0.55]}
forces:
  - {type: impulse, body: two, time: 0.01, impulse: [4, 1, -3], at: [0.1, 0, 1.1]}
)"));
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_LT(ran.summary.energy_error, 1e-6);
  EXPECT_NEAR(ran.summary.work, ran.summary.energy_final, 1e-3 * ran.summary.work);
}

// What sleeps rests on what it fell asleep on, a fixed body or one that sleeps too, and a frame
// tells of the forces there.
TEST(Stepping, WhatSleepsIsBorne) {
  const Ran ran = run_of(
      "abut: 1\nduration: 2\nrecord: {rate: 10}\nsolver: {clock: step}\n"
      "materials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: slab, motion: fixed, material: m, shape: {box: {size: [2, 2, 0.2]}}, "
      "position: [0, 0, -0.1]}\n"
      "  - {name: box, material: m, shape: {box: {size: [0.2, 0.2, 0.2]}}, mass: 8, "
      "position: [0, 0, 0.15]}\n"
      "  - {name: top, material: m, shape: {box: {size: [0.2, 0.2, 0.2]}}, mass: 8, "
      "position: [0, 0, 0.38]}\n");
  const record::Frame& last = ran.sink.frames.back();
  EXPECT_TRUE(last.bodies[1].velocity.isZero(0));
  EXPECT_NEAR(last.bodies[1].acceleration.norm(), 0, 0.01);
  EXPECT_NEAR(last.bodies[2].acceleration.norm(), 0, 0.01);
  double on_slab = 0;
  for (const ContactState& contact : last.contacts)
    on_slab += contact.body_a == 0 || contact.body_b == 0 ? contact.normal_force : 0;
  EXPECT_NEAR(on_slab, 16 * 9.81, 0.2);
}

// Bodies that slide without friction over tiles, flush or with joints between them, keep their
// speed: no edge that they pass holds them back.
TEST(Stepping, EdgesOfTilesAreNotFelt) {
  for (const double joint : {0.0, 0.002})
    for (const char* shape :
         {test::tile_box, test::tile_ball, test::tile_cylinder, test::tile_rounded})
      for (const double turn : {0.0, 0.3}) {
        const Ran ran = run_of(test::tiles_scene("solver: {clock: step}", shape, turn, joint, 0));
        EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
        const Vec3& velocity = ran.sink.last(7).velocity;
        EXPECT_NEAR(velocity.x(), 1, 1e-5) << shape << ", joints of " << joint << ", " << turn;
        EXPECT_NEAR(velocity.y(), 0, 1e-5) << shape;
      }
}

}  // namespace
}  // namespace abut
