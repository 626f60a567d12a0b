// Convex hulls with rounding: flat faces, round edges and round corners in contact.

#include <cmath>

#include "support/constants.h"
#include "support/contact_runs.h"

namespace abut {
namespace {

using test::head;
using test::number;
using test::run_text;

using abut::test::g;

/// A cube whose core has edges of length `a`, along its axes.
std::string rounded_cube(double a, double rounding) {
  std::string points;
  for (const double x : {-a / 2, a / 2})
    for (const double y : {-a / 2, a / 2})
      for (const double z : {-a / 2, a / 2})
        points +=
            (points.empty() ? "[" : ", [") + number(x) + ", " + number(y) + ", " + number(z) + "]";
  return "{convex: {points: [" + points + "], rounding: " + number(rounding) + "}}";
}

std::string floor_of(const std::string& material) {
  return "materials: {m: " + material +
         "}\nbodies:\n  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n";
}

TEST(RoundedHull, LiesOnTheCornersOfItsFace) {
  const auto run = run_text(head(1, 20) + floor_of("{friction: 0.5}") +
                            "  - {name: die, shape: " + rounded_cube(0.2, 0.05) +
                            ", mass: 3, material: m, position: [0, 0, 0.15]}\n");
  test::expect_sound(run);
  const auto& last = run.frame_at(1);
  ASSERT_EQ(last.contacts.size(), 4u);
  for (const ContactState& contact : last.contacts) {
    EXPECT_NEAR(contact.normal_force, 3 * g / 4, 1e-8);
    EXPECT_NEAR(std::abs(contact.point.x()), 0.1, 1e-9);
    EXPECT_NEAR(std::abs(contact.point.y()), 0.1, 1e-9);
  }
  EXPECT_LT((last.bodies[1].position - Vec3(0, 0, 0.15)).norm(), 1e-9);
}

// A rough cube tips over its edge, which is a cylinder of radius r. At the angle phi from standing
// on the face its centre is at c = (a/2) (sin phi + cos phi) + r above the floor and ahead of the
// place of contact by s = (a/2) (cos phi - sin phi); it rolls, so that with the moment of inertia
// I = m k^2 about the axis
//     (k^2 + c^2 + s^2) phi'^2 / 2 + g c  is constant,
// and the place of contact moves by r phi along the floor.
TEST(RoundedHull, RollsOverItsEdge) {
  const double a = 0.2, r = 0.05, first = 0.75;
  const auto height = [&](double phi) { return a / 2 * (std::sin(phi) + std::cos(phi)) + r; };
  const auto ahead = [&](double phi) { return a / 2 * (std::cos(phi) - std::sin(phi)); };
  const auto run = run_text(head(0.6, 50) + floor_of("{friction: 5}") +
                            "  - {name: die, shape: " + rounded_cube(a, r) +
                            ", material: m, position: [0, 0, " + number(height(first) + 2e-10) +
                            "], orientation: {axis: [0, 1, 0], angle: " + number(-first) + "}}\n");
  test::expect_sound(run, 1e-8);
  const body::Mass& mass = run.model.bodies[1].mass;
  const double k2 = mass.principal.y() / mass.mass;
  int looked_at = 0;
  for (const auto& frame : run.sink.frames) {
    const BodyState& die = frame.bodies[1];
    const double phi = -2 * std::atan2(die.orientation.y(), die.orientation.w());
    if (frame.contacts.size() != 2 || phi < 0.02) continue;
    const double c = height(phi), s = ahead(phi);
    EXPECT_NEAR(die.position.z(), c, 1e-8);
    const double speed = 2 * g * (height(first) - c) / (k2 + c * c + s * s);
    EXPECT_NEAR(die.angular_velocity.y() * die.angular_velocity.y(), speed, 1e-7) << frame.time;
    // The place of contact is behind the centre, and has rolled along with the angle.
    EXPECT_NEAR(die.position.x() - s, -ahead(first) + r * (first - phi), 1e-7) << frame.time;
    EXPECT_NEAR(frame.contacts[0].point.x(), die.position.x() - s, 1e-8);
    ++looked_at;
  }
  EXPECT_GT(looked_at, 10);
}

// A corner is a ball: without friction it is thrown up by j (1/m + |x x n|^2 / I) = (1 + e) v.
TEST(RoundedHull, BouncesOffItsCorner) {
  const double a = 0.2, r = 0.05, e = 0.7, tilt = 0.5;
  const auto run = run_text(head(0.2, 20) + floor_of("{friction: 0, restitution: 0.7}") +
                            "  - {name: die, shape: " + rounded_cube(a, r) +
                            ", material: m, position: [0, 0, 0.4], orientation: {axis: [0.6, 0.8, "
                            "0], angle: " +
                            number(tilt) + "}}\n");
  const Quat q(Eigen::AngleAxisd(tilt, Vec3(0.6, 0.8, 0)));
  Vec3 lowest = Vec3::Zero();
  for (const double x : {-a / 2, a / 2})
    for (const double y : {-a / 2, a / 2})
      if ((q * Vec3(x, y, -a / 2)).z() < lowest.z()) lowest = q * Vec3(x, y, -a / 2);
  const double fall = 0.4 + lowest.z() - r, v = std::sqrt(2 * g * fall);
  const auto impacts = run.events(EventKind::impact);
  ASSERT_GE(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].time, v / g, 1e-8);
  const body::Mass& mass = run.model.bodies[1].mass;
  const Vec3 x = lowest - r * Vec3::UnitZ(), arm = x.cross(Vec3::UnitZ());
  const double j = (1 + e) * v / (1 / mass.mass + arm.squaredNorm() / mass.principal.x());
  const BodyState& after = run.after(impacts[0].time).bodies[1];
  EXPECT_NEAR(after.velocity.z(), -v + j / mass.mass, 1e-7);
  EXPECT_LT((after.angular_velocity - j * arm / mass.principal.x()).norm(), 1e-7);
}

}  // namespace
}  // namespace abut
