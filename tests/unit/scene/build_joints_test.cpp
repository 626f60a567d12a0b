#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "joint/rows.h"
#include "model/check.h"
#include "model/joints.h"
#include "support/constants.h"
#include "unit/scene/scene_testing.h"

using namespace scene_testing;
using abut::JointType;
using abut::Vec3;
using abut::joint::Joint;
namespace joint = abut::joint;
namespace model = abut::model;

namespace {

using abut::test::pi;

/// Lines 1 to 8; a is dynamic and turned, b dynamic with its centre of mass elsewhere, wall fixed,
/// arm scripted.
const std::string four_bodies =
    header +
    "bodies:\n"
    "  - {name: a, shape: {sphere: {radius: 0.5}}, position: [1, 0, 0], orientation: [0, 0, 0, "
    "1]}\n"
    "  - {name: b, shape: {box: {size: [1, 2, 3]}}, position: [4, 4, 0], com: [0, 0, 0.1]}\n"
    "  - {name: wall, shape: {box: {size: [1, 1, 1]}}, motion: fixed, position: [0, 0, 9]}\n"
    "  - {name: arm, shape: {box: {size: [1, 1, 1]}}, motion: {position: [5, t, 0]}}\n"
    "joints:\n";

model::Model scene_with(const std::string& entry) {
  return load(four_bodies + "  - " + entry + "\n");
}

std::vector<std::string> joint_errors(const std::string& entry) {
  return errors(four_bodies + "  - " + entry + "\n");
}

/// A joint as it stands in the world at time 0.
struct Placed {
  Joint joint;
  std::array<Vec3, 2> anchors, axes;
};

Placed placed(const std::string& entry) {
  const model::Model scene = scene_with(entry);
  Placed result;
  if (scene.joints.size() != 1) return result;
  EXPECT_EQ(model::faults_of(scene), std::vector<std::string>());
  result.joint = scene.joints[0];
  for (std::size_t i = 0; i < 2; ++i) {
    const abut::Pose body = model::motion_frame_at_start(scene, result.joint.bodies[i]);
    const abut::Pose& frame = result.joint.frames[i];
    result.anchors[i] = body.position + body.orientation * frame.position;
    result.axes[i] = body.orientation * (frame.orientation * Vec3::UnitZ());
  }
  return result;
}

bool near(const Vec3& a, const Vec3& b) {
  return (a - b).norm() < 1e-14;
}

}  // namespace

TEST(BuildJoints, TheOnesOfTheFormatPage) {
  const auto scene = load(header + R"(
bodies:
  - {name: rod1, shape: {capsule: {radius: 0.05, height: 0.8}}, position: [0, 0, 1.5]}
  - {name: rod2, shape: {capsule: {radius: 0.05, height: 0.8}}, position: [0, 0, 0.5]}
joints:
  - {name: pivot, type: ball,  bodies: [world, rod1], at: [0, 0, 2]}
  - {name: elbow, type: hinge, bodies: [rod1, rod2], at: [0, 0, 1], axis: [0, 1, 0],
     limits: [-90 deg, 90 deg], motor: {speed: 2}, break_force: 500}
)");
  ASSERT_EQ(scene.joints.size(), 2u);
  const Joint& pivot = scene.joints[0];
  EXPECT_EQ(pivot.name, "pivot");
  EXPECT_EQ(pivot.type, JointType::ball);
  EXPECT_EQ(pivot.bodies, (std::array{abut::world, 0}));
  EXPECT_EQ(pivot.frames[0].position, Vec3(0, 0, 2));
  EXPECT_FALSE(pivot.limits || pivot.motor || pivot.collide);
  EXPECT_EQ(pivot.break_force, std::numeric_limits<double>::infinity());
  const Joint& elbow = scene.joints[1];
  EXPECT_EQ(elbow.type, JointType::hinge);
  EXPECT_EQ(elbow.bodies, (std::array{0, 1}));
  EXPECT_DOUBLE_EQ((*elbow.limits)[0], -pi / 2);
  EXPECT_DOUBLE_EQ((*elbow.limits)[1], pi / 2);
  EXPECT_EQ(elbow.motor->speed, 2);
  EXPECT_EQ(elbow.motor->max_force, std::numeric_limits<double>::infinity());
  EXPECT_EQ(elbow.break_force, 500);
  EXPECT_EQ(elbow.break_torque, std::numeric_limits<double>::infinity());
}

