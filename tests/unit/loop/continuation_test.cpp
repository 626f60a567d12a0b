#include "loop/continuation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loop/event_loop.h"
#include "support/scene_run.h"

namespace abut::loop {
namespace {

/// Runs the model to the first frame at or after a time, and gives what comes after it.
model::Model continued_at(const model::Model& model, double time, double& reached) {
  test::KeepingSink sink;
  EventLoop loop(model, sink, {});
  while (loop.frame().time < time || sink.frames.empty()) EXPECT_TRUE(loop.advance());
  reached = loop.frame().time;
  return loop.continued();
}

// Going on from half-way ends where the whole run ends, as nearly as the motion is integrated.
TEST(Continuation, AFreeBodyEndsWhereItWouldHave) {
  model::Model model = test::scene(R"(
abut: 1
duration: 2
solver: {tolerance: 1e-12}
bodies:
  - {name: box, shape: {box: {size: [1, 2, 3]}}, position: [1, 2, 3], orientation: [0.6, 0.8, 0, 0],
     velocity: [1, 0, 5], angular_velocity: [0.3, 4, 0.2]}
)");
  const test::Ran whole = test::run_of(model);
  double t = 0;
  const test::Ran rest = test::run_of(continued_at(model, 0.9, t));
  EXPECT_NEAR(rest.summary.duration, 2 - t, 1e-12);
  EXPECT_LT((rest.last("box").position - whole.last("box").position).norm(), 1e-9);
  EXPECT_LT(rest.last("box").orientation.angularDistance(whole.last("box").orientation), 1e-8);
}

TEST(Continuation, ScriptsGoOn) {
  const model::Model model = test::scene(R"yaml(
abut: 1
duration: 2
bodies:
  - {name: swing, shape: {sphere: {radius: 0.1}}, 
     motion: {position: ["sin(3*t)", "t^2", "0"]}}
  - name: cart
    shape: {sphere: {radius: 0.1}}
    motion: {keyframes: [{time: 0, position: [9, 0, 0]}, {time: 1, position: [9, 3, 0]},
                         {time: 2, position: [9, 1, 0]}]}
)yaml");
  const test::Ran whole = test::run_of(model);
  double t = 0;
  const test::Ran rest = test::run_of(continued_at(model, 0.7, t));
  for (const char* body : {"swing", "cart"}) {
    EXPECT_LT((rest.last(body).position - whole.last(body).position).norm(), 1e-12) << body;
    EXPECT_LT((rest.last(body).velocity - whole.last(body).velocity).norm(), 1e-12) << body;
  }
  EXPECT_NEAR(rest.sink.frames.front().bodies[0].position.x(), std::sin(3 * t), 1e-12);
}

TEST(Continuation, BlowsThatAreDealtDoNotComeAgain) {
  model::Model model = test::empty_model(2);
  model.bodies.push_back(test::body_of(shape::Sphere{0.5}));
  const double mass = model.bodies[0].mass.mass;
  model.forces.emplace_back(model::Impulse{0, 0.5, Vec3(mass, 0, 0), true, {}});
  model.forces.emplace_back(model::Impulse{0, 1.5, Vec3(0, mass, 0), true, {}});
  double t = 0;
  const model::Model next = continued_at(model, 0.5, t);
  ASSERT_EQ(t, 0.5);
  ASSERT_EQ(next.forces.size(), 1u);
  const test::Ran rest = test::run_of(next);
  EXPECT_LT((rest.sink.last(0).velocity - Vec3(1, 1, 0)).norm(), 1e-12);
  EXPECT_LT((rest.sink.last(0).position - Vec3(1.5, 0.5, 0)).norm(), 1e-9);
}

TEST(Continuation, BrokenJointsAreGone) {
  const model::Model model = test::scene(R"(
abut: 1
duration: 2
bodies:
  - {name: weight, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0], mass: 1}
joints:
  - {name: thread, type: ball, bodies: [world, weight], at: [0, 0, 0], break_force: 5}
  - {name: other, type: distance, bodies: [world, weight], at: [[0, 0, 9], [0, 0, 0]], break_force: 1}
)");
  double t = 0;
  const model::Model next = continued_at(model, 0.5, t);
  EXPECT_TRUE(next.joints.empty());
  const double v = test::run_of(next).sink.frames.front().bodies[0].velocity.z();
  EXPECT_NEAR(v, -9.81 * t, 1e-6);
}

}  // namespace
}  // namespace abut::loop
