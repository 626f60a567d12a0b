// Joints that cannot be: the run ends with time, cause and remedy, and what was recorded before is
// sound.

#include "abut/diagnostics.h"
#include "support/scene_run.h"

namespace abut {
namespace {

struct Failure {
  double time = -1;
  std::string message;
  test::KeepingSink sink;
};

Failure failure_of(const model::Model& model) {
  Failure failure;
  try {
    loop::run(model, failure.sink, {});
  } catch (const SimulationError& error) {
    failure.time = error.time();
    failure.message = error.what();
  }
  return failure;
}

// From event to event: steps would find a compromise.
Failure failure_of(std::string_view text) {
  model::Model model = test::scene(text);
  model.solver.clock = model::Clock::event;
  return failure_of(model);
}

void expect_told(const Failure& failure, double time, const std::vector<std::string>& words) {
  EXPECT_NEAR(failure.time, time, 1e-6);
  for (const std::string& word : words)
    EXPECT_NE(failure.message.find(word), std::string::npos) << word << " in " << failure.message;
  ASSERT_EQ(failure.sink.summaries.size(), 1u);
  EXPECT_EQ(failure.sink.summaries[0].status, RunStatus::failed);
  EXPECT_EQ(failure.sink.summaries[0].message, failure.message);
  for (const auto& frame : failure.sink.frames)
    for (const BodyState& body : frame.bodies) {
      EXPECT_TRUE(body.position.allFinite());
      EXPECT_TRUE(body.velocity.allFinite());
    }
}

TEST(ContradictingJoints, FailWhereSpeedsContradict) {
  expect_told(failure_of(R"yaml(
abut: 1
duration: 1
bodies:
  - {name: left, shape: {sphere: {radius: 0.1}}, motion: {position: ["-1 - t", "0", "0"]}}
  - {name: right, shape: {sphere: {radius: 0.1}}, motion: {position: ["1 + t", "0", "0"]}}
  - {name: rod, shape: {box: {size: [1, 0.1, 0.1]}}, position: [0, 0, 0]}
joints:
  - {name: a, type: ball, bodies: [left, rod], at: [-0.5, 0, 0]}
  - {name: b, type: ball, bodies: [right, rod], at: [0.5, 0, 0]}
)yaml"),
              0, {"a, b", "contradict", "remove one"});
}

TEST(ContradictingJoints, FailWhereAccelerationsContradict) {
  expect_told(failure_of(R"yaml(
abut: 1
duration: 1
bodies:
  - {name: lift, shape: {sphere: {radius: 0.1}}, position: [0, 0, 2], motion: {position: ["0", "0", "2 + t^2"]}}
  - {name: box, shape: {box: {size: [1, 0.1, 0.1]}}}
joints:
  - {name: a, type: weld, bodies: [world, box]}
  - {name: b, type: ball, bodies: [lift, box]}
)yaml"),
              0, {"a, b", "contradict", "remove one"});
}

TEST(ContradictingJoints, FailWhereMotorsContradict) {
  expect_told(failure_of(R"yaml(
abut: 1
duration: 1
bodies:
  - {name: wheel, shape: {cylinder: {radius: 0.3, height: 0.1}}}
joints:
  - {name: a, type: hinge, bodies: [world, wheel], axis: [0, 0, 1], motor: {speed: 1}}
  - {name: b, type: hinge, bodies: [world, wheel], axis: [0, 0, 1], motor: {speed: 2}}
)yaml"),
              0, {"a, b", "contradict", "remove one"});
}

// Two rods of 1 m on scripted ends that part: stretched at t = 0.5.
TEST(ContradictingJoints, FailWhereALoopIsStretched) {
  const Failure failure = failure_of(R"yaml(
abut: 1
duration: 2
record: {rate: 100}
bodies:
  - {name: hand, shape: {sphere: {radius: 0.05}}, motion: {position: ["1.5 + t", "0", "0"]}}
  - {name: left, shape: {box: {size: [1, 0.05, 0.05]}}, position: [0.375, 0, 0.33071891388307384],
     orientation: {axis: [0, 1, 0], angle: -0.7227342478134157}}
  - {name: right, shape: {box: {size: [1, 0.05, 0.05]}}, position: [1.125, 0, 0.33071891388307384],
     orientation: {axis: [0, 1, 0], angle: 0.7227342478134157}}
joints:
  - {name: a, type: hinge, bodies: [world, left], at: [0, 0, 0], axis: [0, 1, 0]}
  - {name: b, type: hinge, bodies: [left, right], at: [0.75, 0, 0.6614378277661477], axis: [0, 1, 0]}
  - {name: c, type: hinge, bodies: [hand, right], at: [1.5, 0, 0], axis: [0, 1, 0]}
)yaml");
  expect_told(failure, 0.5, {"left, right", "cannot follow", "dead centre"});
  EXPECT_LT(failure.time, 0.5 + 1e-9);
  for (const auto& frame : failure.sink.frames)
    for (const JointState& joint : frame.joints) EXPECT_LT(joint.gap, 1e-12);
}

TEST(ForcesThatAreNoNumbers, EndTheRunWhereTheyBegin) {
  model::Model model = test::scene(R"yaml(
abut: 1
duration: 2
bodies:
  - {name: ball, shape: {sphere: {radius: 0.05}}, position: [1, 0, -1], velocity: [0, 10, 0]}
joints:
  - {name: string, type: distance, bodies: [world, ball], at: [[1, 0, 0], [1, 0, -1]]}
)yaml");
  model.forces = {model::Drag{0, 1e308, 1e308, 0, Vec3::Zero()}};
  expect_told(failure_of(model), 0, {"ball", "not finite", "drag"});
}

TEST(BodiesWithoutMass, AreRefused) {
  EXPECT_THROW(test::scene(R"yaml(
abut: 1
duration: 1
bodies:
  - {name: ghost, shape: {sphere: {radius: 1}}, mass: 0}
joints:
  - {name: a, type: ball, bodies: [world, ghost]}
)yaml"),
               InputError);
}

}  // namespace
}  // namespace abut
