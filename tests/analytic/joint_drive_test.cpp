// Limits, motors and breaking of joints against closed forms, at the default tolerance.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "support/bars.h"
#include "support/constants.h"
#include "support/reference_ode.h"
#include "support/scene_run.h"

namespace abut {
namespace {

using abut::test::g;
using abut::test::pi;

// A bar of 1 m and 3 kg, hinged at one end at the origin and let go horizontally, along +x. Turning
// about +y lowers it.
class HingedBar : public ::testing::Test {
 protected:
  static constexpr double mass = 3, arm = 0.5;
  const double implicit_step_ = test::bar_moment(mass, 1) + mass * arm * arm;  // about the hinge
  const double weight_torque_ = mass * g * arm;

  static model::Model bar(double duration) {
    model::Model model = test::empty_model(duration);
    model.gravity = Vec3(0, 0, -g);
    model.bodies = {test::bar("bar", Vec3::Zero(), Vec3::UnitX(), mass)};
    test::join(model, JointType::hinge, world, 0, Vec3::Zero());
    return model;
  }

  // Time to fall from rest to an angle below the horizontal, J w^2 / 2 = m g a sin(angle): with
  // angle = s^2 the integrand is smooth. By Gauss' rule on many pieces.
  double time_to_fall(double angle) const {
    constexpr int pieces = 200;
    constexpr double node = 0.5773502691896257645;
    const double h = std::sqrt(angle) / pieces;
    double sum = 0;
    for (int i = 0; i < pieces; ++i)
      for (const double sign : {-node, node}) {
        const double s = h * (i + 0.5 + 0.5 * sign);
        sum += h / 2 * 2 * s / std::sqrt(2 * weight_torque_ / implicit_step_ * std::sin(s * s));
      }
    return sum;
  }
  double speed_at(double angle) const {
    return std::sqrt(2 * weight_torque_ / implicit_step_ * std::sin(angle));
  }
  static double angle_of(const BodyState& bar) {
    const Vec3 along = bar.orientation * Vec3::UnitX();
    return std::atan2(-along.z(), along.x());
  }
};

TEST_F(HingedBar, FallsOntoItsLimitAndRestsThere) {
  model::Model model = bar(2);
  model.joints[0].limits = {{-0.5, 1.0}};
  const test::Ran ran = test::run_of(model);
  test::expect_sound(ran);
  const auto hits = ran.events(EventKind::limit);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_NEAR(hits[0].time, time_to_fall(1), 1e-9);
  EXPECT_NEAR(hits[0].normal_impulse, implicit_step_ * speed_at(1), 1e-8);
  EXPECT_NEAR(ran.summary.dissipated_by_impacts, weight_torque_ * std::sin(1.0), 1e-8);
  for (const auto& frame : ran.sink.frames) {
    if (frame.time < hits[0].time || frame.kind == record::FrameKind::before) continue;
    ASSERT_NEAR(angle_of(frame.bodies[0]), 1, 1e-12);
    ASSERT_NEAR(frame.bodies[0].angular_velocity.norm(), 0, 1e-12);
    const JointState& hinge = test::joint_in(frame, 0);
    ASSERT_NEAR(hinge.torque.y() / (weight_torque_ * std::cos(1.0)), -1, 1e-9);
    ASSERT_NEAR(hinge.force.z() / (mass * g), 1, 1e-9);
  }
  // The impulse on the limit shakes the hinge: m v = m g-less impulse, J w about it.
  bool told = false;
  for (const auto& frame : ran.sink.frames)
    for (const JointState& impulse : test::joint_impulses(frame)) {
      if (frame.time != hits[0].time) continue;
      told = true;
      EXPECT_NEAR(impulse.torque.y(), -implicit_step_ * speed_at(1), 1e-8);
      EXPECT_NEAR(impulse.force.norm(), mass * arm * speed_at(1), 1e-8);
    }
  EXPECT_TRUE(told);
}

// It rests on its limit while its hinge is carried down faster and faster, -c t^3 / 6: it weighs
// nothing when c t = g, and is left behind from then on.
TEST_F(HingedBar, LeavesItsLimitWhenItWeighsNothing) {
  model::Model model = test::scene(R"yaml(
abut: 1
duration: 1.5
bodies:
  - {name: bar, shape: {box: {size: [1, 0.05, 0.05]}}, mass: 3, position: [0.5, 0, 0]}
  - {name: lift, shape: {sphere: {radius: 0.01}}, motion: {position: ["0", "0", "-9.81*t^3/6"]}}
joints:
  - {name: hinge, type: hinge, bodies: [lift, bar], at: [0, 0, 0], axis: [0, 1, 0], limits: [-3, 0]}
)yaml");
  const test::Ran ran = test::run_of(model);
  test::expect_sound(ran);
  const auto rate = [&](double t, const Eigen::VectorXd& y) -> Eigen::VectorXd {
    return Eigen::Vector2d(y[1], mass * arm / implicit_step_ * (g - g * t) * std::cos(y[0]));
  };
  for (const auto& frame : ran.sink.frames) {
    const double s = frame.time - 1;
    double exact = 0;
    if (s > 0)
      exact = test::reference_solution(
          [&](double t, const Eigen::VectorXd& y) { return rate(1 + t, y); },
          Eigen::Vector2d::Zero(), s, 20)[0];
    ASSERT_NEAR(angle_of(frame.bodies[0]), exact, 1e-9) << frame.time;
    if (s < 0 && frame.kind != record::FrameKind::before) {
      ASSERT_NEAR(test::joint_in(frame, 0).torque.y(), weight_torque_ * s, 1e-9) << frame.time;
    }
  }
}

TEST_F(HingedBar, BreaksUnderTheRightLoadAndFliesOn) {
  // Radial and tangential force when the bar has fallen by `angle` from rest.
  const auto load = [&](double angle) {
    const double ratio = mass * arm * arm / implicit_step_;
    return mass * g * std::hypot(std::sin(angle) * (1 + 2 * ratio), std::cos(angle) * (1 - ratio));
  };
  model::Model model = bar(1);
  model.joints[0].break_force = load(1);
  const test::Ran ran = test::run_of(model);
  EXPECT_LT(ran.summary.energy_error, 1e-9);
  EXPECT_LT(ran.summary.momentum_error, 1e-9);
  EXPECT_EQ(ran.summary.dissipated_by_impacts, 0);
  const auto breaks = ran.events(EventKind::break_joint);
  ASSERT_EQ(breaks.size(), 1u);
  const double when = time_to_fall(1);
  EXPECT_NEAR(breaks[0].time, when, 1e-9);
  const double speed = speed_at(1);
  const Vec3 start = arm * Vec3(std::cos(1.0), 0, -std::sin(1.0));
  const Vec3 velocity = Vec3(0, speed, 0).cross(start);
  for (const auto& frame : ran.sink.frames) {
    const double s = frame.time - breaks[0].time;
    if (s < 0 || frame.kind == record::FrameKind::before) continue;
    EXPECT_TRUE(frame.joints.empty());
    const Vec3 exact = start + s * velocity - 0.5 * s * s * g * Vec3::UnitZ();
    ASSERT_LT((frame.bodies[0].centre_of_mass - exact).norm(), 2e-9);
    ASSERT_NEAR(frame.bodies[0].angular_velocity.y(), speed, 2e-9);
  }
}

TEST_F(HingedBar, BreaksUnderTorque) {
  // A weld of the bar bears m g a about the joint at once.
  model::Model model = bar(0.5);
  model.joints.clear();
  test::join(model, JointType::weld, world, 0, Vec3::Zero());
  model.joints[0].break_torque = 1.001 * weight_torque_;
  EXPECT_TRUE(test::run_of(model).events(EventKind::break_joint).empty());
  model.joints[0].break_torque = 0.999 * weight_torque_;
  const test::Ran ran = test::run_of(model);
  const auto breaks = ran.events(EventKind::break_joint);
  ASSERT_EQ(breaks.size(), 1u);
  EXPECT_EQ(breaks[0].time, 0);
  EXPECT_NEAR(ran.sink.last(0).velocity.z(), -g * 0.5, 1e-12);
}

TEST_F(HingedBar, IsHeldByAMotorThatIsStrongEnough) {
  for (const double direction : {-1.0, 1.0}) {
    model::Model model = bar(1);
    model.gravity *= direction;
    model.joints[0].motor = JointMotor{0, 1.01 * weight_torque_};
    const test::Ran ran = test::run_of(model);
    test::expect_sound(ran);
    EXPECT_NEAR(angle_of(ran.sink.last(0)), 0, 1e-12);
    const JointState& hinge = test::joint_in(ran.sink.frames.back(), 0);
    EXPECT_NEAR(hinge.torque.y(), -direction * weight_torque_, 1e-9);
  }
}

// It hangs and is lifted at 1 rad/s, until the motor is too weak: m g a sin(angle) = its torque.
// From there on the torque is constant.
TEST_F(HingedBar, IsLiftedUntilTheMotorStalls) {
  model::Model model = bar(2);
  model.bodies[0] = test::bar("bar", Vec3::Zero(), -Vec3::UnitZ(), mass);
  model.joints.clear();
  test::join(model, JointType::hinge, world, 0, Vec3::Zero());
  const double torque = 0.8 * weight_torque_;
  model.joints[0].motor = JointMotor{-1, torque};  // towards +x
  test::turn_about(model.bodies[0], Vec3::Zero(), -1);
  const test::Ran ran = test::run_of(model);
  test::expect_sound(ran);
  const double stall = std::asin(0.8);
  const auto rate = [&](double, const Eigen::VectorXd& y) -> Eigen::VectorXd {
    return Eigen::Vector2d(y[1], (torque - weight_torque_ * std::sin(y[0])) / implicit_step_);
  };
  bool has_stopped = false;
  for (const auto& frame : ran.sink.frames) {
    const Vec3 along = frame.bodies[0].orientation * Vec3::UnitX();
    const double angle = std::atan2(along.x(), -along.z());
    Eigen::VectorXd exact = Eigen::Vector2d(frame.time, 1);
    if (frame.time > stall)
      exact = test::reference_solution(rate, Eigen::Vector2d(stall, 1), frame.time - stall, 50);
    if (exact[1] < 0) has_stopped = true;
    if (has_stopped && exact[1] > 0.9) break;  // up to speed once more
    ASSERT_NEAR(angle, exact[0], 1e-8) << frame.time;
    ASSERT_NEAR(-frame.bodies[0].angular_velocity.y(), exact[1], 1e-8) << frame.time;
    const double needed = std::min(torque, weight_torque_ * std::sin(exact[0]));
    if (frame.time <= stall || frame.time > stall + 0.01) {
      ASSERT_NEAR(test::joint_in(frame, 0).torque.y(), -(frame.time > stall ? torque : needed),
                  1e-7)
          << frame.time;
    }
  }
  EXPECT_TRUE(has_stopped);
}

class Flywheel : public ::testing::Test {
 protected:
  static model::Model wheel(double speed, JointMotor motor) {
    model::Model model = test::empty_model(2);
    model.bodies = {test::body_of(shape::Cylinder{0.3, 0.1})};
    model.bodies[0].angular_velocity = Vec3(0, 0, speed);
    test::join(model, JointType::hinge, world, 0, Vec3::Zero(), Vec3::UnitZ());
    model.joints[0].motor = motor;
    return model;
  }
};

TEST_F(Flywheel, SpinsUpWithConstantTorqueAndHolds) {
  for (const double start : {0.0, 25.0, -5.0}) {
    const double moment = wheel(0, {}).bodies[0].mass.principal.z(), speed = 10;
    const double torque = 12 * moment;
    const test::Ran ran = test::run_of(wheel(start, {speed, torque}));
    test::expect_sound(ran);
    const double sign = start < speed ? 1 : -1;
    const double reached = std::abs(speed - start) / 12;
    for (const auto& frame : ran.sink.frames) {
      const bool is_up = frame.time >= reached;
      const double exact = is_up ? speed : start + sign * 12 * frame.time;
      ASSERT_NEAR(frame.bodies[0].angular_velocity.z(), exact, is_up ? 1e-8 : 1e-11);
      if (std::abs(frame.time - reached) < 1e-6 || frame.kind == record::FrameKind::before)
        continue;
      ASSERT_NEAR(test::joint_in(frame, 0).torque.z(), is_up ? 0 : sign * torque, 1e-8 * torque);
    }
    EXPECT_NEAR(ran.summary.work, 0.5 * moment * (speed * speed - start * start), 1e-6);
  }
}

TEST_F(Flywheel, KeepsTheSpeedOfAnUnlimitedMotorExactly) {
  model::Model model = wheel(7, {7});
  model.forces.push_back(model::Drag{0, 0, 0, 3, Vec3::Zero()});
  const test::Ran ran = test::run_of(model);
  for (const auto& frame : ran.sink.frames) {
    ASSERT_NEAR(frame.bodies[0].angular_velocity.z(), 7, 1e-14);
    ASSERT_NEAR(test::joint_in(frame, 0).torque.z(), 21, 1e-10);
  }
  EXPECT_NEAR(ran.summary.work, 21 * 7 * 2, 1e-9);
  EXPECT_LT(ran.summary.energy_error, 1e-9);
  EXPECT_LT(ran.summary.momentum_error, 1e-9);
}

// A slide with limits and a motor: the block is driven to the stop and pressed against it.
TEST(Slide, IsDrivenToItsStopAndPressedAgainstIt) {
  const test::Ran ran = test::run_of(R"yaml(
abut: 1
duration: 2
gravity: [0, 0, -9.81]
bodies:
  - {name: block, shape: {box: {size: [0.1, 0.2, 0.3]}}, mass: 2, position: [0, 0, 0]}
joints:
  - {name: slide, type: prismatic, bodies: [world, block], axis: [1, 0, 0], limits: [-1, 0.5],
     motor: {speed: 3, max_force: 8}}
)yaml");
  test::expect_sound(ran);
  const auto hits = ran.events(EventKind::limit);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_NEAR(hits[0].time, std::sqrt(2 * 0.5 / 4), 1e-9);  // 4 m/s^2: 3 m/s is not reached
  EXPECT_NEAR(hits[0].normal_impulse, 2 * 2, 1e-8);
  EXPECT_NEAR(ran.last("block").centre_of_mass.x(), 0.5, 1e-12);
  // Motor and stop cancel.
  EXPECT_NEAR(test::joint_in(ran.sink.frames.back(), 0).force.x(), 0, 1e-9);
  EXPECT_NEAR(ran.summary.work, 8 * 0.5, 1e-8);
}

// What a motor that nothing can stop drives to a limit stays there, whatever pulls it away.
TEST(UnlimitedMotor, StopsAtItsLimitAndHolds) {
  for (const char* clock : {"event", "step"}) {
    const test::Ran ran = test::run_of(fmt::format(R"yaml(
abut: 1
duration: 1.5
gravity: [0, 0, -10]
solver: {{clock: {}}}
bodies:
  - {{name: lift, shape: {{box: {{size: [0.1, 0.2, 0.3]}}}}, mass: 2, position: [0.3, 0, 0]}}
  - {{name: arm, shape: {{box: {{size: [0.4, 0.1, 0.1]}}}}, mass: 3, position: [3, 0, 0]}}
joints:
  - {{name: slide, type: prismatic, bodies: [world, lift], axis: [0, 0, 1], limits: [-1, 0.5],
     motor: {{speed: 1}}}}
  - {{name: axle, type: hinge, bodies: [arm, world], at: [2.8, 0, 0], axis: [0, 1, 0],
     limits: [-1, 0.5], motor: {{speed: -2}}}}
)yaml",
                                                   clock));
    SCOPED_TRACE(clock);
    EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
    const bool is_event = std::string(clock) == "event";
    const double tolerance = is_event ? 1e-10 : 1e-6;
    EXPECT_NEAR(ran.last("lift").centre_of_mass.z(), 0.5, tolerance);
    EXPECT_LT(ran.last("lift").velocity.norm(), tolerance);
    // The second body of the axle is the world: seen from there the arm turns by +1 rad about +y.
    EXPECT_NEAR(ran.last("arm").centre_of_mass.x(), 2.8 + 0.2 * std::cos(1), tolerance);
    EXPECT_NEAR(ran.last("arm").centre_of_mass.z(), -0.2 * std::sin(1), tolerance);
    EXPECT_LT(ran.last("arm").angular_velocity.norm(), tolerance);
    EXPECT_NEAR(test::joint_in(ran.sink.frames.back(), 0).force.z(), 20, is_event ? 1e-8 : 1e-3);
    if (!is_event) continue;
    const auto hits = ran.events(EventKind::limit);
    ASSERT_EQ(hits.size(), 2u);
    for (const Event& hit : hits) EXPECT_NEAR(hit.time, 0.5, 1e-9);
    // m v of the lift, and of the arm its moment about the axle times its spin.
    std::array impulses = {hits[0].normal_impulse, hits[1].normal_impulse};
    std::sort(impulses.begin(), impulses.end());
    EXPECT_NEAR(impulses[0], (3 * (0.4 * 0.4 + 0.1 * 0.1) / 12 + 3 * 0.2 * 0.2) * 2, 1e-8);
    EXPECT_NEAR(impulses[1], 2 * 1, 1e-8);
    EXPECT_LT(ran.summary.energy_error, 1e-9);
    EXPECT_LT(ran.summary.momentum_error, 1e-9);
  }
}

// Angles count turns: with a limit after two and a half of them it stops there.
TEST(Hinge, StopsAfterTwoAndAHalfTurns) {
  const test::Ran ran = test::run_of(R"yaml(
abut: 1
duration: 3
gravity: [0, 0, 0]
bodies:
  - {name: wheel, shape: {cylinder: {radius: 0.3, height: 0.1}}, angular_velocity: [0, 0, 8]}
joints:
  - {name: axle, type: hinge, bodies: [world, wheel], axis: [0, 0, 1], limits: [-1, 900 deg]}
)yaml");
  test::expect_sound(ran);
  const auto hits = ran.events(EventKind::limit);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_NEAR(hits[0].time, 5 * pi / 8, 1e-9);
  EXPECT_NEAR(ran.last("wheel").angular_velocity.norm(), 0, 1e-12);
}

// A ball is welded to a floor it is sunk into, and pulled up until the weld breaks. It rises out of
// the floor as if that were not there, and lands on it when it comes back.
TEST(BrokenJoints, BodiesThatOverlapPartFreelyAndThenCollide) {
  const test::Ran ran = test::run_of(test::scene(R"yaml(
abut: 1
duration: 2
gravity: [0, 0, -10]
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed}
  - {name: ball, shape: {sphere: {radius: 0.1}}, mass: 1, position: [0, 0, -0.05]}
joints:
  - {name: weld, type: weld, bodies: [floor, ball], break_force: 5}
forces:
  - {type: constant, body: ball, force: [0, 0, 20]}
  - {type: impulse, body: ball, time: 1, impulse: [0, 0, -30]}
)yaml"));
  EXPECT_LT(ran.summary.energy_error, 1e-12);
  EXPECT_GT(ran.summary.min_gap, 0);
  ASSERT_EQ(ran.events(EventKind::break_joint).size(), 1u);
  EXPECT_EQ(ran.events(EventKind::break_joint)[0].time, 0);
  // Up with 10 m/s^2 for a second; then from height 4.95 m down, at -20 m/s and against 10 m/s^2.
  const double landing = 1 + (20 - std::sqrt(20 * 20 - 4 * 5 * (4.95 - 0.1))) / 10;
  for (const auto& frame : ran.sink.frames) {
    if (frame.time > 1) break;
    ASSERT_NEAR(frame.bodies[1].position.z(), -0.05 + 5 * frame.time * frame.time, 1e-9);
  }
  const auto impacts = ran.events(EventKind::impact);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].time, landing, 1e-9);
}

}  // namespace
}  // namespace abut
