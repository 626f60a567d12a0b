#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "joint/placement.h"
#include "model/check.h"
#include "model/joints.h"
#include "support/models.h"

namespace abut::model {
namespace {

using joint::Joint;
using joint::Type;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Two dynamic bodies, then two fixed ones.
Model four_bodies() {
  Model model = test::empty_model(1);
  for (int i = 0; i < 4; ++i) {
    Body body =
        test::body_of(shape::Box{Vec3(1, 2, 3)}, 1000, {Vec3(0.1, 0, 0), Quat(0.8, 0, 0.6, 0)});
    body.name = "body" + std::to_string(i);
    body.pose = {Vec3(i, -i, 3), Quat(0.6, 0.8, 0, 0)};
    if (i >= 2) body.motion = Fixed{};
    model.bodies.push_back(body);
  }
  return model;
}

Joint joint_between(const Model& model, Type type, BodyIndex a, BodyIndex b) {
  Joint joint;
  joint.name = "joint";
  joint.type = type;
  joint.bodies = {a, b};
  joint::Placement placement;
  placement.points = {Vec3(1, 2, 3), type == Type::distance ? Vec3(2, 2, 3) : Vec3(1, 2, 3)};
  place(joint, placement, {motion_frame_at_start(model, a), motion_frame_at_start(model, b)});
  return joint;
}

/// Exactly one fault, with the given text.
::testing::AssertionResult one_fault(const Joint& joint, const Model& model,
                                     const std::string& part) {
  const auto faults = faults_of(joint, model);
  if (faults.size() == 1 && faults[0].find(part) != std::string::npos)
    return ::testing::AssertionSuccess();
  std::string all;
  for (const std::string& fault : faults) all += fault + "\n";
  return ::testing::AssertionFailure() << faults.size() << " faults:\n" << all;
}

TEST(CheckJoints, SoundOnesHaveNoFault) {
  Model model = four_bodies();
  for (const Type type : joint::all_types) {
    for (const auto& [a, b] : {std::pair(0, 1), {1, 2}, {3, 0}, {world, 1}, {0, world}}) {
      model.joints.push_back(joint_between(model, type, a, b));
      model.joints.back().name += std::to_string(model.joints.size());
    }
  }
  EXPECT_EQ(faults_of(model), std::vector<std::string>());
}

TEST(CheckJoints, Ends) {
  const Model model = four_bodies();
  Joint joint = joint_between(model, Type::ball, 0, 1);
  joint.bodies = {0, 4};
  EXPECT_TRUE(one_fault(joint, model, "but there are 4"));
  joint.bodies = {-2, 0};
  EXPECT_TRUE(one_fault(joint, model, "bodies -2 and 0"));
  EXPECT_TRUE(one_fault(joint_between(model, Type::ball, 1, 1), model, "with itself"));
  EXPECT_TRUE(one_fault(joint_between(model, Type::ball, 2, 3), model, "can move"));
  EXPECT_TRUE(one_fault(joint_between(model, Type::ball, world, 3), model, "can move"));
}

TEST(CheckJoints, Numbers) {
  const Model model = four_bodies();
  Joint joint = joint_between(model, Type::ball, 0, 1);
  joint.frames[0].position.x() = nan;
  EXPECT_TRUE(one_fault(joint, model, "not finite"));
  joint = joint_between(model, Type::ball, 0, 1);
  joint.frames[1].orientation.coeffs() *= 2;
  EXPECT_TRUE(one_fault(joint, model, "unit length"));
  joint = joint_between(model, Type::ball, 0, 1);
  joint.break_force = 0;
  EXPECT_TRUE(one_fault(joint, model, "must be positive"));
  joint.break_force = nan;
  EXPECT_TRUE(one_fault(joint, model, "must be positive"));
  joint = joint_between(model, Type::distance, 0, 1);
  joint.length = 0;
  EXPECT_TRUE(one_fault(joint, model, "ball joint"));
  joint = joint_between(model, Type::ball, 0, 1);
  joint.name.clear();
  EXPECT_TRUE(one_fault(joint, model, "no name"));
}

TEST(CheckJoints, LimitsAndMotors) {
  const Model model = four_bodies();
  for (const Type type : joint::all_types) {
    Joint limited = joint_between(model, type, 0, 1);
    limited.limits = {-1, 1};
    Joint driven = joint_between(model, type, 0, 1);
    driven.motor = joint::Motor{1};
    if (joint::has_coordinate(type)) {
      EXPECT_TRUE(faults_of(limited, model).empty()) << to_string(type);
      EXPECT_TRUE(faults_of(driven, model).empty()) << to_string(type);
    } else {
      EXPECT_TRUE(one_fault(limited, model, "to limit")) << to_string(type);
      EXPECT_TRUE(one_fault(driven, model, "to drive")) << to_string(type);
    }
  }
  Joint hinge = joint_between(model, Type::hinge, 0, 1);
  hinge.limits = {1, -1};
  EXPECT_TRUE(one_fault(hinge, model, "must be less"));
  hinge.limits = {nan, 1};
  EXPECT_TRUE(one_fault(hinge, model, "must be less"));
  hinge.limits = {0.5, 1};
  EXPECT_TRUE(one_fault(hinge, model, "it starts at"));
  hinge.limits = {0, std::numeric_limits<double>::infinity()};
  EXPECT_TRUE(faults_of(hinge, model).empty());
  hinge.motor = joint::Motor{nan};
  EXPECT_TRUE(one_fault(hinge, model, "the speed must be finite"));
  hinge.motor = joint::Motor{1, 0};
  EXPECT_TRUE(one_fault(hinge, model, "the force positive"));
}

TEST(CheckJoints, OpenOnes) {
  const Model model = four_bodies();
  for (const Type type : joint::all_types) {
    Joint joint = joint_between(model, type, 0, 1);
    joint.frames[1].position += Vec3(1e-6, 2e-6, 3e-6);
    EXPECT_TRUE(one_fault(joint, model, "open at time 0")) << to_string(type);
  }
  for (const Type type :
       {Type::hinge, Type::universal, Type::prismatic, Type::cylindrical, Type::weld}) {
    Joint joint = joint_between(model, type, 0, 1);
    const Quat lean(std::cos(1e-6), std::sin(1e-6) * 0.6, std::sin(1e-6) * 0.8, 0);
    joint.frames[1].orientation = joint.frames[1].orientation * lean;
    EXPECT_TRUE(one_fault(joint, model, "open at time 0")) << to_string(type);
  }
}

TEST(CheckJoints, NamesAreUnique) {
  Model model = four_bodies();
  model.joints = {joint_between(model, Type::ball, 0, 1), joint_between(model, Type::weld, 1, 2)};
  ASSERT_EQ(faults_of(model).size(), 1u);
  EXPECT_EQ(faults_of(model)[0], "two joints are named joint; names must be unique");
}

TEST(Joints, JointedBodiesDoNotTouchUnlessTold) {
  Model model = four_bodies();
  model.no_collide = {{3, 0}, {1, 0}};
  model.joints = {joint_between(model, Type::ball, 1, 0), joint_between(model, Type::weld, 1, 2),
                  joint_between(model, Type::ball, world, 1),
                  joint_between(model, Type::ball, 3, 1)};
  model.joints[3].collide = true;
  const std::vector<std::pair<BodyIndex, BodyIndex>> expected = {{0, 1}, {0, 3}, {1, 2}};
  EXPECT_EQ(pairs_without_contact(model), expected);
}

}  // namespace
}  // namespace abut::model
