// Rows of contacts against the distances they stand for, differentiated with 50 digits.

#include "contact/contact.h"

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "support/precise_motion.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/contact/random_motions.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using test::Accelerations;
using test::RandomMotions;
using test::Real;
using test::RealPose;
using test::RealVec;

/// The distance as it is defined, with the sign the contact gives it.
Real defined_gap(const Contact& c, const RealPose& a, const RealPose& b) {
  const std::array<const RealPose*, 2> bodies = {&a, &b};
  const int p = c.point_side;
  const RealVec x = (*bodies[p])(c.features[p].point);
  const RealVec y = (*bodies[1 - p])(c.features[1 - p].point);
  const RealVec e = bodies[1 - p]->turned(c.features[1 - p].direction);
  switch (c.kind) {
    case GapKind::point_plane:
      return e.dot(x - y) / e.norm() - Real(c.rounding());
    case GapKind::edge_edge: {
      const RealVec cross =
          a.turned(c.features[0].direction).cross(b.turned(c.features[1].direction));
      return Real(c.edge_sign) * cross.dot(a(c.features[0].point) - b(c.features[1].point)) /
                 cross.norm() -
             Real(c.rounding());
    }
    case GapKind::point_point:
      return (x - y).norm() - Real(c.rounding());
    case GapKind::point_line:
      return (x - y).cross(e).norm() / e.norm() - Real(c.rounding());
    case GapKind::smooth:
      break;
  }
  return 0;
}

Contact random_contact(GapKind kind, int point_side, RandomMotions& random) {
  Contact contact;
  contact.kind = kind;
  contact.point_side = point_side;
  for (CarriedFeature& feature : contact.features) feature = {random.vector(), random.direction()};
  contact.rounding_of = {random.number(0, 0.3), random.number(0, 0.3)};
  contact.edge_sign = random.number(-1, 1) > 0 ? 1 : -1;
  return contact;
}

/// `magnification`: how much the terms of the second derivative exceed the order of 1.
void expect_row_as_defined(const Contact& contact, const std::array<RigidMotion, 2>& motions,
                           const std::array<Accelerations, 2>& changes, double magnification) {
  const ContactNow now = evaluate(contact, motions[0], motions[1]);
  const test::Derivatives gap = test::derivatives(
      [&](const RealPose& a, const RealPose& b) { return std::vector{defined_gap(contact, a, b)}; },
      motions, changes)[0];
  const double rounding = 1e-14 * magnification;
  EXPECT_NEAR(now.row.value, gap.value, rounding * 10);
  EXPECT_NEAR(now.row.rate, gap.first, rounding * (10 + std::abs(gap.first)));
  EXPECT_NEAR(now.row.sides[0](motions[0].velocity, motions[0].angular_velocity) +
                  now.row.sides[1](motions[1].velocity, motions[1].angular_velocity),
              now.row.rate, rounding * (10 + std::abs(now.row.rate)));
  EXPECT_NEAR(test::second_derivative(now.row, changes), gap.second,
              rounding * (100 + std::abs(gap.second)));
  EXPECT_NEAR(now.normal.norm(), 1, 1e-14);
  // The normal points from b to a, and the points are as far apart as the gap says.
  EXPECT_NEAR(now.normal.dot(now.points[0] - now.points[1]) - contact.rounding(), now.row.value,
              rounding * 10);
  EXPECT_NEAR(
      (now.points[0] - now.points[1] - (now.row.value + contact.rounding()) * now.normal).norm(), 0,
      rounding * 10);
}

void attack(GapKind kind, int point_side, std::uint64_t seed) {
  RandomMotions random(seed);
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    const Contact contact = random_contact(kind, point_side, random);
    const std::array motions = {random.motion(), random.motion()};
    const std::array changes = {random.accelerations(), random.accelerations()};
    const ContactNow now = evaluate(contact, motions[0], motions[1]);
    // Distances of points, and angles between edges, stand in denominators.
    double small = std::abs(now.row.value + contact.rounding());
    if (kind == GapKind::edge_edge) {
      const Vec3 ea = motions[0].pose.orientation * contact.features[0].direction;
      const Vec3 eb = motions[1].pose.orientation * contact.features[1].direction;
      small = std::pow(ea.cross(eb).norm(), 3);
    }
    const double magnification = kind == GapKind::point_plane ? 10 : 10 + 10 / small;
    expect_row_as_defined(contact, motions, changes, magnification);
  }
}

TEST(Contact, APointOnAPlaneMovesAsItsDistance) {
  attack(GapKind::point_plane, 0, 1);
  attack(GapKind::point_plane, 1, 2);
}
TEST(Contact, CrossingEdgesMoveAsTheirDistance) {
  attack(GapKind::edge_edge, 0, 3);
}
TEST(Contact, TwoPointsMoveAsTheirDistance) {
  attack(GapKind::point_point, 0, 4);
}
TEST(Contact, APointOnALineMovesAsItsDistance) {
  attack(GapKind::point_line, 0, 5);
  attack(GapKind::point_line, 1, 6);
}

