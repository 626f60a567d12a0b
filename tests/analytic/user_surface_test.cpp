// Bodies given by equations and parameters: the same motion as the built-in shapes, and sound books
// where there is no built-in shape.

#include <gtest/gtest.h>

#include <string>

#include "force/slip.h"
#include "geometry/closed_surface.h"
#include "support/contact_runs.h"
#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut {
namespace {

using test::head;
using test::run_text;

const std::string built_in = "{ellipsoid: {radii: [0.5, 0.35, 0.2]}}";
const std::string by_equation =
    "{implicit: {function: \"(x/0.5)^2 + (y/0.35)^2 + (z/0.2)^2 - 1\", "
    "bounds: [[-0.6, -0.4, -0.3], [0.6, 0.4, 0.3]]}}";
const std::string by_parameters =
    "{parametric: {x: 0.5*cos(u)*sin(v), y: 0.35*sin(u)*sin(v), z: 0.2*cos(v), "
    "u: [0, 2*pi], v: [0, pi]}}";

test::ContactRun dropped(const std::string& shape, const std::string& friction, double duration) {
  return run_text(head(duration, 60) + "materials: {m: {restitution: 0.6, friction: " + friction +
                  "}}\nbodies:\n"
                  "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
                  "  - {name: pebble, shape: " +
                  shape +
                  ", material: m, position: [0, 0, 0.7], velocity: [0.4, 0.2, 0], "
                  "orientation: {euler: [0.3, 0.5, 0.1]}, angular_velocity: [1, -2, 0.5]}\n");
}

/// Contacts stick where a step ends with so little slip that friction would stop it within
/// force::creep_time: rounding decides where in that time the step ends. What follows is the same.
double time_tolerance(EventKind kind) {
  return kind == EventKind::stick ? force::creep_time : 1e-9;
}

void expect_same_motion(const test::ContactRun& a, const test::ContactRun& b) {
  EXPECT_EQ(a.summary.status, RunStatus::complete) << a.summary.message;
  EXPECT_EQ(a.summary.unresolved, 0);
  ASSERT_EQ(a.sink.events.size(), b.sink.events.size());
  for (std::size_t i = 0; i < a.sink.events.size(); ++i) {
    EXPECT_EQ(a.sink.events[i].kind, b.sink.events[i].kind);
    EXPECT_NEAR(a.sink.events[i].time, b.sink.events[i].time,
                time_tolerance(a.sink.events[i].kind));
  }
  // Between events: their own times differ by rounding.
  for (double t = 0.5 / 60; t < a.summary.duration; t += 1.0 / 60) {
    const auto &one = a.frame_at(t), &other = b.frame_at(t);
    if (one.time != other.time) continue;
    const BodyState &x = one.bodies[1], &y = other.bodies[1];
    EXPECT_LT((x.position - y.position).norm(), 1e-9) << t;
    EXPECT_LT(x.orientation.angularDistance(y.orientation), 1e-9) << t;
  }
  EXPECT_LT(a.summary.energy_error, 1e-9);
}

// It bounces to rest, slides, and sticks. Where it begins to slip again, at 1.117 s, slip is slow
// at first, and what is slower than friction stops within force::creep_time is stopped where a step
// ends: from there on rounding decides about micrometres per second.
TEST(UserSurface, BouncesAsTheBuiltInShapeDoes) {
  const auto known = dropped(built_in, "0.3", 1.1);
  ASSERT_FALSE(known.events(EventKind::impact).empty());
  ASSERT_FALSE(known.events(EventKind::stick).empty());
  expect_same_motion(dropped(by_equation, "0.3", 1.1), known);
  expect_same_motion(dropped(by_parameters, "0.3", 1.1), known);
}

// Laid on the floor and pushed: it rolls and rocks with friction.
TEST(UserSurface, RollsAsTheBuiltInShapeDoes) {
  const auto rolling = [](const std::string& shape) {
    return run_text(head(1, 60) +
                    "materials: {m: {restitution: 0, friction: 0.8}}\nbodies:\n"
                    "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
                    "  - {name: pebble, shape: " +
                    shape +
                    ", material: m, position: [0, 0, 0.2000001], angular_velocity: [0, 0.8, 0]}\n");
  };
  const auto known = rolling(built_in);
  expect_same_motion(rolling(by_equation), known);
  // It starts on a pole of the parameters.
  expect_same_motion(rolling(by_parameters), known);
}

// x^4 + y^4 + ... is flat along whole circles. A body that rolls over one of them on a plane, with
// friction or without, has its place of contact go by 1e-4 m in 1e-12 s and keeps its energy.
TEST(UserSurface, RollsOverFlatSpotsWithoutLoss) {
  const auto rolling = [](const std::string& shape, const std::string& friction) {
    return run_text(head(0.3, 60) + "materials: {m: {restitution: 0, friction: " + friction +
                    "}}\nbodies:\n"
                    "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
                    "  - {name: pebble, shape: " +
                    shape +
                    ", material: m, position: [0, 0, 0.48], orientation: {euler: [0.2, 0.3, 0.1]}, "
                    "angular_velocity: [-1, -2, 0.5]}\n");
  };
  const std::string built_in_cube =
      "{superellipsoid: {radii: [0.4, 0.4, 0.4], exponents: [0.5, 0.5]}}";
  const std::string cube =
      "{implicit: {function: x^4 + y^4 + z^4 - 0.0256, bounds: [[-0.5, -0.5, -0.5], [0.5, 0.5, "
      "0.5]]}}";
  const auto smooth = rolling(built_in_cube, "0"), rough = rolling(built_in_cube, "1"),
             by_formula = rolling(cube, "0");
  for (const test::ContactRun* run : {&smooth, &rough, &by_formula}) {
    EXPECT_EQ(run->summary.status, RunStatus::complete) << run->summary.message;
    EXPECT_LT(run->summary.energy_error, 1e-8);
    EXPECT_LT(run->summary.momentum_error, 1e-7);
  }
  EXPECT_LT((by_formula.sink.last(1).position - smooth.sink.last(1).position).norm(), 1e-6);
}

TEST(UserSurface, EggsTumbleWithSoundBooks) {
  test::Random random(test::seed(11, test::few_rounds));
  for (int i = 0; i < test::cases(2); ++i) {
    const std::string drawn_out = std::to_string(test::uniform(random, 0.1, 0.4));
    const Vec3 turn = test::uniform(random, 0, 2) * test::random_direction(random);
    const auto run = run_text(
        head(0.7, 60) + "materials: {m: {restitution: 0.5, friction: 0.4}}\nbodies:\n" +
        "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n" +
        "  - {name: egg, shape: {implicit: {function: \"(x^2 + y^2)*(1 + " + drawn_out +
        "*z)/0.09 + z^2/0.16 - 1\", bounds: [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]]}}, material: "
        "m, " +
        "position: [0.1, 0, 0.6], orientation: {euler: [" + std::to_string(turn.x()) + ", " +
        std::to_string(turn.y()) + ", " + std::to_string(turn.z()) + "]}}\n" +
        "  - {name: pebble, shape: " + by_equation + ", material: m, position: [0.2, 0.1, 1.3]}\n");
    EXPECT_EQ(run.summary.status, RunStatus::complete) << run.summary.message;
    EXPECT_EQ(run.summary.unresolved, 0);
    EXPECT_GT(run.summary.min_gap, 0);
    EXPECT_LT(run.summary.energy_error, 1e-8);
    EXPECT_LT(run.summary.momentum_error, 1e-8);
    EXPECT_FALSE(run.events(EventKind::impact).empty());
  }
}

}  // namespace
}  // namespace abut