TEST(BuildJoints, EveryTypeIsPlacedInBothBodies) {
  for (const JointType type : joint::all_types) {
    const std::string name(to_string(type));
    SCOPED_TRACE(name);
    const std::string axis = joint::has_axis(type) ? ", axis: [0, 3, 4]" : "";
    const auto result = placed("{type: " + name + ", bodies: [a, b], at: [1, 2, 3]" + axis + "}");
    EXPECT_EQ(result.joint.type, type);
    EXPECT_EQ(result.joint.name, "joints[0]");
    EXPECT_TRUE(near(result.anchors[0], Vec3(1, 2, 3)));
    const bool two_points = type == JointType::distance;
    EXPECT_TRUE(near(result.anchors[1], two_points ? Vec3(4, 4, 0) : Vec3(1, 2, 3)));
    if (joint::has_axis(type)) {
      EXPECT_TRUE(near(result.axes[0], Vec3(0, 0.6, 0.8)));
    }
  }
}

TEST(BuildJoints, StandAtTheSecondBodyUnlessTold) {
  EXPECT_TRUE(near(placed("{type: ball, bodies: [a, b]}").anchors[0], Vec3(4, 4, 0)));
  EXPECT_TRUE(near(placed("{type: ball, bodies: [world, a]}").anchors[0], Vec3(1, 0, 0)));
  EXPECT_TRUE(near(placed("{type: weld, bodies: [a, wall]}").anchors[0], Vec3(0, 0, 9)));
  EXPECT_TRUE(near(placed("{type: ball, bodies: [a, arm]}").anchors[0], Vec3(5, 0, 0)));
}

TEST(BuildJoints, DistancesGoFromPointToPoint) {
  const auto bodies_only = placed("{type: distance, bodies: [a, b]}");
  EXPECT_DOUBLE_EQ(bodies_only.joint.length, 5);
  const auto hung = placed("{type: distance, bodies: [world, a], at: [1, 0, 2]}");
  EXPECT_DOUBLE_EQ(hung.joint.length, 2);
  EXPECT_TRUE(near(hung.anchors[0], Vec3(1, 0, 2)));
  EXPECT_TRUE(near(hung.anchors[1], Vec3(1, 0, 0)));
  const auto both = placed("{type: distance, bodies: [a, world], at: [[1, 0, 0], [4, 4, 0]]}");
  EXPECT_DOUBLE_EQ(both.joint.length, 5);
  EXPECT_TRUE(near(both.anchors[1], Vec3(4, 4, 0)));
}

TEST(BuildJoints, AxesOfAUniversalJoint) {
  const auto given =
      placed("{type: universal, bodies: [a, b], axis: [2, 0, 0], axis2: [0, 0, -3]}");
  EXPECT_TRUE(near(given.axes[0], Vec3(1, 0, 0)));
  EXPECT_TRUE(near(given.axes[1], Vec3(0, 0, -1)));
  const auto chosen = placed("{type: universal, bodies: [a, b], axis: [1, 1, 1]}");
  EXPECT_NEAR(chosen.axes[0].dot(chosen.axes[1]), 0, 1e-15);
}

