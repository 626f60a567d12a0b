// Joints, springs, drag and constant forces on bodies that bend: at material points, against closed
// forms, rigid bodies, and an equilibrium found in another way.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "base/limits.h"
#include "flexible/material_frame.h"
#include "support/scene_run.h"

namespace abut {
namespace {

using flexible::Columns;
using test::Ran;

constexpr double earth_gravity = 9.81;

std::string scene_with(std::string_view gravity, double duration, double step,
                       std::string_view rest) {
  return fmt::format(
      "abut: 1\nname: test\ngravity: {}\nduration: {}\nrecord: {{rate: 100}}\n"
      "solver: {{step: {}, clock: step}}\n{}",
      gravity, duration, step, rest);
}

double most_energy(const Ran& ran) {
  double most = -infinity;
  for (const auto& frame : ran.sink.frames) most = std::max(most, frame.energy.mechanical());
  return most;
}

/// The books close, and joints stay closed.
void expect_closed(const Ran& ran) {
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_LT(ran.summary.energy_error, 1e-7);
  EXPECT_LT(ran.summary.momentum_error, 1e-3);
  EXPECT_LT(test::largest_gap(ran), 1e-7);
}

// A stiff bar of mass m on a spring along it: x = v/w sin(w t) with w^2 = k/m.
TEST(BentForces, ABarSwingsOnASpring) {
  const Ran ran = test::run_of(scene_with("[0, 0, 0]", 3, 0.002, R"(
bodies:
  - {name: bar, shape: {box: {size: [0.2, 0.2, 1]}}, density: 1000, position: [0, 0, 0.5],
     velocity: [0, 0, 1], flexible: {order: 2, young: 1 GPa, poisson: 0.3}}
forces:
  - {type: spring, bodies: [world, bar], at: [[0, 0, -2], [0, 0, 0]], stiffness: 4000}
)"));
  expect_closed(ran);
  const double omega = 10;
  for (const auto& frame : ran.sink.frames) {
    // The phase of the rule of the mean acceleration is late by (w h)^2 / 12.
    EXPECT_NEAR(frame.bodies[0].centre_of_mass.z(), 0.5 + std::sin(omega * frame.time) / omega,
                1e-3);
    EXPECT_NEAR(frame.energy.mechanical(), 20, 0.03);
  }
}

// The same with a spring that vibrates hundreds of times in a step: the end is held, no energy is
// gained, and the step is as long as before.
TEST(BentForces, AStiffSpringNeedsNoShortSteps) {
  for (const char* length : {"2", "0"}) {
    const Ran ran = test::run_of(scene_with("[0, 0, -9.81]", 1, 0.005,
                                            fmt::format(R"(
bodies:
  - {{name: bar, shape: {{box: {{size: [0.2, 0.2, 1]}}}}, density: 1000, position: [0, 0, -0.5],
     flexible: {{order: 2, young: 100 kPa, poisson: 0.3, damping: 5 ms}}}}
forces:
  - {{type: spring, bodies: [world, bar], at: [[0, 0, {}], [0, 0, 0]], length: {},
     stiffness: 1e9}}
)",
                                                        length, length)));
    expect_closed(ran);
    // Of 196 J; between the kicks frames interpolate.
    EXPECT_LE(most_energy(ran), ran.sink.frames.front().energy.mechanical() + 0.02) << length;
    const auto& last = ran.sink.frames.back();
    const flexible::BendingBody& body = *ran.model.bodies[0].bending->body;
    const Vec3 top =
        flexible::combined(flexible::weights_at(body, Vec3(0, 0, 0.5)), last.bending[0].columns);
    EXPECT_LT(top.norm(), 1e-5) << length;
    EXPECT_LT(ran.summary.steps, 250) << length;
  }
}

// Two bars that a spring pulls together: momentum and spin of both stay zero.
TEST(BentForces, ASpringBetweenBodiesKeepsMomentum) {
  const Ran ran = test::run_of(scene_with("[0, 0, 0]", 2, 0.004, R"(
bodies:
  - {name: one, shape: {box: {size: [0.2, 0.2, 1]}}, density: 1000, position: [0, 0, 0],
     flexible: {order: 2, young: 1 MPa, poisson: 0.3}}
  - {name: two, shape: {box: {size: [0.2, 0.2, 1]}}, density: 500, position: [1, 0.3, 0],
     flexible: {order: 1, young: 1 MPa, poisson: 0.3}}
  - {name: three, shape: {sphere: {radius: 0.1}}, density: 2000, position: [-1, 0, 0.4]}
forces:
  - {type: spring, bodies: [one, two], at: [[0, 0, 0.5], [1, 0.3, -0.4]], stiffness: 300, length: 1}
  - {type: spring, bodies: [one, three], at: [[0, 0, -0.5], [-1, 0, 0.4]], stiffness: 100, length: 0.9}
)"));
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  // Steps of vibrating bodies keep their spin to second order.
  EXPECT_LT(ran.summary.momentum_error, 1e-3);
  Vec3 momentum = Vec3::Zero();
  double exchanged = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 one = ran.model.bodies[i].mass.mass * ran.sink.frames.back().bodies[i].velocity;
    momentum += one;
    exchanged += one.norm();
  }
  EXPECT_LT(momentum.norm(), 1e-3 * exchanged);
  EXPECT_LE(most_energy(ran), 1.002 * ran.sink.frames.front().energy.mechanical());
}

// Linear drag: v = v0 exp(-c t / m). A constant force at the end of a bar moves its centre by
// F t^2 / 2 m, and a torque about its axis turns it by T t^2 / 2 I.
TEST(BentForces, DragAndConstantForces) {
  const Ran ran = test::run_of(scene_with("[0, 0, 0]", 1, 0.002, R"(
bodies:
  - {name: slowed, shape: {box: {size: [0.2, 0.2, 1]}}, density: 1000, velocity: [1, 0, 2],
     angular_velocity: [0, 0, 1], flexible: {order: 2, young: 1 GPa, poisson: 0.3}}
  - {name: pushed, shape: {box: {size: [0.2, 0.2, 1]}}, density: 1000, position: [5, 0, 0],
     flexible: {order: 2, young: 1 GPa, poisson: 0.3}}
forces:
  - {type: drag, body: slowed, linear: 60, angular: 0.5}
  - {type: constant, body: pushed, force: [0, 0, 80], torque: [0, 0, 0.4], at: [5, 0, 0.5]}
)"));
  expect_closed(ran);
  const double inertia = 40 * 0.08 / 12;
  const BodyState &slowed = ran.last("slowed"), &pushed = ran.last("pushed");
  EXPECT_NEAR(slowed.velocity.z(), 2 * std::exp(-1.5), 2e-3);
  EXPECT_NEAR(slowed.angular_velocity.z(), std::exp(-0.5 / inertia), 5e-3);
  EXPECT_NEAR(pushed.position.z(), 1, 1e-3);
  EXPECT_NEAR(pushed.angular_velocity.z(), 0.4 / inertia, 0.01);
}

// An impulse J gives a free body the momentum J once, and the row after it tells so: from then on
// it drifts with J / m. What it takes up is J^2 w^T m^-1 w / 2, with w the weights of its point:
// half of J^2 / m where only the rest of the body follows, more where that bends as well.
TEST(BentForces, AnImpulseStrikesOnce) {
  for (const int order : {1, 2}) {
    const Ran ran = test::run_of(scene_with("[0, 0, 0]", 0.5, 0.002,
                                            fmt::format(R"(
bodies:
  - {{name: struck, shape: {{box: {{size: [0.2, 0.2, 0.2]}}}}, density: 1000,
     flexible: {{order: {}, young: 1 MPa, poisson: 0.3}}}}
forces:
  - {{type: impulse, body: struck, time: 0.2, impulse: [8, 0, 0], at: [0.05, 0, 0]}}
)",
                                                        order)));
    expect_closed(ran);
    const BodyState& struck = ran.last("struck");
    EXPECT_NEAR(struck.velocity.x(), 1, 1e-9);
    EXPECT_NEAR(struck.centre_of_mass.x(), 0.3, 1e-9);
    const flexible::BendingBody& body = *ran.model.bodies[0].bending->body;
    const auto at = flexible::weights_at(body.kind, {0.05, 0, 0});
    EXPECT_NEAR(ran.summary.energy_final, 32 * body.mass.mobility(at, at), 1e-6);
    double after = 0;
    for (const auto& frame : ran.sink.frames)
      if (frame.time <= 0.2) after = frame.bodies[0].velocity.x();
    EXPECT_NEAR(after, 1, 1e-9);
  }
}

// The same where contacts and joints have a part in it: two blocks that a weld holds together share
// what one of them gets, and no energy comes from nowhere.
TEST(BentForces, AnImpulseStrikesBodiesThatAreJoined) {
  const Ran ran = test::run_of(scene_with("[0, 0, 0]", 0.5, 0.001, R"(
bodies:
  - {name: bent, shape: {box: {size: [0.2, 0.2, 0.2]}}, density: 1000,
     flexible: {order: 1, young: 1 MPa, poisson: 0.3}}
  - {name: rigid, shape: {box: {size: [0.2, 0.2, 0.2]}}, density: 1000, position: [0, 0, 0.5]}
joints:
  - {name: weld, type: weld, bodies: [rigid, bent], at: [0, 0, 0.25]}
forces:
  - {type: impulse, body: bent, time: 0.1, impulse: [0, 0, 16], at: [0, 0, 0]}
)"));
  expect_closed(ran);
  const double way = ran.last("bent").centre_of_mass.z() + ran.last("rigid").centre_of_mass.z();
  EXPECT_NEAR(8 * (way - 0.5), 16 * 0.4, 1e-6);
}

// However large the gap is that a sheet keeps, it falls freely, z = g t^2 / 2, and linear drag
// slows it by v = v0 exp(-c t / m): steps that leave what is little beside the gap would leave it
// all.
TEST(BentForces, LargeAndSlowSheetsFollowTheirForces) {
  const std::string sheet =
      "shape: {sheet: {size: [SIZE, SIZE], cells: [6, 6], stretch: 100, shear: 50, bend: 0.1, "
      "damping: 0.02, thickness: 0.01}}, density: 0.2";
  const auto sized = [&](const std::string& size) {
    std::string text = sheet;
    for (int i = 0; i < 2; ++i) text.replace(text.find("SIZE"), 4, size);
    return text;
  };
  const Ran falling = test::run_of(scene_with(
      "[0, 0, -9.81]", 0.5, 0.004, "\nbodies:\n  - {name: sheet, " + sized("100") + "}\n"));
  EXPECT_EQ(falling.summary.status, RunStatus::complete) << falling.summary.message;
  EXPECT_NEAR(falling.last("sheet").centre_of_mass.z(), -0.5 * earth_gravity * 0.25, 1e-5);
  const Ran slowed =
      test::run_of(scene_with("[0, 0, 0]", 0.5, 0.004,
                              "\nbodies:\n  - {name: sheet, velocity: [0, 0, 1], " + sized("1") +
                                  "}\nforces:\n  - {type: drag, body: sheet, linear: 0.2}\n"));
  expect_closed(slowed);
  EXPECT_LT(slowed.summary.momentum_error, 1e-4);  // of what one step left
  EXPECT_NEAR(slowed.last("sheet").velocity.z(), std::exp(-0.5), 1e-4);
}

// A sheet that spins has momentum in motion, though it adds up to none.
TEST(BentForces, ASheetThatSpinsKeepsItsMomentum) {
  const Ran ran = test::run_of(scene_with("[0, 0, 0]", 0.5, 0.004, R"(
bodies:
  - {name: cloth, angular_velocity: [0, 0, 1],
     shape: {sheet: {size: [1, 1], cells: [4, 4], stretch: 100, shear: 50, bend: 0.1,
                     damping: 0.02, thickness: 0.01}}}
)"));
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_LT(ran.summary.momentum_error, 2e-3);
  EXPECT_NEAR(ran.last("cloth").angular_velocity.z(), 1, 1e-3);
}

// A stiff bar that hangs from a ball joint swings as the rigid one does.
TEST(BentJoints, AHungBarSwingsAsARigidOne) {
  const std::string text = R"(
bodies:
  - {name: bar, shape: {box: {size: [0.2, 0.2, 1]}}, density: 1000, position: [0, 0, 0.5],
     orientation: {axis: [0, 1, 0], angle: 40 deg}FLEXIBLE}
joints:
  - {name: pivot, type: ball, bodies: [world, bar], at: [0.321393804843270, 0, 0.883022221559489]}
)";
  const auto run = [&](std::string_view flexible) {
    std::string with = text;
    with.replace(with.find("FLEXIBLE"), 8, flexible);
    return test::run_of(scene_with("[0, 0, -9.81]", 1.5, 0.002, with));
  };
  const Ran bent = run(", flexible: {order: 2, young: 100 MPa, poisson: 0.3, damping: 1 ms}");
  const Ran rigid = run("");
  expect_closed(bent);
  const BodyState &a = bent.last("bar"), &b = rigid.last("bar");
  EXPECT_LT((a.centre_of_mass - b.centre_of_mass).norm(), 5e-3);
  EXPECT_LT(a.orientation.angularDistance(b.orientation), 1e-2);
}

/// The columns of least elastic energy and weight among those with x(p) where it starts and F(p)
/// symmetric, which is a polar rotation of 1: by Newton's method with multipliers.
Columns equilibrium(const flexible::BendingBody& body, Columns columns, const Vec3& p,
                    const Vec3& gravity) {
  const auto n = static_cast<int>(3 * columns.cols());
  const Columns start = columns;
  Eigen::MatrixXd rows(6, n);
  for (int k = 0; k < n; ++k) {
    Columns unit = Columns::Zero(3, columns.cols());
    unit.data()[k] = 1;
    const Mat3 f = flexible::deformation_at(body.kind, unit, p);
    rows.col(k) << flexible::combined(flexible::weights_at(body.kind, p), unit), f(2, 1) - f(1, 2),
        f(0, 2) - f(2, 0), f(1, 0) - f(0, 1);
  }
  for (int round = 0; round < 60; ++round) {
    Columns force = gravity * body.mass.share().transpose();
    body.elasticity->add_force(columns, force);
    flexible::Blocks blocks;
    body.elasticity->stiffness(columns, blocks, true);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + 6, n + 6);
    for (int k = 0; k < n; ++k) {
      Columns unit = Columns::Zero(3, columns.cols()), moved = unit;
      unit.data()[k] = 1;
      flexible::add_product(body.elasticity->pairs(), blocks, 1, unit, moved);
      matrix.col(k).head(n) = Eigen::Map<const Eigen::VectorXd>(moved.data(), n);
    }
    matrix.bottomLeftCorner(6, n) = rows;
    matrix.topRightCorner(n, 6) = rows.transpose();
    Eigen::VectorXd right(n + 6);
    const Columns off = start - columns;
    right << Eigen::Map<const Eigen::VectorXd>(force.data(), n),
        rows * Eigen::Map<const Eigen::VectorXd>(off.data(), n);
    const Eigen::VectorXd step = matrix.fullPivLu().solve(right);
    columns += Eigen::Map<const Columns>(step.data(), 3, columns.cols());
    if (step.head(n).norm() < 1e-13) break;
  }
  return columns;
}

// A board that is welded at one end comes to rest where the model's own equilibrium is, and the
// weld bears its weight and moment.
TEST(BentJoints, AWeldedBoardBendsToItsEquilibrium) {
  const Ran ran = test::run_of(scene_with("[0, 0, -9.81]", 6, 0.005, R"(
bodies:
  - {name: board, shape: {box: {size: [2, 0.4, 0.1]}}, density: 500, position: [0, 0, 1],
     flexible: {order: 2, young: 40 MPa, poisson: 0.3, damping: 50 ms}}
joints:
  - {name: root, type: weld, bodies: [world, board], at: [-1, 0, 1]}
)"));
  expect_closed(ran);
  const model::Bending& bending = *ran.model.bodies[0].bending;
  const Columns at_rest = equilibrium(*bending.body, bending.initial.columns, Vec3(-1, 0, 0),
                                      Vec3(0, 0, -earth_gravity));
  const auto tip = flexible::weights_at(*bending.body, Vec3(1, 0, 0));
  const auto& last = ran.sink.frames.back();
  const Vec3 found = flexible::combined(tip, last.bending[0].columns);
  const Vec3 expected = flexible::combined(tip, at_rest);
  EXPECT_LT(expected.z(), 0.98);  // it does bend
  // It falls asleep before the last of its vibration is gone.
  EXPECT_LT((found - expected).norm(), 5e-4 * (1 - expected.z()));
  const JointState& root = test::joint_in(last, 0);
  const Vec3 load(0, 0, 40 * earth_gravity);
  EXPECT_LT((root.force - load).norm(), 1e-3 * load.norm());
  const Vec3 moment = (Vec3(-1, 0, 1) - bending.body->mass.centre(at_rest)).cross(load);
  EXPECT_LT((root.torque + moment).norm(), 1e-3 * moment.norm());
}

// All types of joints between a body that bends and a rigid one, or another that bends, in free
// space: closed, momentum kept, no energy gained.
TEST(BentJoints, EveryTypeHoldsAndKeepsMomentum) {
  for (const char* type : {"ball", "hinge", "universal", "prismatic", "cylindrical",
                           "point_on_line", "point_on_plane", "weld", "distance"}) {
    const std::string name = type;
    const bool has_axis = name != "ball" && name != "weld" && name != "distance";
    for (const char* second : {"", ", flexible: {order: 1, young: 3 MPa, poisson: 0.2}"}) {
      const Ran ran = test::run_of(scene_with(
          "[0, 0, 0]", 0.5, 0.004,
          fmt::format(R"(
bodies:
  - {{name: one, shape: {{box: {{size: [0.3, 0.2, 1]}}}}, density: 1000, velocity: [0.1, 0.2, 0],
     flexible: {{order: 2, young: 2 MPa, poisson: 0.3, damping: 2 ms}}}}
  - {{name: two, shape: {{box: {{size: [0.3, 0.2, 0.6]}}}}, density: 700, position: [0, 0, 0.9],
     velocity: [0.1, 0.2, 0], angular_velocity: [0, 0, 0]{}}}
joints:
  - {{name: between, type: {}, bodies: [one, two], at: {}{}}}
forces:
  - {{type: impulse, body: two, time: 0.01, impulse: [4, 1, -3], at: [0.1, 0, 1.1]}}
)",
                      second, type,
                      name == "distance" ? "[[0, 0, 0.5], [0.1, 0, 0.7]]" : "[0, 0, 0.55]",
                      has_axis ? ", axis: [0, 1, 0.2]" : "")));
      EXPECT_EQ(ran.summary.status, RunStatus::complete) << type << ": " << ran.summary.message;
      EXPECT_LT(test::largest_gap(ran), 1e-6) << type << second;
      EXPECT_LT(ran.summary.momentum_error, 1e-3) << type << second;
      EXPECT_LT(ran.summary.energy_error, 1e-6) << type << second;
      double dissipated = 0;
      for (const auto& frame : ran.sink.frames) {
        EXPECT_GT(frame.energy.dissipated, dissipated - 0.02) << type << second;
        dissipated = std::max(dissipated, frame.energy.dissipated);
      }
    }
  }
}

// A motor turns a wheel that bends, its limits stop it.
TEST(BentJoints, MotorsAndLimits) {
  const Ran ran = test::run_of(scene_with("[0, 0, 0]", 2, 0.005, R"(
bodies:
  - {name: turned, shape: {box: {size: [1, 0.2, 0.2]}}, density: 1000,
     flexible: {order: 2, young: 10 MPa, poisson: 0.3, damping: 10 ms}}
joints:
  - {name: axle, type: hinge, bodies: [world, turned], at: [0, 0, 0], axis: [0, 0, 1],
     motor: {speed: 1, max_torque: 100}, limits: [-1, 1.2]}
)"));
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_LT(ran.summary.energy_error, 1e-9);
  double most = 0;
  for (const auto& frame : ran.sink.frames) {
    const flexible::MaterialFrame frame_at(*ran.model.bodies[0].bending->body,
                                           frame.bending[0].columns, Vec3::Zero());
    const double angle = std::atan2(frame_at.rotation()(1, 0), frame_at.rotation()(0, 0));
    most = std::max(most, angle);
    if (frame.time > 0.4 && frame.time < 1) {
      EXPECT_NEAR(angle, frame.time, 0.02) << frame.time;
    }
  }
  EXPECT_NEAR(most, 1.2, 1e-3);
}

// A sheet on two pins with a ball and a jelly that hang from it, a spring beside a pin, wind and a
// force: what pins bear is told apart from what springs and joints do at their nodes.
TEST(BentJoints, ASheetTakesJointsAndForces) {
  const Ran ran = test::run_of(scene_with("[0, 0, -9.81]", 0.6, 0.004, R"(
bodies:
  - name: cloth
    shape:
      sheet: {size: [1, 1], cells: [6, 6], stretch: 500, shear: 100, bend: 1, damping: 0.05,
              thickness: 1 cm, pins: [[0, 0], [0, 6]]}
    density: 0.4
    position: [0, 0, 1]
  - {name: ball, shape: {sphere: {radius: 0.1}}, density: 100, position: [0.5, 0.5, 0.8]}
  - {name: jelly, shape: {box: {size: [0.2, 0.2, 0.2]}}, density: 300, position: [0.5, -0.5, 0.7],
     flexible: {order: 2, young: 50 kPa, damping: 2 ms}}
joints:
  - {name: hang, type: ball, bodies: [cloth, ball], at: [0.5, 0.5, 1]}
forces:
  - {type: spring, bodies: [cloth, jelly], at: [[0.5, -0.5, 1], [0.5, -0.5, 0.8]], stiffness: 300}
  - {type: spring, bodies: [world, cloth], at: [[-0.6, 0, 2], [-0.45, -0.45, 1]], stiffness: 50}
  - {type: drag, body: cloth, linear: 0.1, wind: [2, 0, 0]}
  - {type: constant, body: cloth, force: [0, 0.5, 0], at: [0, 0, 1]}
)"));
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_LT(ran.summary.momentum_error, 2e-3);
  EXPECT_LT(ran.summary.energy_error, 1e-9);
  // Joints are closed where steps end; within one its bodies go straight on, or turn.
  for (const auto& frame : ran.sink.frames) EXPECT_LT(test::joint_in(frame, 0).gap, 5e-4);
}

}  // namespace
}  // namespace abut
