// Joints added in code, as users of the library see them.

#include "abut/model.h"

#include <gtest/gtest.h>

#include <functional>

#include "model/model.h"

namespace {

abut::Model two_rods() {
  abut::Model model;
  model.set_duration(1);
  for (const char* name : {"upper", "lower"}) {
    abut::BodyDescription rod;
    rod.name = name;
    rod.parts = {{abut::Shape::capsule(0.05, 0.8)}, {abut::Shape::sphere(0.1), {{0, 0.2, 0.4}}}};
    rod.pose.position = {0, 0, rod.name == "upper" ? 1.5 : 0.5};
    rod.pose.orientation = abut::Quat(0.8, 0, 0, 0.6);
    model.add_body(rod);
  }
  return model;
}

abut::JointDescription hinge() {
  abut::JointDescription joint;
  joint.type = abut::JointType::hinge;
  joint.bodies = {0, 1};
  joint.at = abut::Vec3(0, 0, 1);
  joint.axis = abut::Vec3(0, 2, 0);
  return joint;
}

std::string message_of(const std::function<void(abut::JointDescription&)>& change) {
  abut::Model model = two_rods();
  abut::JointDescription joint = hinge();
  change(joint);
  try {
    model.add_joint(joint);
  } catch (const abut::InputError& error) {
    EXPECT_EQ(model.joint_count(), 0);
    return error.what();
  }
  return "";
}

::testing::AssertionResult says(const std::string& message, const std::string& part) {
  if (message.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << '"' << message << "\" does not say \"" << part << '"';
}

}  // namespace

TEST(ApiJoints, BuiltInCodeMatchTheSameScene) {
  abut::Model built = two_rods();
  abut::JointDescription pivot;
  pivot.name = "pivot";
  pivot.bodies = {abut::world, 0};
  pivot.at = abut::Vec3(0, 0, 2);
  EXPECT_EQ(built.add_joint(pivot), 0);
  abut::JointDescription elbow = hinge();
  elbow.limits = {-1, 2};
  elbow.motor = abut::JointMotor{3, 4};
  elbow.break_torque = 5;
  elbow.collide = true;
  EXPECT_EQ(built.add_joint(elbow), 1);
  abut::JointDescription rope;
  rope.type = abut::JointType::distance;
  rope.bodies = {0, 1};
  EXPECT_EQ(built.add_joint(rope), 2);
  const abut::Model loaded = abut::Model::from_text(R"(
abut: 1
duration: 1
bodies:
  - {name: upper, shapes: &rod [{capsule: {radius: 0.05, height: 0.8}}, {sphere: {radius: 0.1},
     position: [0, 0.2, 0.4]}], position: [0, 0, 1.5], orientation: &turned [0.8, 0, 0, 0.6]}
  - {name: lower, shapes: *rod, position: [0, 0, 0.5], orientation: *turned}
joints:
  - {name: pivot, type: ball, bodies: [world, upper], at: [0, 0, 2]}
  - {type: hinge, bodies: [upper, lower], at: [0, 0, 1], axis: [0, 1, 0], limits: [-1, 2],
     motor: {speed: 3, max_torque: 4}, break_torque: 5, collide: true}
  - {type: distance, bodies: [upper, lower]}
)");
  const auto& expected = loaded.internal().joints;
  const auto& joints = built.internal().joints;
  ASSERT_EQ(joints.size(), expected.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(joints[i].name, expected[i].name);
    EXPECT_EQ(joints[i].type, expected[i].type);
    EXPECT_EQ(joints[i].bodies, expected[i].bodies);
    EXPECT_EQ(joints[i].length, expected[i].length);
    EXPECT_EQ(joints[i].limits, expected[i].limits);
    EXPECT_EQ(joints[i].break_force, expected[i].break_force);
    EXPECT_EQ(joints[i].break_torque, expected[i].break_torque);
    EXPECT_EQ(joints[i].collide, expected[i].collide);
    ASSERT_EQ(joints[i].motor.has_value(), expected[i].motor.has_value());
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(joints[i].frames[k].position, expected[i].frames[k].position);
      EXPECT_EQ(joints[i].frames[k].orientation.coeffs(),
                expected[i].frames[k].orientation.coeffs());
    }
  }
  EXPECT_EQ(joints[1].motor->speed, expected[1].motor->speed);
  EXPECT_EQ(joints[1].motor->max_force, expected[1].motor->max_force);
  EXPECT_EQ(built.joint_count(), 3);
  EXPECT_EQ(built.joint_name(1), "joints[1]");
  EXPECT_EQ(built.joint("pivot"), 0);
  EXPECT_THROW(built.joint("elbow"), abut::InputError);
  EXPECT_THROW(built.joint_name(3), abut::InputError);
}

TEST(ApiJoints, BadInputSaysWhatAndHow) {
  using Joint = abut::JointDescription;
  EXPECT_EQ(message_of([](Joint&) {}), "");
  EXPECT_TRUE(says(message_of([](Joint& j) { j.bodies[1] = 7; }), "no body 7"));
  EXPECT_TRUE(says(message_of([](Joint& j) { j.bodies[1] = 0; }), "with itself"));
  EXPECT_TRUE(says(message_of([](Joint& j) { j.axis.reset(); }), "needs an axis"));
  EXPECT_TRUE(says(message_of([](Joint& j) { j.axis = abut::Vec3::Zero(); }), "needs an axis"));
  EXPECT_TRUE(says(message_of([](Joint& j) { j.limits = {1, 2}; }), "starts at"));
  EXPECT_TRUE(says(message_of([](Joint& j) { j.at2 = abut::Vec3::Zero(); }), "second point"));
  EXPECT_TRUE(says(message_of([](Joint& j) { j.at->x() = NAN; }), "not finite"));
  EXPECT_TRUE(says(message_of([](Joint& j) {
                     j.bodies = {0, abut::world};
                     j.at.reset();
                   }),
                   "the world has no position"));
  EXPECT_TRUE(says(message_of([](Joint& j) {
                     j.type = abut::JointType::universal;
                     j.axis2 = abut::Vec3(0, 1, 0);
                   }),
                   "perpendicular"));
  EXPECT_TRUE(says(message_of([](Joint& j) { j.motor = abut::JointMotor{1, -1}; }), "motor"));
}