// Contacts rest at gaps of 1e-10: nothing may be lost there.
TEST(Contact, RowsAreExactAtRestGapsToo) {
  RandomMotions random(test::seed(7));
  for (int round = 0; round < test::cases(50); ++round) {
    for (const GapKind kind : {GapKind::point_plane, GapKind::edge_edge}) {
      Contact contact = random_contact(kind, 0, random);
      contact.rounding_of = {0, 0};
      std::array motions = {random.motion(), random.motion()};
      const ContactNow apart = evaluate(contact, motions[0], motions[1]);
      motions[0].pose.position -= (apart.row.value - 2e-10) * apart.normal;
      const ContactNow now = evaluate(contact, motions[0], motions[1]);
      EXPECT_NEAR(now.row.value, 2e-10, 1e-14);
      const Vec3 ea = motions[0].pose.orientation * contact.features[0].direction;
      const Vec3 eb = motions[1].pose.orientation * contact.features[1].direction;
      const double sine = kind == GapKind::edge_edge ? ea.cross(eb).norm() : 1;
      expect_row_as_defined(contact, motions, {random.accelerations(), random.accelerations()},
                            10 + 10 / std::pow(sine, 3));
    }
  }
}

/// A sphere of radius r about its own origin, resting on the plane z = 0.
Contact sphere_on_ground(double radius) {
  Contact contact;
  contact.kind = GapKind::point_plane;
  contact.rounding_of = {radius, 0};
  return contact;
}

// The centre does not accelerate, so neither may the gap, however the sphere moves on the ground.
TEST(Contact, ASphereThatTranslatesRollsOrSpinsKeepsItsGap) {
  const double radius = 0.7;
  const Contact contact = sphere_on_ground(radius);
  const Vec3 along(1.3, -0.4, 0);
  const Vec3 rolling = Vec3::UnitZ().cross(along) / radius;
  for (const Vec3& spin : {Vec3(0, 0, 0), rolling, Vec3(0, 0, 9), Vec3(3, -8, 5)}) {
    const RigidMotion sphere{
        {Vec3(0.2, 0.1, radius), math::rotation_exp(Vec3(1, 2, 3))}, along, spin};
    const ContactNow now = evaluate(contact, sphere, {});
    EXPECT_NEAR(now.row.value, 0, 1e-15);
    EXPECT_EQ(now.row.rate, 0);
    EXPECT_NEAR(now.row.bias, 0, 1e-14);
    EXPECT_NEAR((place_of(contact, now) - Vec3(0.2, 0.1, 0)).norm(), 0, 1e-15);
  }
}

/// Where a body with constant acceleration is after a short time, and how it moves there.
RigidMotion later(const RigidMotion& now, const Accelerations& change, double t) {
  return {{now.pose.position + t * now.velocity + 0.5 * t * t * change.linear,
           math::rotation_exp(t * now.angular_velocity + 0.5 * t * t * change.angular) *
               now.pose.orientation},
          now.velocity + t * change.linear,
          now.angular_velocity + t * change.angular};
}

Vec3 slip_of(const std::array<body::ConstraintRow, 2>& rows) {
  return rows[0].rate * rows[0].sides[0].linear + rows[1].rate * rows[1].sides[0].linear;
}

// The rows of slip against differences of the slip itself, of bodies that do not slip at the
// instant: there the turning of the tangents does not count.
TEST(Contact, RowsOfSlipChangeAsTheSlip) {
  RandomMotions random(test::seed(11));
  for (int round = 0; round < test::cases(200); ++round) {
    SCOPED_TRACE(round);
    for (const GapKind kind :
         {GapKind::point_plane, GapKind::edge_edge, GapKind::point_point, GapKind::point_line}) {
      Contact contact = random_contact(kind, kind == GapKind::edge_edge ? 0 : round % 2, random);
      std::array motions = {random.motion(), random.motion()};
      contact.first_normal = evaluate(contact, motions[0], motions[1]).normal;
      const auto rows_at = [&](const RigidMotion& a, const RigidMotion& b) {
        return tangent_rows(contact, evaluate(contact, a, b), a, b);
      };
      const ContactNow now = evaluate(contact, motions[0], motions[1]);
      if (now.row.value + contact.rounding() < 0.3) continue;  // too near to divide by
      if (kind == GapKind::edge_edge &&
          (motions[0].pose.orientation * contact.features[0].direction)
                  .cross(motions[1].pose.orientation * contact.features[1].direction)
                  .norm() < 0.3)
        continue;
      const Vec3 slip = slip_of(rows_at(motions[0], motions[1]));
      motions[0].velocity -= slip + now.row.rate * now.normal;
      const std::array changes = {random.accelerations(), random.accelerations()};
      const auto rows = rows_at(motions[0], motions[1]);
      EXPECT_NEAR(slip_of(rows).norm(), 0, 1e-13);
      const double h = 1e-5;
      const auto slip_at = [&](double t) {
        const RigidMotion a = later(motions[0], changes[0], t),
                          b = later(motions[1], changes[1], t);
        return slip_of(rows_at(a, b));
      };
      const Vec3 rate =
          (8 * (slip_at(h) - slip_at(-h)) - (slip_at(2 * h) - slip_at(-2 * h))) / (12 * h);
      for (const body::ConstraintRow& row : rows) {
        EXPECT_NEAR(row.sides[0].linear.dot(now.normal), 0, 1e-15);
        const double expected = row.sides[0].linear.dot(rate);
        EXPECT_NEAR(test::second_derivative(row, changes), expected,
                    1e-8 * (10 + std::abs(expected)));
      }
    }
  }
}

