#include "joint/rows.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/constants.h"
#include "support/precise_motion.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/joint/joint_samples.h"

namespace abut::joint {
namespace {

using namespace joint_testing;
using body::ConstraintRow;
using body::RowSide;
using test::Accelerations;
using test::Derivatives;
using test::matrix_of;
using test::Real;
using test::RealMat;
using test::RealPose;
using test::RealVec;
using test::second_derivative;

using abut::test::pi;

std::vector<ConstraintRow> equality_rows(const Joint& joint, const RigidMotion& a,
                                         const RigidMotion& b) {
  std::vector<ConstraintRow> rows;
  add_equality_rows(joint, a, b, rows);
  return rows;
}

/// The equality rows and, where there is one, the coordinate.
std::vector<ConstraintRow> all_rows(const Joint& joint, const RigidMotion& a,
                                    const RigidMotion& b) {
  std::vector<ConstraintRow> rows = equality_rows(joint, a, b);
  if (has_coordinate(joint.type)) rows.push_back(coordinate_row(joint, a, b, 0));
  return rows;
}

// --- A second implementation: the conditions as they are defined, with 50 digits and matrices,
// along a path, differentiated numerically
// ---------------------------------------------------------------

RealPose carried(const Pose& frame, const RealPose& body) {
  return {body.position + body.axes * frame.position.cast<Real>(),
          body.axes * matrix_of(frame.orientation)};
}

/// 2 sin(theta/2) n of the rotation m by theta about n, from trace and antisymmetric part.
RealVec twice_half_sine(const RealMat& m) {
  const Real s = sqrt(1 + m.trace()) / 2;
  const RealVec antisymmetric(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
  return antisymmetric / (2 * s);
}

std::vector<Real> defined_values(const Joint& joint, const RealPose& body_a,
                                 const RealPose& body_b) {
  const RealPose a = carried(joint.frames[0], body_a);
  const RealPose b = carried(joint.frames[1], body_b);
  const RealVec offset = a.axes.transpose() * (b.position - a.position);
  const RealMat m = a.axes.transpose() * b.axes;
  const RealVec same = twice_half_sine(m);
  const Real twist = atan2(m(1, 0) - m(0, 1), m(0, 0) + m(1, 1));
  switch (joint.type) {
    case Type::ball:
      return {offset.x(), offset.y(), offset.z()};
    case Type::hinge:
      return {offset.x(), offset.y(), offset.z(), m(2, 1), -m(2, 0), twist};
    case Type::universal:
      return {offset.x(), offset.y(), offset.z(), m(2, 2)};
    case Type::prismatic:
      return {offset.x(), offset.y(), same.x(), same.y(), same.z(), offset.z()};
    case Type::cylindrical:
      return {offset.x(), offset.y(), m(2, 1), -m(2, 0), offset.z()};
    case Type::point_on_line:
      return {offset.x(), offset.y(), offset.z()};
    case Type::point_on_plane:
      return {offset.z()};
    case Type::weld:
      return {offset.x(), offset.y(), offset.z(), same.x(), same.y(), same.z()};
    case Type::distance:
      return {offset.norm() - joint.length};
  }
  return {};
}

std::vector<Derivatives> defined_rows(const Joint& joint, const std::array<RigidMotion, 2>& motions,
                                      const std::array<Accelerations, 2>& changes) {
  return test::derivatives(
      [&](const RealPose& a, const RealPose& b) { return defined_values(joint, a, b); }, motions,
      changes);
}

/// Rows against their definition for one joint and motion. Terms are products of a few numbers of
/// the order of 1, larger in the tail; where directions are nearly opposite, angles magnify by
/// `magnification`.
void expect_rows_as_defined(const Joint& joint, const std::array<RigidMotion, 2>& motions,
                            const std::array<Accelerations, 2>& changes, double magnification) {
  const auto rows = all_rows(joint, motions[0], motions[1]);
  const auto defined = defined_rows(joint, motions, changes);
  ASSERT_EQ(rows.size(), defined.size()) << to_string(joint.type);
  const double rounding = 1e-12 * magnification;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(std::string(to_string(joint.type)) + " row " + std::to_string(i));
    const bool is_angle = joint.type == Type::hinge && i == 5;
    const double error = rows[i].value - defined[i].value;
    EXPECT_NEAR(is_angle ? std::remainder(error, 2 * pi) : error, 0, rounding);
    EXPECT_NEAR(rows[i].rate, defined[i].first, rounding * (1 + std::abs(defined[i].first)));
    EXPECT_NEAR(rows[i].rate,
                rows[i].sides[0](motions[0].velocity, motions[0].angular_velocity) +
                    rows[i].sides[1](motions[1].velocity, motions[1].angular_velocity),
                rounding * (1 + std::abs(rows[i].rate)));
    EXPECT_NEAR(second_derivative(rows[i], changes), defined[i].second,
                rounding * (10 + std::abs(defined[i].second)));
  }
}

Accelerations random_accelerations(Random& random) {
  return {random_vector(random), random_vector(random)};
}

/// How much larger than 1 the derivatives of the directions' rows may be: they are smooth functions
/// of the relative turn except where the z axes (of the angle), or all axes, are opposite.
double magnification(const Joint& joint, const RigidMotion& a, const RigidMotion& b) {
  const Quat q = (a.pose.orientation * joint.frames[0].orientation).conjugate() *
                 (b.pose.orientation * joint.frames[1].orientation);
  double k = 1;
  if (joint.type == Type::hinge) k = q.w() * q.w() + q.z() * q.z();
  if (joint.type == Type::weld || joint.type == Type::prismatic) k = q.w() * q.w();
  return 1 / (k * k);
}

TEST(JointRows, AreTheDerivativesOfWhatTheyDefine) {
  Random random(test::seed(1));
  for (const Type type : all_types) {
    for (int i = 0; i < test::cases(30); ++i) {
      const Joint joint = random_joint(random, type);
      const std::array motions = {random_motion(random), random_motion(random)};
      expect_rows_as_defined(joint, motions,
                             {random_accelerations(random), random_accelerations(random)},
                             magnification(joint, motions[0], motions[1]));
    }
  }
}

TEST(JointRows, AreExactWhereTheJointIsClosed) {
  Random random(test::seed(2));
  for (const Type type : all_types) {
    for (int i = 0; i < test::cases(30); ++i) {
      const Joint joint = random_joint(random, type);
      std::array motions = {random_motion(random), random_motion(random)};
      motions[1].pose = second_pose(joint, motions[0].pose, allowed_pose(random, joint));
      for (const ConstraintRow& row : equality_rows(joint, motions[0], motions[1])) {
        EXPECT_NEAR(row.value, 0, 1e-14);
      }
      EXPECT_NEAR(anchor_gap(joint, motions[0], motions[1]), 0, 1e-14);
      expect_rows_as_defined(joint, motions,
                             {random_accelerations(random), random_accelerations(random)}, 1);
    }
  }
}

TEST(JointRows, TheWorldIsABodyAtRest) {
  Random random(test::seed(3));
  for (const Type type : all_types) {
    const Joint joint = random_joint(random, type);
    const RigidMotion moving = random_motion(random);
    const Accelerations change = random_accelerations(random);
    for (const bool world_first : {true, false}) {
      const std::array motions =
          world_first ? std::array{RigidMotion(), moving} : std::array{moving, RigidMotion()};
      const std::array changes =
          world_first ? std::array{Accelerations(), change} : std::array{change, Accelerations()};
      expect_rows_as_defined(joint, motions, changes, magnification(joint, motions[0], motions[1]));
    }
  }
}

// --- Structure
// ------------------------------------------------------------------------------------

TEST(JointRows, HaveTheNumberTheirTypeSays) {
  Random random(test::seed(4));
  for (const Type type : all_types) {
    const Joint joint = random_joint(random, type);
    std::vector<ConstraintRow> rows(2);  // what is there stays
    add_equality_rows(joint, random_motion(random), random_motion(random), rows);
    EXPECT_EQ(static_cast<int>(rows.size()), 2 + equality_row_count(type)) << to_string(type);
  }
}

TEST(JointRows, PutNoNetForceOrTorqueOnTheTwoBodies) {
  Random random(test::seed(5));
  for (const Type type : all_types) {
    for (int i = 0; i < test::cases(100); ++i) {
      const Joint joint = random_joint(random, type);
      const RigidMotion a = random_motion(random), b = random_motion(random);
      for (const ConstraintRow& row : all_rows(joint, a, b)) {
        const auto& [on_a, on_b] = row.sides;
        EXPECT_EQ(on_a.linear, Vec3(-on_b.linear));
        const Vec3 torque = on_a.angular + a.pose.position.cross(on_a.linear) + on_b.angular +
                            b.pose.position.cross(on_b.linear);
        EXPECT_LT(torque.norm(), 1e-12 * (1 + on_b.angular.norm())) << to_string(type);
      }
    }
  }
}

/// The rows' action on the second body, reduced to the anchor: as well conditioned as can be, in
/// every position the joint allows.
TEST(JointRows, AreOrthonormalAtTheAnchorWhereTheJointIsClosed) {
  Random random(test::seed(6));
  for (const Type type : all_types) {
    for (int i = 0; i < test::cases(100); ++i) {
      const Joint joint = random_joint(random, type);
      const RigidMotion a = random_motion(random);
      const RigidMotion b = {second_pose(joint, a.pose, allowed_pose(random, joint))};
      const auto rows = all_rows(joint, a, b);
      const Vec3 arm = joint_point(joint, b) - b.pose.position;
      Eigen::MatrixXd matrix(rows.size(), 6);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const RowSide& side = rows[r].sides[1];
        matrix.row(r) << side.linear.transpose(),
            (side.angular - arm.cross(side.linear)).transpose();
      }
      const Eigen::MatrixXd product = matrix * matrix.transpose();
      EXPECT_LT((product - Eigen::MatrixXd::Identity(product.rows(), product.cols())).norm(), 1e-12)
          << to_string(type);
    }
  }
}

TEST(JointRows, OnlyAnUnturnedWeldHasTheRightDirections) {
  Random random(test::seed(7));
  for (int i = 0; i < test::cases(100); ++i) {
    const Joint joint = random_joint(random, Type::weld);
    const RigidMotion a = random_motion(random);
    const Vec3 axis = random_vector(random).normalized();
    for (const double angle : {1e-9, 0.1, 2.0, pi, 4.0, 2 * pi - 0.1}) {
      const RigidMotion b = {second_pose(joint, a.pose, {Vec3::Zero(), turn(angle * axis)})};
      const auto rows = equality_rows(joint, a, b);
      const Vec3 direction(rows[3].value, rows[4].value, rows[5].value);
      EXPECT_NEAR(direction.norm(), 2 * std::abs(std::sin(angle / 2)), 1e-14);
    }
  }
}

// --- Closed forms
// ---------------------------------------------------------------------------------

/// A wheel that spins about the axle of a rolling cart: nothing opens, nothing is needed to hold it
/// but the centripetal force of an anchor off the centre.
TEST(JointRows, ASpinningHingeStaysClosed) {
  Joint joint;
  joint.type = Type::hinge;
  joint.frames[1].position = Vec3(2, 0, 0);
  const RigidMotion a = {{}, Vec3(1, 0, 0), Vec3::Zero()};
  const double omega = 3;
  const RigidMotion b = {{Vec3(-2, 0, 0), Quat::Identity()},
                         Vec3(1, 0, 0) + Vec3(0, 0, omega).cross(Vec3(-2, 0, 0)),
                         Vec3(0, 0, omega)};
  const auto rows = equality_rows(joint, a, b);
  for (const ConstraintRow& row : rows) {
    EXPECT_EQ(row.value, 0);
    EXPECT_EQ(row.rate, 0);
  }
  EXPECT_EQ(rows[0].bias,
            -2 * omega * omega);  // the anchor's acceleration, if b did not accelerate
  for (int i = 1; i < 5; ++i) EXPECT_EQ(rows[i].bias, 0);
  const ConstraintRow angle = coordinate_row(joint, a, b, 0);
  EXPECT_EQ(angle.value, 0);
  EXPECT_EQ(angle.rate, omega);
  EXPECT_EQ(angle.bias, 0);
}

/// A bead that slides outward on a turning rod feels the Coriolis acceleration across it.
TEST(JointRows, ABeadOnATurningRod) {
  Joint joint;
  joint.type = Type::point_on_line;
  joint.frames[0].orientation = turn(Vec3(0, pi / 2, 0));  // z along x, x along -z
  const double omega = 2, r = 3, speed = 5;
  const RigidMotion rod = {{}, Vec3::Zero(), Vec3(0, 0, omega)};
  const RigidMotion bead = {
      {Vec3(r, 0, 0), Quat::Identity()}, Vec3(speed, omega * r, 0), {0, 0, 0}};
  const auto rows = equality_rows(joint, rod, bead);
  EXPECT_NEAR(rows[1].value, 0, 1e-15);
  EXPECT_NEAR(rows[1].rate, 0, 1e-14);
  // Free, the bead leaves the rod backwards: y'' = a_y - 2 omega x' + omega^2 y in turning axes.
  EXPECT_NEAR(rows[1].bias, -2 * omega * speed, 1e-13);
  const ConstraintRow along = coordinate_row(joint, rod, bead, 0);
  EXPECT_NEAR(along.value, r, 1e-15);
  EXPECT_NEAR(along.rate, speed, 1e-14);
  EXPECT_NEAR(along.bias, omega * omega * r, 1e-13);  // r'' = a_r + omega^2 r
}

TEST(JointRows, ADistanceOfAPointOnACircle) {
  Joint joint;
  joint.type = Type::distance;
  joint.length = 2;
  const RigidMotion bob = {{Vec3(0, 2, 0), Quat::Identity()}, Vec3(3, 0, 0), Vec3::Zero()};
  const ConstraintRow row = equality_rows(joint, RigidMotion(), bob)[0];
  EXPECT_EQ(row.value, 0);
  EXPECT_EQ(row.rate, 0);
  EXPECT_EQ(row.bias, 9.0 / 2);  // v^2 / r
}

TEST(JointRows, AnchorsInOnePlaceLeaveADistanceFinite) {
  Joint joint;
  joint.type = Type::distance;
  joint.length = 1;
  const ConstraintRow row = equality_rows(joint, RigidMotion(), RigidMotion())[0];
  EXPECT_EQ(row.value, -1);
  EXPECT_EQ(row.sides[1].linear.norm(), 1);
  EXPECT_TRUE(std::isfinite(row.bias));
}

TEST(JointRows, AnglesCountTurns) {
  Random random(test::seed(8));
  const Joint joint = random_joint(random, Type::hinge);
  const RigidMotion a = random_motion(random);
  double near = 0;
  for (double angle = 0; angle < 40; angle += 0.7) {
    const Pose relative = {Vec3::Zero(), turn(Vec3(0, 0, angle))};
    const RigidMotion b = {second_pose(joint, a.pose, relative)};
    near = coordinate_row(joint, a, b, near).value;
    EXPECT_NEAR(near, angle, 1e-13);
  }
  for (double angle = near; angle > -40; angle -= 3.1) {  // nearly half a turn at a time
    const Pose relative = {Vec3::Zero(), turn(Vec3(0, 0, angle))};
    const RigidMotion b = {second_pose(joint, a.pose, relative)};
    near = coordinate_row(joint, a, b, near).value;
    EXPECT_NEAR(near, angle, 1e-13);
  }
}

TEST(JointRows, AnAngleIsSeenTheSameFromBothBodies) {
  Random random(test::seed(9));
  for (int i = 0; i < test::cases(100); ++i) {
    const Joint joint = random_joint(random, Type::hinge);
    const RigidMotion a = random_motion(random), b = random_motion(random);
    Joint swapped = joint;
    std::swap(swapped.frames[0], swapped.frames[1]);
    const ConstraintRow there = coordinate_row(joint, a, b, 0);
    const ConstraintRow back = coordinate_row(swapped, b, a, 0);
    EXPECT_NEAR(std::remainder(there.value + back.value, 2 * pi), 0, 1e-13);
    EXPECT_NEAR(there.rate, -back.rate, 1e-10 * (1 + std::abs(there.rate)));
  }
}

// --- Reaction and gap
// -----------------------------------------------------------------------------

/// Its power on the second body is that of the row forces, whatever the body does.
TEST(JointReaction, DoesTheWorkOfTheRowForces) {
  Random random(test::seed(10));
  for (const Type type : all_types) {
    for (int i = 0; i < test::cases(100); ++i) {
      const Joint joint = random_joint(random, type);
      const RigidMotion a = random_motion(random), b = random_motion(random);
      const auto rows = all_rows(joint, a, b);
      std::vector<double> forces;
      for (std::size_t r = 0; r < rows.size(); ++r) forces.push_back(uniform(random, -1, 1));
      if (i % 2 == 0) forces.resize(equality_row_count(type));  // no motor, no limit
      double power = 0;
      for (std::size_t r = 0; r < forces.size(); ++r) {
        power += forces[r] * rows[r].sides[1](b.velocity, b.angular_velocity);
      }
      const Reaction sum = reaction(joint, a, b, forces);
      const Vec3 arm = joint_point(joint, b) - b.pose.position;
      const Vec3 velocity = b.velocity + b.angular_velocity.cross(arm);
      EXPECT_NEAR(sum.force.dot(velocity) + sum.torque.dot(b.angular_velocity), power,
                  1e-12 * magnification(joint, a, b))
          << to_string(type);
    }
  }
}

TEST(JointReaction, PointsTransmitNoTorque) {
  Random random(test::seed(11));
  for (const Type type : {Type::ball, Type::point_on_line, Type::point_on_plane, Type::distance}) {
    const Joint joint = random_joint(random, type);
    const std::vector<double> forces(equality_row_count(type), 1.0);
    const Reaction sum = reaction(joint, random_motion(random), random_motion(random), forces);
    EXPECT_NEAR(sum.torque.norm(), 0, 1e-14) << to_string(type);
    EXPECT_NEAR(sum.force.squaredNorm(), equality_row_count(type), 1e-13);
  }
}

TEST(JointGap, IsTheDistanceFromWhereTheAnchorBelongs) {
  const RigidMotion a;
  RigidMotion b;
  b.pose.position = Vec3(3, 4, 12);
  const auto gap = [&](Type type) {
    Joint joint;
    joint.type = type;
    joint.length = 14;
    return anchor_gap(joint, a, b);
  };
  for (const Type type : {Type::ball, Type::hinge, Type::universal, Type::weld})
    EXPECT_EQ(gap(type), 13) << to_string(type);
  for (const Type type : {Type::prismatic, Type::cylindrical, Type::point_on_line})
    EXPECT_EQ(gap(type), 5) << to_string(type);
  EXPECT_EQ(gap(Type::point_on_plane), 12);
  EXPECT_EQ(gap(Type::distance), 1);
}

}  // namespace
}  // namespace abut::joint