TEST(BuildJoints, LimitsAndMotorsHaveTheUnitsOfTheirCoordinate) {
  const auto hinge = placed(
      "{type: hinge, bodies: [a, b], axis: [0, 0, 1], limits: [-1, 2 rev], motor: {speed: 60 rpm, "
      "max_torque: 3 Nm}, break_torque: 2 kNm, collide: true}");
  EXPECT_EQ((*hinge.joint.limits)[0], -1);
  EXPECT_DOUBLE_EQ((*hinge.joint.limits)[1], 4 * pi);
  EXPECT_DOUBLE_EQ(hinge.joint.motor->speed, 2 * pi);
  EXPECT_EQ(hinge.joint.motor->max_force, 3);
  EXPECT_EQ(hinge.joint.break_torque, 2000);
  EXPECT_TRUE(hinge.joint.collide);
  for (const std::string type : {"prismatic", "cylindrical", "point_on_line"}) {
    const auto slider = placed("{type: " + type +
                               ", bodies: [a, b], axis: [0, 0, 1], limits: [0, 5 cm], motor: "
                               "{speed: -3 mm/s, max_force: 2 kN}}");
    EXPECT_EQ((*slider.joint.limits)[1], 0.05) << type;
    EXPECT_EQ(slider.joint.motor->speed, -0.003) << type;
    EXPECT_EQ(slider.joint.motor->max_force, 2000) << type;
  }
  EXPECT_TRUE(
      one_error(joint_errors("{type: hinge, bodies: [a, b], axis: [0, 0, 1], limits: [0, 5 cm]}"),
                "9:64", "limits[1]"));
  EXPECT_TRUE(one_error(
      joint_errors("{type: prismatic, bodies: [a, b], axis: [0, 0, 1], limits: [0, 5 deg]}"),
      "9:68", "limits[1]"));
  EXPECT_TRUE(one_error(joint_errors("{type: prismatic, bodies: [a, b], axis: [0, 0, 1], motor: "
                                     "{speed: 1, max_torque: 2}}"),
                        "9:74", "`max_torque` is not a key of a sliding motor"));
  EXPECT_TRUE(one_error(joint_errors("{type: hinge, bodies: [a, b], axis: [0, 0, 1], motor: {}}"),
                        "9:59", "needs the key `speed`"));
}

TEST(BuildJoints, MistakesInBodies) {
  EXPECT_TRUE(
      one_error(joint_errors("{type: ball, bodies: [a, wal]}"), "9:30", "did you mean `wall`?"));
  EXPECT_TRUE(one_error(joint_errors("{type: ball, bodies: [a, a]}"), "9:26", "with itself"));
  EXPECT_TRUE(one_error(joint_errors("{type: ball, bodies: [wall, arm]}"), "9:26", "neither end"));
  EXPECT_TRUE(
      one_error(joint_errors("{type: ball, bodies: [world, world]}"), "9:26", "neither end"));
  EXPECT_TRUE(one_error(joint_errors("{type: ball, bodies: [a]}"), "9:26", "1 entry"));
  EXPECT_TRUE(one_error(joint_errors("{type: ball}"), "9:5", "needs the key `bodies`"));
  EXPECT_TRUE(one_error(joint_errors("{type: ball, bodies: [a, world]}"), "9:5", "add `at`"));
  // All mistakes of an entry are told at once.
  EXPECT_EQ(joint_errors("{type: ball, bodies: [c, d], at: [1, 2]}").size(), 3u);
}

TEST(BuildJoints, MistakesInTypesAndKeys) {
  EXPECT_TRUE(
      one_error(joint_errors("{type: hing, bodies: [a, b]}"), "9:12", "did you mean `hinge`?"));
  EXPECT_TRUE(one_error(joint_errors("{bodies: [a, b]}"), "9:5", "the key `type`"));
  EXPECT_TRUE(one_error(joint_errors("{type: ball, bodies: [a, b], axis: [0, 0, 1]}"), "9:34",
                        "`axis` is not a key of a ball"));
  EXPECT_TRUE(one_error(joint_errors("{type: weld, bodies: [a, b], motor: {speed: 1}}"), "9:34",
                        "`motor` is not a key of a weld"));
  EXPECT_TRUE(one_error(joint_errors("{type: hinge, bodies: [a, b]}"), "9:5",
                        "a hinge needs the key `axis`"));
  EXPECT_TRUE(
      one_error(joint_errors("{type: ball, bodies: [a, b], break_force: 0}"), "9:47", "positive"));
  EXPECT_TRUE(one_error(joint_errors("{type: ball, bodies: [a, b], colide: true}"), "9:34",
                        "did you mean `collide`?"));
  EXPECT_TRUE(one_error(joint_errors("{type: ball, bodies: [a, b], at: [[0, 0, 0], [0, 0, 1]]}"),
                        "9:38", "at"));
}

