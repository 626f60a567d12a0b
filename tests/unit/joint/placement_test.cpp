#include "joint/placement.h"

#include <gtest/gtest.h>

#include "joint/rows.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/joint/joint_samples.h"

namespace abut::joint {
namespace {

using namespace joint_testing;

Placement random_placement(Random& random, Type type) {
  Placement placement;
  placement.points[0] = random_vector(random);
  placement.points[1] = type == Type::distance ? random_vector(random) : placement.points[0];
  placement.axis = random_vector(random, 100);
  if (uniform(random, 0, 1) < 0.5) {
    placement.axis2 = Vec3(placement.axis.cross(random_vector(random)));
  }
  return placement;
}

TEST(JointPlacement, ClosesEveryJointWhereItWasPut) {
  Random random(test::seed(1));
  for (const Type type : all_types) {
    for (int i = 0; i < test::cases(100); ++i) {
      Joint joint;
      joint.type = type;
      const Placement placement = random_placement(random, type);
      const std::array<Pose, 2> bodies = {random_pose(random), random_pose(random)};
      place(joint, placement, bodies);
      const RigidMotion a = {bodies[0]}, b = {bodies[1]};
      std::vector<body::ConstraintRow> rows;
      add_equality_rows(joint, a, b, rows);
      for (const auto& row : rows) EXPECT_NEAR(row.value, 0, 1e-14) << to_string(type);
      if (has_coordinate(type)) {
        EXPECT_NEAR(coordinate_row(joint, a, b, 0).value, 0, 1e-14);
      }
      EXPECT_LT((joint_point(joint, b) - placement.points[1]).norm(), 1e-14);
      if (!has_axis(type)) continue;
      const Pose first = bodies[0] * joint.frames[0];
      EXPECT_LT((first.orientation * Vec3::UnitZ() - placement.axis.normalized()).norm(), 1e-14);
      if (type == Type::universal && placement.axis2) {
        const Pose second = bodies[1] * joint.frames[1];
        EXPECT_LT((second.orientation * Vec3::UnitZ() - placement.axis2->normalized()).norm(),
                  1e-14);
      }
    }
  }
}

TEST(JointPlacement, KeepsAxesOfTheWorldExact) {
  for (int i = 0; i < 3; ++i) {
    Joint joint;
    joint.type = Type::hinge;
    Placement placement;
    placement.axis = 5 * Vec3::Unit(i);
    place(joint, placement, {});
    EXPECT_LT((joint.frames[0].orientation * Vec3::UnitZ() - Vec3::Unit(i)).norm(), 3e-16);
    if (i == 2) {
      EXPECT_EQ(joint.frames[0].orientation.coeffs(), Quat::Identity().coeffs());
    }
  }
}

TEST(JointPlacement, TakesTheLengthOfADistanceFromItsPoints) {
  Joint joint;
  joint.type = Type::distance;
  Placement placement;
  placement.points = {Vec3(1, 0, 0), Vec3(1, 3, 4)};
  place(joint, placement, {Pose(), Pose{Vec3(1, 1, 1), turn(Vec3(1, 2, 3))}});
  EXPECT_EQ(joint.length, 5);
}

TEST(JointPlacement, AxesOfExtremeLengthAreDirectionsToo) {
  for (const double size : {1e-200, 1e100}) {
    Joint joint;
    joint.type = Type::universal;
    Placement placement;
    placement.axis = Vec3(0, size, 0);
    placement.axis2 = Vec3(size, 0, 0);
    place(joint, placement, {});
    EXPECT_LT((joint.frames[0].orientation * Vec3::UnitZ() - Vec3::UnitY()).norm(), 1e-15);
    EXPECT_LT((joint.frames[1].orientation * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-15);
  }
}

TEST(JointPlacement, PerpendicularIsWhatPeopleMeanByIt) {
  EXPECT_TRUE(nearly_perpendicular(Vec3(1, 0, 0), Vec3(0, 0, 7)));
  EXPECT_TRUE(nearly_perpendicular(Vec3(0.866, 0.5, 0), Vec3(-0.5, 0.8660254, 0)));
  EXPECT_FALSE(nearly_perpendicular(Vec3(1, 0, 0), Vec3(0.1, 1, 0)));
  EXPECT_FALSE(nearly_perpendicular(Vec3(1e-9, 0, 0), Vec3(1e-9, 0, 0)));
}

}  // namespace
}  // namespace abut::joint
