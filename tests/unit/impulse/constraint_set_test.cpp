// Rows of contacts, limits, motors and joints: their order, and what each of them says.

#include "impulse/constraint_set.h"
#include "base/limits.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "math/rotation.h"
#include "support/models.h"

namespace abut::impulse {
namespace {

/// A fixed floor (0), a carriage (1) that slides along x on the world, and a wheel (2) that turns
/// about y on the carriage and touches the floor.
struct Wheel {
  static constexpr double radius = 0.5;
  model::Model model = test::empty_model(1);
  std::vector<BodyIndex> bodies = {1, 2};
  contact::Contact contact;
  std::vector<body::RigidMotion> moving;
  std::vector<Support> supports;

  Wheel() {
    model::Body floor;
    floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
    floor.motion = model::Fixed{};
    model.bodies = {floor, test::body_of(shape::Sphere{0.1}), test::body_of(shape::Sphere{radius})};
    joint::Joint slide;
    slide.type = joint::Type::prismatic;
    slide.bodies = {world, 1};
    slide.frames[0] = {Vec3(0, 0, radius), along(Vec3::UnitX())};
    slide.frames[1].orientation = along(Vec3::UnitX());
    slide.limits = {-1, 2};
    joint::Joint axle;
    axle.type = joint::Type::hinge;
    axle.bodies = {1, 2};
    axle.frames[0].orientation = axle.frames[1].orientation = along(Vec3::UnitY());
    model.joints = {slide, axle};
    contact.bodies = {2, 0};
    contact.rounding_of = {radius, 0};
    const Vec3 centre(0.25, 0, radius + 0.01), velocity(3, 0, 0);
    moving = {{{Vec3(0.25, 0, radius), Quat::Identity()}, velocity, Vec3::Zero()},
              {{centre, math::rotation_exp(Vec3(0, 0.4, 0))}, velocity, Vec3(0, 5, 0)}};
  }
  /// A frame whose z axis has this direction.
  static Quat along(const Vec3& axis) {
    return math::rotation_exp(Vec3::UnitZ().cross(axis) * M_PI_2);
  }

