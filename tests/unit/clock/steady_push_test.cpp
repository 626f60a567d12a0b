#include "clock/steady_push.h"

#include <gtest/gtest.h>

#include <cmath>

namespace abut::clock {
namespace {

constexpr double step = 0.01;
const impulse::Twist at_rest = {Vec3::Zero(), Vec3::Zero()};

impulse::Inertia unit() {
  return {1, Mat3::Identity()};
}

Push pushed(const Vec3& force, double power = 0) {
  Push push;
  push.add(force, Vec3::Zero());
  push.power = power;
  return push;
}

// A body on a circle: its speed stays within a step, to the fourth order of the angle that it turns
// by. The velocity in the middle of the step is that which the push of its beginning left.
TEST(SteadyPush, KeepsTheSpeedOnACircle) {
  const double turn = 10 * step;
  const auto inward = [&](double angle) {  // of a body that moves along y where the angle is 0
    return pushed(10 * Vec3(-std::cos(angle), -std::sin(angle), 0));
  };
  const SteadyPush push =
      steady_push(unit(), at_rest, inward(-0.5 * turn), inward(-1.5 * turn), step, step);
  for (const double s : {-0.5 * step, -0.2 * step, 0.3 * step, 0.5 * step}) {
    const Vec3 velocity = Vec3::UnitY() + push.gained(s).force;
    EXPECT_NEAR(velocity.norm(), 1, turn * turn * std::abs(10 * s)) << s;
    const Vec3 exact(-std::sin(10 * s), std::cos(10 * s), 0);
    EXPECT_LT((velocity - exact).norm(), turn * turn * std::abs(10 * s)) << s;
  }
}

TEST(SteadyPush, WhatStaysTheSameGoesOn) {
  const SteadyPush push =
      steady_push(unit(), at_rest, pushed({1, 2, 3}, 4), pushed({1, 2, 3}, 4), h, 0.5 * step);
  EXPECT_EQ(push.middle.force, Vec3(1, 2, 3));
  EXPECT_EQ(push.rate.force, Vec3(0, 0, 0));
  EXPECT_EQ(push.power, 4);
}

// Neither in the step that it begins nor in the next one.
TEST(SteadyPush, WhatStrikesOnceIsNotTold) {
  const Push rest = pushed({0, 0, 10}), outside = pushed({0, 0, 500});
  EXPECT_EQ(steady_push(unit(), at_rest, outside, rest, step, step).middle.force, Vec3(0, 0, 10));
  EXPECT_EQ(steady_push(unit(), at_rest, rest, outside, step, step).middle.force, Vec3(0, 0, 10));
  EXPECT_EQ(steady_push(unit(), at_rest, outside, Push(), step, step).middle.force, Vec3(0, 0, 0));
  EXPECT_EQ(steady_push(unit(), at_rest, outside, pushed({0, 0, -500}), step, step).middle.force,
            Vec3(0, 0, 0));
}

// The push of a floor holds a body that moves along it, but does not lift one that goes up.
TEST(SteadyPush, WhatStrikesDoesNoWork) {
  const Push rest = pushed({0, 0, 10}), outside = pushed({0, 0, 500});
  const impulse::Twist level = {Vec3(3, 0, 0), Vec3::Zero()},
                       rising = {Vec3(3, 0, 4), Vec3(1, 0, 0)};
  EXPECT_EQ(steady_push(unit(), level, outside, rest, step, step).middle.force, Vec3(0, 0, 10));
  const integrate::Wrench push = steady_push(unit(), rising, outside, rest, step, step).middle;
  EXPECT_NEAR(push.force.dot(rising.linear) + push.torque.dot(rising.angular), 0, 1e-12);
}

// A kick just before says what pushes, but not how fast that changes.
TEST(SteadyPush, ShortStepsBeforeDoNotExaggerate) {
  const SteadyPush push =
      steady_push(unit(), at_rest, pushed({0, 0, 11}), pushed({0, 0, 10}), step, 1e-9);
  EXPECT_LT(push.middle.force.z(), 11.6);
}

}  // namespace
}  // namespace abut::clock
