// Rings that lie, roll, hang and are linked.

#include <cmath>

#include "support/constants.h"
#include "support/contact_runs.h"

namespace abut {
namespace {

using test::floor_plane;
using test::head;
using test::number;
using test::run_text;

using abut::test::g;

TEST(Ring, ThatLiesFlatStaysAndIsCarriedAllAround) {
  const auto run = run_text(head(1, 20) + "bodies:\n" + floor_plane +
                            "  - {name: ring, shape: {torus: {radius: 0.5, tube: 0.1}}, mass: 2, "
                            "position: [0, 0, 0.1]}\n");
  test::expect_sound(run);
  const auto& last = run.frame_at(1);
  ASSERT_GE(last.contacts.size(), 12u);
  double carried = 0;
  for (const ContactState& contact : last.contacts) carried += contact.normal_force;
  EXPECT_NEAR(carried, 2 * g, 1e-9);
  EXPECT_LT((last.bodies[1].position - Vec3(0, 0, 0.1)).norm(), 1e-9);
}

// A ring on an edge of a rounded hull, from which it rolls to the next: that place appears beside
// the one that touches, where samples of the distance do not tell them apart, and touches soon
// after.
TEST(Ring, MeetsTheNextEdgeOfAHullBesideTheOneItTouches) {
  const auto run = run_text(head(0.78, 60) +
                            "materials: {stuff: {density: 1000, friction: 0.6, restitution: 0}}\n"
                            "bodies:\n" +
                            floor_plane +
                            "  - name: lower\n"
                            "    material: stuff\n"
                            "    shape: {convex: {rounding: 0.0483, points: ["
                            "[0.170675, 0.082097, 0.389558], [0.457795, -0.163419, -0.111978], "
                            "[0.059253, -0.45723, -0.190387], [0.437095, -0.03318, -0.000606], "
                            "[0.042954, -0.477, 0.037762], [0.045809, -0.198563, -0.429379], "
                            "[0.020382, -0.479362, -0.053316], [0.406093, 0.028359, 0.117941], "
                            "[-0.360108, -0.042892, 0.31365], [-0.144206, 0.352845, -0.200114], "
                            "[-0.019653, 0.448513, -0.173163], [0.408016, -0.144967, 0.187133]"
                            "]}}\n"
                            "    position: [0, 0, 1]\n"
                            "    orientation: [0.006408, -0.007372, -0.881497, -0.472089]\n"
                            "  - name: upper\n"
                            "    material: stuff\n"
                            "    shape: {torus: {radius: 0.5957, tube: 0.1916}}\n"
                            "    position: [-0.1471, 0.1728, 3.05]\n"
                            "    orientation: [-0.201572, 0.465213, 0.822212, 0.258676]\n"
                            "    angular_velocity: [-1.1088, -1.9743, 1.4275]\n");
  test::expect_sound(run);
}

// A ring with its weight high above it tips where the load leaves its circle: tan(theta) > R / h,
// whatever the direction, and about the circle's tangent there.
TEST(Ring, ThatLiesFlatTipsWhereTheLoadLeavesItsCircle) {
  const double radius = 0.3, tube = 0.1, h = 0.5;
  for (const double direction : {0.1, 1.0}) {
    for (const double factor : {0.995, 1.005}) {
      SCOPED_TRACE(number(direction) + " " + number(factor));
      const double slope = std::atan(factor * radius / h);
      const Vec3 load = g * Vec3(std::sin(slope) * std::cos(direction),
                                 std::sin(slope) * std::sin(direction), -std::cos(slope));
      const auto run =
          run_text(head(0.5, 20) + "gravity: [" + number(load.x()) + ", " + number(load.y()) +
                   ", " + number(load.z()) + "]\nmaterials: {m: {friction: 2}}\nbodies:\n" +
                   "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
                   "  - {name: ring, shape: {torus: {radius: 0.3, tube: 0.1}}, material: m, mass: "
                   "1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], com: [0, 0, " +
                   number(h - tube) + "], position: [0, 0, 0.1]}\n");
      test::expect_sound(run, 1e-8);
      const BodyState& end = run.sink.last(1);
      if (factor < 1) {
        EXPECT_LT(end.angular_velocity.norm(), 1e-9);
      } else {
        ASSERT_GT(end.angular_velocity.norm(), 1e-6);
        const Vec3 axis(-std::sin(direction), std::cos(direction), 0);
        EXPECT_NEAR(end.angular_velocity.normalized().dot(axis), 1, 1e-6);
      }
    }
  }
}

// A wheel without a slope goes on as it is.
// A ring that falls over without a spin about the vertical becomes flat to rounding: its lowest
// place would run round within an instant, and the whole circle takes over. Without restitution
// the ring stays there, and all the energy of the fall is lost.
TEST(Ring, ThatFallsOverLandsOnTheWholeCircle) {
  const double angle = 0.3, radius = 0.3, tube = 0.1;
  const auto run =
      run_text(head(0.6, 50) +
               "materials: {m: {friction: 0, restitution: 0}}\nbodies:\n"
               "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
               "  - {name: ring, shape: {torus: {radius: 0.3, tube: 0.1}}, material: m, mass: 1, "
               "orientation: {axis: [0, 1, 0], angle: 0.3}, position: [0, 0, " +
               number(tube + radius * std::sin(angle)) + "]}\n");
  test::expect_sound(run, 1e-8);
  const BodyState& end = run.sink.last(1);
  EXPECT_NEAR(end.position.z(), tube, 1e-9);
  EXPECT_LT(end.velocity.norm() + end.angular_velocity.norm(), 1e-8);
  EXPECT_NEAR(run.sink.frames.back().energy.dissipated, g * radius * std::sin(angle), 1e-8);
}

TEST(Ring, RollsUprightWithoutSlipping) {
  const double outer = 0.6, speed = 4;
  const auto run = run_text(
      head(2, 20) + "materials: {m: {friction: 0.8}}\nbodies:\n" +
      "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
      "  - {name: ring, shape: {torus: {radius: 0.5, tube: 0.1}}, material: m, "
      "position: [0, 0, " +
      number(outer) + "], orientation: {axis: [1, 0, 0], angle: 90 deg}, velocity: [" +
      number(speed) + ", 0, 0], angular_velocity: [0, " + number(speed / outer) + ", 0]}\n");
  test::expect_sound(run);
  const BodyState& ring = run.frame_at(2).bodies[1];
  EXPECT_NEAR(ring.position.x(), 2 * speed, 1e-7);
  EXPECT_NEAR(ring.position.z(), outer, 1e-8);
  EXPECT_NEAR(ring.velocity.x(), speed, 1e-8);
}

TEST(Ring, ThatFallsAndTumblesKeepsItsBooks) {
  const auto run = run_text(
      head(1.5, 20) + "materials: {m: {friction: 0.4, restitution: 0.5}}\nbodies:\n" +
      "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
      "  - {name: ring, shape: {torus: {radius: 0.3, tube: 0.08}}, material: m, "
      "position: [0, 0, 1], orientation: {euler: [0.6, 0.4, 0]}, angular_velocity: [2, 5, 1]}\n");
  test::expect_sound(run, 1e-8);
}

// A rough ring on a rod rolls on it. With the inner radius a and the rod's radius b its centre
// swings on a circle of L = a - b, and it turns by L phi' / a: the pendulum's length is
// L (1 + I / (m a^2)), with I = m (R^2 + 3/4 r^2) about the ring's axis.
TEST(Ring, SwingsOnARodLikeALongerPendulum) {
  const double radius = 0.5, tube = 0.1, rod = 0.05, angle = 0.6;
  const double inner = radius - tube, length = inner - rod;
  const double slowness = 1 + (radius * radius + 0.75 * tube * tube) / (inner * inner);
  const double period =
      4 * std::sqrt(slowness * length / g) * std::comp_ellint_1(std::sin(0.5 * angle));
  // The rod lies along y, and so does the ring's axis.
  const auto run = run_text(
      "abut: 1\nname: test\nduration: " + number(period) +
      "\nrecord: {rate: " + number(4 / period) +
      "}\nsolver: {tolerance: 1e-12}\nmaterials: {m: {friction: 5}}\nbodies:\n" +
      "  - {name: rod, shape: {capsule: {radius: " + number(rod) +
      ", height: 2}}, motion: fixed, material: m, orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
      "  - {name: ring, shape: {torus: {radius: " +
      number(radius) + ", tube: " + number(tube) + "}}, material: m, position: [" +
      number(length * std::sin(angle)) + ", 0, " + number(-length * std::cos(angle)) +
      "], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n");
  test::expect_sound(run);
  const Vec3 start(length * std::sin(angle), 0, -length * std::cos(angle));
  const Vec3 quarter = run.frame_at(period / 4 * (1 + 1e-9)).bodies[1].position;
  EXPECT_NEAR(quarter.x(), 0, 1e-6);
  EXPECT_LT((run.frame_at(period).bodies[1].position - start).norm(), 1e-5);
}

TEST(Ring, LinkedWithAFixedRingHangsInIt) {
  const auto run = run_text(
      head(1.5, 20) + "materials: {m: {friction: 0.3, restitution: 0.3}}\nbodies:\n" +
      "  - {name: upper, shape: {torus: {radius: 0.3, tube: 0.05}}, motion: fixed, material: m, "
      "orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
      "  - {name: lower, shape: {torus: {radius: 0.3, tube: 0.05}}, material: m, position: "
      "[0.02, 0.01, -0.35], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n");
  test::expect_sound(run, 1e-8);
  EXPECT_LT(run.frame_at(1.5).bodies[1].position.z(), -0.3);
  EXPECT_GT(run.frame_at(1.5).bodies[1].position.z(), -0.5 - 1e-9);
}

// A ball in the hole of a ring that lies on the floor touches it all around.
TEST(Ring, HoldsABallInItsHole) {
  const double radius = 0.5, tube = 0.1, ball = 0.45;
  const double rise = std::sqrt((ball + tube) * (ball + tube) - radius * radius);
  const auto run =
      run_text(head(0.5, 20) +
               "bodies:\n"
               "  - {name: ring, shape: {torus: {radius: 0.5, tube: 0.1}}, motion: fixed}\n"
               "  - {name: ball, shape: {sphere: {radius: 0.45}}, mass: 1, position: [0, 0, " +
               number(rise) + "]}\n");
  test::expect_sound(run);
  const auto& last = run.frame_at(0.5);
  EXPECT_GE(last.contacts.size(), 12u);
  double carried = 0;
  for (const ContactState& contact : last.contacts)
    carried += std::abs(contact.normal_force * contact.normal.z());
  EXPECT_NEAR(carried, g, 1e-8);
  EXPECT_NEAR(last.bodies[1].position.z(), rise, 1e-8);
}

// A ring that falls nearly flat on a rough floor touches it at a place that runs around it while it
// settles, at tilts down to nanometres over its width.
TEST(Ring, SettlesFlatInFewSteps) {
  const auto run = run_text(
      head(0.6, 60) + "materials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n" +
      "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
      "  - {name: ring, shape: {torus: {radius: 0.4245, tube: 0.1158}}, material: m, position: [0, "
      "0, 1], orientation: [-0.011128, -0.981175, -0.071559, 0.179029]}\n");
  test::expect_sound(run, 1e-8);
  EXPECT_LT(run.summary.steps, 1000);
  EXPECT_EQ(run.frame_at(0.6).contacts.size(), 12u);
}

// A box and an ellipsoid fall through and beside a fixed ring.
TEST(Ring, LetsThingsFallThroughAndOntoIt) {
  const auto run = run_text(
      head(1, 20) + "materials: {m: {friction: 0.3, restitution: 0.4}}\nbodies:\n" +
      "  - {name: ring, shape: {torus: {radius: 0.5, tube: 0.1}}, motion: fixed, material: m}\n"
      "  - {name: box, shape: {box: {size: [0.3, 0.2, 0.2]}}, material: m, position: [0.2, 0.05, "
      "0.6], angular_velocity: [1, 2, 3]}\n"
      "  - {name: egg, shape: {ellipsoid: {radii: [0.2, 0.1, 0.12]}}, material: m, position: "
      "[-0.4, -0.2, 0.5], angular_velocity: [0, 2, 1]}\n");
  test::expect_sound(run, 1e-8);
}

}  // namespace
}  // namespace abut