  ConstraintSet set(std::vector<contact::Contact> contacts, std::vector<MetLimit> limits,
                    const std::vector<MotorDrive>& motors, std::vector<JointIndex> joints) {
    ConstraintSet made(model, bodies, std::move(contacts), std::move(limits), motors,
                       std::move(joints));
    supports.assign(made.supports().size(), {});
    return made;
  }
  ConstraintSet everything() {
    model.joints[0].motor = joint::Motor{4, infinity};
    model.joints[1].motor = joint::Motor{7, 30};
    return set({contact}, {{0, true}}, {{1, Drive::keeps}}, {0, 1});
  }
  BodiesNow now() const { return {moving, supports}; }
};

TEST(ConstraintSet, RowsComeInTheirOrder) {
  Wheel wheel;
  const ConstraintSet set = wheel.everything();
  EXPECT_EQ(set.contact_count(), 1);
  EXPECT_EQ(set.limit_count(), 1);
  EXPECT_EQ(set.motor_count(), 1);
  EXPECT_EQ(set.first_motor(), 2);
  EXPECT_EQ(set.first_equality(), 3);
  EXPECT_EQ(set.row_count(), 3 + 5 + 1 + 5);  // the slide with its motor, the axle
  EXPECT_EQ(set.evaluate(wheel.now()).rows.size(), 14u);
  EXPECT_TRUE(ConstraintSet().empty());
}

TEST(ConstraintSet, MotorsThatPushAreNoConstraint) {
  Wheel wheel;
  wheel.model.joints[1].motor = joint::Motor{7, 30};
  for (const Drive drive : {Drive::pushes_forward, Drive::pushes_back}) {
    const ConstraintSet set = wheel.set({}, {}, {{1, drive}}, {0, 1});
    EXPECT_EQ(set.motor_count(), 0);
    EXPECT_EQ(set.row_count(), 10);
  }
}

TEST(ConstraintSet, ContactsAndLimitsOnlyPushAndMotorsHaveTheirForce) {
  Wheel wheel;
  const ConstraintSet set = wheel.everything();
  EXPECT_EQ(set.lower_bounds(), Vector(Vec3(0, 0, -30)));
  EXPECT_EQ(set.upper_bounds(), Vector(Vec3(infinity, infinity, 30)));
}

TEST(ConstraintSet, WhatDoesNotYieldIsCountedOnce) {
  Wheel wheel;
  const ConstraintSet set = wheel.set({wheel.contact, wheel.contact}, {{0, false}}, {}, {0, 1});
  EXPECT_EQ(set.supports(), (std::vector<BodyIndex>{0, world}));
  const RowsNow rows = set.evaluate(wheel.now());
  EXPECT_EQ(set.places_of_row(0), set.places_of_row(1));
  EXPECT_EQ(ConstraintSet::support_of(set.places_of_row(0)[1]), 0);
  EXPECT_EQ(ConstraintSet::support_of(set.places_of_row(2)[0]), 1);
  EXPECT_EQ(rows.rows[0].slots, (std::array<int, 2>{1, immovable}));
  EXPECT_EQ(rows.rows[2].slots, (std::array<int, 2>{immovable, 0}));
  EXPECT_EQ(rows.rows.back().slots, (std::array<int, 2>{0, 1}));
}

TEST(ConstraintSet, AContactsRowIsItsGap) {
  Wheel wheel;
  const ConstraintSet set = wheel.set({wheel.contact}, {}, {}, {});
  wheel.moving[1].velocity.z() = -2;
  const RowsNow rows = set.evaluate(wheel.now());
  ASSERT_EQ(rows.contacts.size(), 1u);
  EXPECT_NEAR(rows.rows[0].row.value, 0.01, 1e-15);
  EXPECT_NEAR(rows.rows[0].row.rate, -2, 1e-15);
  EXPECT_NEAR((rows.contacts[0].normal - Vec3::UnitZ()).norm(), 0, 1e-15);
}

// Of a coordinate of 0.25 that grows by 3 a second, between -1 and 2.
TEST(ConstraintSet, ALimitsRowIsTheWayThatIsLeft) {
  Wheel wheel;
  const ConstraintSet set = wheel.set({}, {{0, false}, {0, true}}, {}, {});
  const RowsNow rows = set.evaluate(wheel.now());
  EXPECT_NEAR(rows.rows[0].row.value, 1.25, 1e-15);
  EXPECT_NEAR(rows.rows[0].row.rate, 3, 1e-15);
  EXPECT_NEAR(rows.rows[1].row.value, 1.75, 1e-15);
  EXPECT_NEAR(rows.rows[1].row.rate, -3, 1e-15);
  EXPECT_NEAR((rows.rows[0].row.sides[1].linear - Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_NEAR((rows.rows[1].row.sides[1].linear + Vec3::UnitX()).norm(), 0, 1e-15);
}

TEST(ConstraintSet, AMotorsRowIsWhatItsSpeedIsOff) {
  Wheel wheel;
  const ConstraintSet set = wheel.everything();
  const RowsNow rows = set.evaluate(wheel.now());
  const int limited = set.first_motor(), unstoppable = set.first_equality() + 5;
  EXPECT_EQ(rows.rows[limited].row.value, 0);
  EXPECT_NEAR(rows.rows[limited].row.rate, 5 - 7, 1e-14);
  EXPECT_EQ(rows.rows[unstoppable].row.value, 0);
  EXPECT_NEAR(rows.rows[unstoppable].row.rate, 3 - 4, 1e-14);
  for (int row = 0; row < set.row_count(); ++row)
    EXPECT_EQ(set.speed_of_row(row), row == limited ? 7 : row == unstoppable ? 4 : 0) << row;
}

TEST(ConstraintSet, SomeRowsAreTheSameAsAmongAll) {
  Wheel wheel;
  const ConstraintSet set = wheel.everything();
  const RowsNow all = set.evaluate(wheel.now());
  std::vector<int> backwards(set.row_count());
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  for (const std::vector<int>& some : {backwards, std::vector<int>{0, 2, 7, 8, 13}}) {
    const RowsNow rows = set.evaluate(wheel.now(), some);
    ASSERT_EQ(rows.rows.size(), some.size());
    EXPECT_TRUE(rows.contacts.empty());
    for (std::size_t i = 0; i < some.size(); ++i) {
      const SystemRow &one = rows.rows[i], &other = all.rows[some[i]];
      EXPECT_EQ(one.slots, other.slots);
      EXPECT_EQ(one.row.value, other.row.value);
      EXPECT_EQ(one.row.rate, other.row.rate);
      EXPECT_EQ(one.row.bias, other.row.bias);
      for (int side = 0; side < 2; ++side) {
        EXPECT_EQ(one.row.sides[side].linear, other.row.sides[side].linear);
        EXPECT_EQ(one.row.sides[side].angular, other.row.sides[side].angular);
      }
    }
  }
}

// A push along the slide, and the multipliers of its limit and motor, are one force along x; the
// rows across the slide give the rest of it.
TEST(ConstraintSet, AJointTransmitsItsRowsLimitsAndMotors) {
  Wheel wheel;
  const ConstraintSet set = wheel.everything();
  Vector multipliers = Vector::Zero(set.row_count());
  EXPECT_EQ(set.joint_state(0, wheel.now(), multipliers).force.norm(), 0);
  multipliers[1] = 2;                         // the upper limit pushes back
  multipliers[set.first_equality() + 5] = 7;  // the slide's motor
  JointState state = set.joint_state(0, wheel.now(), multipliers, 100);
  EXPECT_EQ(state.joint, 0);
  EXPECT_NEAR((state.force - Vec3(105, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR(state.torque.norm(), 0, 1e-12);

  multipliers.setZero();
  multipliers[set.first_motor()] = 3;  // the axle's motor turns the wheel against the carriage
  state = set.joint_state(1, wheel.now(), multipliers);
  EXPECT_NEAR((state.torque - Vec3(0, 3, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR(state.gap, 0.01, 1e-15);  // the wheel's centre is that much above the carriage's

  multipliers.setZero();
  const std::vector<body::ConstraintRow> rows = set.rows_of_joint(0, wheel.now());
  Vec3 force = Vec3::Zero();
  for (int i = 0; i < 5; ++i) {
    multipliers[set.first_equality() + i] = i + 1;
    force += (i + 1) * rows[i].sides[1].linear;
  }
  EXPECT_NEAR((set.joint_state(0, wheel.now(), multipliers).force - force).norm(), 0, 1e-12);
  EXPECT_NEAR(force.x(), 0, 1e-12);
}

// The floor accelerates towards the ball: the gap would close faster by that, whatever the ball
// does.
TEST(ConstraintSet, SupportsThatAccelerateEnterTheBias) {
  Wheel wheel;
  const ConstraintSet set = wheel.set({wheel.contact}, {}, {}, {0});
  wheel.supports[0].acceleration.linear = Vec3(1, 2, 3);
  wheel.supports[1].acceleration.linear = Vec3(0, 0, 5);
  const RowsNow rows = set.evaluate(wheel.now());
  const Vector bias = acceleration_bias(set, rows, wheel.now(), {});
  ASSERT_EQ(bias.size(), 6);
  EXPECT_NEAR(bias[0] - rows.rows[0].row.bias, -3, 1e-15);
  const std::vector<int> some = {3, 0};
  const Vector fewer = acceleration_bias(set, set.evaluate(wheel.now(), some), wheel.now(), some);
  EXPECT_EQ(fewer[0], bias[3]);
  EXPECT_EQ(fewer[1], bias[0]);
  // Along z, the slide's anchor on the world moves away from the carriage's.
  double across = 0;
  for (int i = 1; i < 6; ++i)
    across += (bias[i] - rows.rows[i].row.bias) * rows.rows[i].row.sides[1].linear.z();
  EXPECT_NEAR(across, -5, 1e-12);
}

}  // namespace
}  // namespace abut::impulse
