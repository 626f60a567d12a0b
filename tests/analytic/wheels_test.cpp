// A car on four cylinders: lines of contact, hinges and motors that all say the same many times
// over, against closed forms.

#include <numbers>

#include "support/scene_run.h"

namespace abut {
namespace {

constexpr double wheel_radius = 0.25, wheel_width = 0.15, density = 1000;

// `motion` of all bodies and `spin` of the wheels are keys of theirs; `motor` is one of the rear
// hinges.
std::string car(double duration, const std::string& motion, const std::string& spin,
                const std::string& motor, const std::string& others = "") {
  std::string bodies =
      "  - {name: floor, motion: fixed, shape: {plane: {}}, material: rubber}\n" + others +
      "  - {name: body, shape: {box: {size: [1.6, 0.6, 0.2]}}, position: [0, 0, 0.45], "
      "material: rubber" +
      motion + "}\n";
  std::string joints;
  for (const auto& [name, x, y] :
       {std::tuple{"fl", "0.6", "0.5"}, std::tuple{"fr", "0.6", "-0.5"},
        std::tuple{"rl", "-0.6", "0.5"}, std::tuple{"rr", "-0.6", "-0.5"}}) {
    const std::string at = std::string("[") + x + ", " + y + ", 0.25]";
    bodies += std::string("  - {name: ") + name +
              ", shape: {cylinder: {radius: 0.25, height: 0.15}}, material: rubber, "
              "orientation: {axis: [1, 0, 0], angle: 90 deg}, position: " +
              at + motion + spin + "}\n";
    joints += std::string("  - {name: hinge ") + name + ", type: hinge, bodies: [body, " + name +
              "], at: " + at + ", axis: [0, 1, 0]" + (name[0] == 'r' ? motor : "") + "}\n";
  }
  return "abut: 1\nduration: " + std::to_string(duration) +
         "\nmaterials: {rubber: {friction: 0.9, density: 1000}}\nbodies:\n" + bodies + "joints:\n" +
         joints;
}

TEST(Wheels, ACarAtRestStaysAtRestAndCostsNothing) {
  const test::Ran ran = test::run_of(car(3, "", "", ""));
  EXPECT_EQ(ran.summary.steps, 0);
  EXPECT_LT(std::abs(ran.last("body").position.x()), 1e-15);
  EXPECT_LT(std::abs(ran.last("body").position.z() - 0.45), 1e-9);
  EXPECT_LT(test::largest_gap(ran), 1e-12);
}

TEST(Wheels, ACarThatRollsGoesOn) {
  const test::Ran ran =
      test::run_of(car(2, ", velocity: [1, 0, 0]", ", angular_velocity: [0, 4, 0]", ""));
  EXPECT_NEAR(ran.last("body").position.x(), 2, 1e-10);
  EXPECT_NEAR(ran.last("fl").angular_velocity.y(), 4, 1e-10);
  EXPECT_LT(test::largest_gap(ran), 1e-12);
}

// Two torques T on wheels that roll: (2 T / r) = (M + 4 (m + I / r^2)) a, I = m r^2 / 2.
TEST(Wheels, MotorsDriveACar) {
  const double torque = 60, time = 1;
  const test::Ran ran = test::run_of(car(time, "", "", ", motor: {speed: 80, max_torque: 60}"));
  const double wheel = density * std::numbers::pi * wheel_radius * wheel_radius * wheel_width;
  const double body = density * 1.6 * 0.6 * 0.2;
  const double acceleration = 2 * torque / wheel_radius / (body + 4 * wheel * 1.5);
  EXPECT_NEAR(ran.last("body").position.x(), acceleration * time * time / 2, 1e-9);
  EXPECT_NEAR(ran.last("rl").angular_velocity.y(), acceleration * time / wheel_radius, 1e-9);
  EXPECT_LT(std::abs(ran.summary.energy_error), 1e-10);
  EXPECT_LT(test::largest_gap(ran), 1e-12);
}

// The wheels meet the edge of a step, with which their lines of contact are parallel, and roll up.
TEST(Wheels, ACarRollsUpAStep) {
  const test::Ran ran =
      test::run_of(car(2, ", velocity: [1, 0, 0]", ", angular_velocity: [0, 4, 0]", "",
                       "  - {name: step, motion: fixed, shape: {box: {size: [3, 4, 0.06]}}, "
                       "position: [2.45, 0, 0.03], material: rubber}\n"));
  EXPECT_EQ(ran.summary.status, RunStatus::complete);
  EXPECT_GT(ran.last("fl").position.z(), wheel_radius + 0.06);
  EXPECT_GT(ran.summary.min_gap, 0);
  EXPECT_LT(std::abs(ran.summary.energy_error), 1e-9);
  EXPECT_LT(test::largest_gap(ran), 1e-12);
}

// A wheel presses against another one and is driven by it, turn after turn: r1 w1 = r2 w2.
TEST(Wheels, OneDrivesAnotherByFriction) {
  for (const bool first : {true, false}) {
    const std::string driver =
        "  - {name: driver, shape: {cylinder: {radius: 0.2, height: 0.1}}, orientation: {axis: [1, "
        "0, 0], angle: 90 deg}}\n";
    const std::string driven =
        "  - {name: driven, shape: {cylinder: {radius: 0.1, height: 0.12}}, position: [0.3001, 0, "
        "0], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
        "  - {name: arm, shape: {box: {size: [0.05, 0.05, 0.05]}}, position: [0.3001, 0.2, 0]}\n";
    const test::Ran ran = test::run_of(
        "abut: 1\nduration: 2\ngravity: [0, 0, 0]\ncontacts: [{between: [driver, driven], "
        "friction: 0.5}]\nbodies:\n" +
        (first ? driver + driven : driven + driver) +
        "joints:\n"
        "  - {name: a, type: hinge, bodies: [world, driver], at: [0, 0, 0], axis: [0, 1, 0], "
        "motor: {speed: 5}}\n"
        "  - {name: b, type: hinge, bodies: [arm, driven], at: [0.3001, 0, 0], axis: [0, 1, 0]}\n"
        "  - {name: c, type: prismatic, bodies: [world, arm], at: [0.3001, 0, 0], axis: [1, 0, "
        "0]}\n"
        "forces: [{type: constant, body: arm, force: [-20, 0, 0]}]\n"
        "no_collide: [[arm, driven], [arm, driver]]\n");
    EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
    EXPECT_EQ(ran.summary.stepped_fraction, 0);
    // They touch a rest gap apart.
    EXPECT_NEAR(ran.last("driven").angular_velocity.y(), -10, 1e-7);
  }
}

}  // namespace
}  // namespace abut