TEST(BuildJoints, MistakesInGeometry) {
  EXPECT_TRUE(one_error(joint_errors("{type: hinge, bodies: [a, b], axis: [0, 0, 0]}"), "9:41",
                        "must have a direction"));
  EXPECT_TRUE(one_error(
      joint_errors("{type: universal, bodies: [a, b], axis: [0, 0, 1], axis2: [0, 1, 1]}"), "9:63",
      "not perpendicular"));
  EXPECT_TRUE(one_error(joint_errors("{type: distance, bodies: [a, b], at: [4, 4, 0]}"), "9:5",
                        "`type: ball`"));
  const std::string hinge = "{type: hinge, bodies: [a, b], axis: [0, 0, 1], limits: ";
  EXPECT_TRUE(one_error(joint_errors(hinge + "[30 deg, -30 deg]}"), "9:60",
                        "limits are 30 deg and -30 deg"));
  EXPECT_TRUE(one_error(joint_errors(hinge + "[0, 0]}"), "9:60", "must be less"));
  EXPECT_TRUE(
      one_error(joint_errors(hinge + "[10 deg, 30 deg]}"), "9:60", "the angle is 0 at time 0"));
}

TEST(BuildJoints, NamesAreUniqueAmongJoints) {
  const std::string twice = four_bodies + "  - {name: a, type: ball, bodies: [world, a]}\n";
  EXPECT_TRUE(errors(twice).empty());  // a body of that name does not matter
  EXPECT_TRUE(one_error(errors(twice + "  - {name: a, type: ball, bodies: [world, b]}\n"), "10:12",
                        "taken by the joint at line 9"));
  EXPECT_TRUE(
      one_error(errors(four_bodies + "  - {name: 'joints[1]', type: ball, bodies: [world, a]}\n"
                                     "  - {type: ball, bodies: [world, b]}\n"),
                "10:5", "taken by the joint at line 9"));
}

TEST(BuildJoints, CanBeOverridden) {
  const std::string text =
      four_bodies +
      "  - {name: axle, type: hinge, bodies: [a, b], axis: [0, 0, 1], motor: {speed: 1}}\n";
  const auto scene = load(text, {"joints.axle.motor.speed=2", "joints[0].break_force=7 N"});
  ASSERT_EQ(scene.joints.size(), 1u);
  EXPECT_EQ(scene.joints[0].motor->speed, 2);
  EXPECT_EQ(scene.joints[0].break_force, 7);
}

TEST(BuildJoints, FollowScriptedBodiesFromWhereTheyStart) {
  const auto scene = load(header +
                          "bodies:\n"
                          "  - {name: crank, shape: {sphere: {radius: 1}}, motion: {position: "
                          "[\"7+t\", 0, 0], rotation: {axis: [0, 0, 1], angle: \"t + pi/2\"}}}\n"
                          "  - {name: b, shape: {sphere: {radius: 1}}}\n"
                          "joints:\n  - {type: ball, bodies: [crank, b], at: [8, 0, 0]}\n");
  ASSERT_EQ(scene.joints.size(), 1u);
  // A quarter turn at time 0 puts world +x on the crank's own -y.
  EXPECT_LT((scene.joints[0].frames[0].position - Vec3(0, -1, 0)).norm(), 1e-15);
}
