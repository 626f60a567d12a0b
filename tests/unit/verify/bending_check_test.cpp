// What the verifier says of frames with bodies that bend, as they are and tampered with.

#include "verify/bending_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scene_run.h"
#include "verify/balance_check.h"

namespace abut::verify {
namespace {

record::Frame frame_at(const model::Model& model, const Vec3& jelly) {
  record::Frame frame;
  frame.bodies.resize(model.bodies.size());
  frame.bending.resize(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    frame.bodies[i].position = model.bodies[i].pose.position;
    frame.bodies[i].orientation = model.bodies[i].pose.orientation;
    if (!model.bodies[i].bends()) continue;
    frame.bodies[i].position = jelly;
    frame.bending[i].columns =
        flexible::placed(*model.bodies[i].bending->body, {jelly, {1, 0, 0, 0}});
    frame.bending[i].rates = flexible::Columns::Zero(3, frame.bending[i].columns.cols());
  }
  return frame;
}

// A cube of side 1 beside round solids of radius 0.5: apart or not, and nothing left unjudged.
TEST(BendingCheck, JudgesRoundSolids) {
  for (const char* shape : {"cylinder: {radius: 0.5, height: 1}", "cone: {radius: 0.5, height: 1}",
                            "ellipsoid: {radii: [0.5, 0.4, 0.7]}"}) {
    const model::Model model = test::scene(fmt::format(R"(
abut: 1
duration: 1
bodies:
  - {{name: round, motion: fixed, shape: {{{}}}}}
  - {{name: jelly, shape: {{box: {{size: [1, 1, 1]}}}}, position: [2, 0, 0], flexible: {{order: 2, young: 1e5}}}}
)",
                                                       shape));
    BendingCheck apart(model), overlapping(model);
    apart.frame(frame_at(model, Vec3(1.001, 0, 0)));
    EXPECT_EQ(apart.fault_count(), 0) << shape;
    EXPECT_TRUE(apart.not_checked().empty()) << shape;
    overlapping.frame(frame_at(model, Vec3(0.7, 0, 0)));
    EXPECT_GT(overlapping.fault_count(), 0) << shape;
  }
}

// A sheet that hangs on a face of a box lies against it there, which is no overlap; elsewhere it
// is.
TEST(BendingCheck, SheetsMayTouchWhereTheyAreAttached) {
  const model::Model model = test::scene(R"(
abut: 1
duration: 1
bodies:
  - {name: box, motion: fixed, position: [0, 0.6, 0], shape: {box: {size: [1, 0.2, 0.2]}}}
  - {name: sheet, shape: {sheet: {size: [1, 1], cells: [2, 4], stretch: 100, shear: 50, bend: 0.1,
     damping: 0.02, thickness: 0.01, attach: [{node: [0, 4], body: box}, {node: [1, 4], body: box},
     {node: [2, 4], body: box}]}}}
)");
  const auto faults = [&](const Vec3& place) {
    BendingCheck check(model);
    check.frame(frame_at(model, place));
    return check.fault_count();
  };
  EXPECT_EQ(faults({0, 0, 0}), 0);
  EXPECT_GT(faults({0, 0.4, 0}), 0);
}

// The acceleration of a body that bends is what joints, springs and weight give it.
TEST(BendingCheck, ForcesMustExplainAccelerations) {
  const test::Ran ran = test::run_of(R"(
abut: 1
duration: 0.2
solver: {clock: step, step: 5 ms}
bodies:
  - {name: bar, shape: {box: {size: [0.2, 0.2, 1]}}, flexible: {order: 2, young: 1 MPa}}
joints:
  - {name: pivot, type: ball, bodies: [world, bar], at: [0, 0, 0.5]}
forces:
  - {type: spring, bodies: [world, bar], at: [[1, 0, -0.5], [0, 0, -0.5]], stiffness: 200, length: 0.5}
  - {type: drag, body: bar, linear: 3}
)");
  record::RecordedBody facts;
  facts.name = "bar";
  facts.mass = ran.model.bodies[0].mass.mass;
  facts.motion = record::RecordedMotion::dynamic;
  facts.columns = 10;
  BalanceCheck as_recorded({facts}, ran.model), tampered({facts}, ran.model);
  for (record::Frame frame : ran.sink.frames) {
    as_recorded.frame(frame);
    frame.bodies[0].acceleration.x() += 1e-3;
    tampered.frame(frame);
  }
  EXPECT_EQ(as_recorded.fault_count(), 0);
  EXPECT_GT(tampered.fault_count(), 0);
}

}  // namespace
}  // namespace abut::verify