// A ball that rolls and spins about the normal at once has no slip, and none comes: its place of
// contact is no material point of it.
TEST(Contact, ABallThatRollsAndSpinsDoesNotBeginToSlip) {
  const double radius = 0.7;
  Contact contact = sphere_on_ground(radius);
  const Vec3 along(1.3, -0.4, 0);
  const Vec3 rolling = Vec3::UnitZ().cross(along) / radius;
  const RigidMotion sphere{
      {Vec3(0.2, 0.1, radius), math::rotation_exp(Vec3(1, 2, 3))}, along, rolling + Vec3(0, 0, 5)};
  for (const body::ConstraintRow& row :
       tangent_rows(contact, evaluate(contact, sphere, {}), sphere, {})) {
    EXPECT_NEAR(row.rate, 0, 1e-15);
    EXPECT_NEAR(row.bias, 0, 1e-14);
  }
}

// Of two spheres the gap is the distance of the centres: d'' = n.a + (|V|^2 - (n.V)^2) / d.
TEST(Contact, TwoSpheresHaveTheSecondDerivativeOfTheirDistance) {
  Contact contact;
  contact.kind = GapKind::point_point;
  contact.rounding_of = {0.5, 0.25};
  const RigidMotion a{{Vec3(0.75, 0, 0), Quat::Identity()}, Vec3(0, 3, 0), Vec3(5, 6, 7)};
  const RigidMotion b{{Vec3(0, 0, 0), Quat::Identity()}, Vec3(0, 0, 1), Vec3(-2, 1, 4)};
  const ContactNow now = evaluate(contact, a, b);
  EXPECT_NEAR(now.row.value, 0, 1e-16);
  EXPECT_NEAR(now.row.bias, (9 + 1) / 0.75, 1e-13);
  EXPECT_NEAR((place_of(contact, now) - Vec3(0.25, 0, 0)).norm(), 0, 1e-15);
}

// A cylinder of the ground's curvature turned inside out: a point that rolls over a fixed line
// lies on a circle about it, so the gap does not change.
TEST(Contact, APointThatCirclesALineKeepsItsGap) {
  Contact contact;
  contact.kind = GapKind::point_line;
  contact.features[1].direction = Vec3::UnitX();
  contact.rounding_of = {0.1, 0.2};
  const double speed = 2, distance = 0.3;
  const RigidMotion point{{Vec3(5, 0, distance), Quat::Identity()}, Vec3(7, speed, 0), {1, 1, 1}};
  const ContactNow now = evaluate(contact, point, {});
  EXPECT_NEAR(now.row.rate, 0, 1e-15);
  // Along the line it moves freely; around it only the centripetal acceleration keeps the gap.
  EXPECT_NEAR(now.row.bias, speed * speed / distance, 1e-13);
  EXPECT_NEAR((now.points[1] - Vec3(5, 0, 0)).norm(), 0, 1e-15);
}

TEST(Contact, GuardsMeasureTheWayToTheNearestBorder) {
  Contact contact;  // a point of a over the unit square of b, whose frame is turned and moved
  contact.guards = {{1, Vec3::UnitX(), 0},
                    {1, -Vec3::UnitX(), -1},
                    {1, Vec3::UnitY(), 0},
                    {1, -Vec3::UnitY(), -1}};
  const RigidMotion b{
      {Vec3(3, 1, 2), math::rotation_exp(Vec3(0.3, 0.5, 1))}, Vec3::Zero(), Vec3::Zero()};
  const auto margin = [&](double x, double y) {
    const RigidMotion a{{b.pose.position + b.pose.orientation * Vec3(x, y, 0.4), Quat::Identity()},
                        Vec3::Zero(),
                        Vec3::Zero()};
    return support_margin(contact, evaluate(contact, a, b), a, b);
  };
  EXPECT_NEAR(margin(0.5, 0.5), 0.5, 1e-14);
  EXPECT_NEAR(margin(0.9, 0.7), 0.1, 1e-14);
  EXPECT_NEAR(margin(0.2, -0.3), -0.3, 1e-14);
  contact.guards.clear();
  EXPECT_EQ(margin(7, 7), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace abut::contact
