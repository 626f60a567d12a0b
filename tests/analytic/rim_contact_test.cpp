// Cylinders and cones that stand, lie, roll, tip and fall, against closed forms.

#include <Eigen/Geometry>
#include <cmath>

#include "math/rotation.h"
#include "support/constants.h"
#include "support/contact_runs.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/contact/random_motions.h"

namespace abut {
namespace {

using test::expect_sound;
using test::head;
using test::number;
using test::run_text;

using abut::test::g;

std::string vector(const Vec3& v) {
  return "[" + number(v.x()) + ", " + number(v.y()) + ", " + number(v.z()) + "]";
}
std::string quaternion(const Quat& q) {
  return "[" + number(q.w()) + ", " + number(q.x()) + ", " + number(q.y()) + ", " + number(q.z()) +
         "]";
}
Quat turn(const Vec3& axis, double angle) {
  return Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}

std::string rim_material(double friction, double restitution = 0) {
  return "materials: {m: {friction: " + number(friction) + ", restitution: " + number(restitution) +
         "}}\nbodies:\n";
}
const char* ground = "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n";

std::string body(const std::string& name, const std::string& shape, const Vec3& position,
                 const Quat& orientation = Quat::Identity(), const Vec3& velocity = Vec3::Zero(),
                 const Vec3& spin = Vec3::Zero()) {
  return "  - {name: " + name + ", shape: {" + shape + "}, position: " + vector(position) +
         ", orientation: " + quaternion(orientation) + ", velocity: " + vector(velocity) +
         ", angular_velocity: " + vector(spin) + ", material: m}\n";
}
std::string cylinder(double radius, double height) {
  return "cylinder: {radius: " + number(radius) + ", height: " + number(height) + "}";
}
std::string cone(double radius, double height) {
  return "cone: {radius: " + number(radius) + ", height: " + number(height) + "}";
}
std::string gravity(const Vec3& of) {
  return "gravity: " + vector(of) + "\n";
}

// a = g sin(theta) / (1 + I / (m r^2)) = 2/3 g sin(theta), and without friction g sin(theta).
TEST(RimContactRuns, ACylinderRollsDownASlope) {
  const double r = 0.3, slope = 0.3, t = 1;
  const Vec3 down = g * Vec3(std::sin(slope), 0, -std::cos(slope));
  const Quat lying = turn(Vec3::UnitX(), M_PI / 2);
  for (const double friction : {0.5, 0.0}) {
    const auto run = run_text(head(t, 20) + gravity(down) + rim_material(friction) + ground +
                              body("can", cylinder(r, 0.8), Vec3(0, 0, r), lying));
    const double a = g * std::sin(slope) * (friction > 0 ? 2.0 / 3 : 1);
    const BodyState& end = run.sink.last(1);
    EXPECT_NEAR(end.position.x(), 0.5 * a * t * t, 1e-8);
    EXPECT_NEAR(end.position.y(), 0, 1e-9);
    EXPECT_NEAR(end.position.z(), r, 1e-9);
    EXPECT_NEAR(end.angular_velocity.y(), friction > 0 ? a * t / r : 0, 1e-8);
    expect_sound(run);
  }
}

TEST(RimContactRuns, AStandingCylinderStands) {
  const double r = 0.3, h = 1;
  const auto run = run_text(head(1, 20) + rim_material(0.5) + ground +
                            body("can", cylinder(r, h), Vec3(0, 0, h / 2)));
  const BodyState& end = run.sink.last(1);
  EXPECT_LT((end.position - Vec3(0, 0, h / 2)).norm(), 1e-9);
  EXPECT_LT(end.angular_velocity.norm(), 1e-9);
  double force = 0;
  for (const ContactState& contact : run.sink.frames.back().contacts) force += contact.normal_force;
  EXPECT_NEAR(force, run.model.bodies[1].mass.mass * g, 1e-6);
  expect_sound(run);
}

// A standing cylinder tips over its rim when the load leaves the disc: tan(theta) > r / (h / 2),
// whatever the direction.
TEST(RimContactRuns, ACylinderTipsWhereTheLoadLeavesItsDisc) {
  const double r = 0.3, h = 1;
  for (const double direction : {0.0, 0.2, 1.0, 2.9}) {
    for (const double factor : {0.9999, 1.0001}) {
      SCOPED_TRACE(number(direction) + " " + number(factor));
      const double slope = std::atan(factor * r / (h / 2));
      const Vec3 load = g * Vec3(std::sin(slope) * std::cos(direction),
                                 std::sin(slope) * std::sin(direction), -std::cos(slope));
      const auto run = run_text(head(0.5, 20) + gravity(load) + rim_material(2) + ground +
                                body("can", cylinder(r, h), Vec3(0, 0, h / 2)));
      const BodyState& end = run.sink.last(1);
      if (factor < 1) {
        EXPECT_LT(end.angular_velocity.norm(), 1e-9);
      } else {
        // It turns about the tangent of the rim at the lowest place.
        ASSERT_GT(end.angular_velocity.norm(), 1e-6);
        const Vec3 axis(-std::sin(direction), std::cos(direction), 0);
        EXPECT_NEAR(end.angular_velocity.normalized().dot(axis), 1, 1e-6);
      }
      expect_sound(run);
    }
  }
}

// A cylinder falls on its rim without friction: an impulse j n at the rim, with
// j (1/m + (x x n) . I^-1 (x x n)) = (1 + e) v.
TEST(RimContactRuns, AnImpactOnTheRim) {
  const double r = 0.3, h = 1, tilt = 0.5, drop = 0.2, e = 0.6;
  const double height = r * std::sin(tilt) + h / 2 * std::cos(tilt);
  const auto run =
      run_text(head(0.3, 20) + rim_material(0, e) + ground +
               body("can", cylinder(r, h), Vec3(0, 0, height + drop), turn(Vec3::UnitY(), tilt)));
  const auto impacts = run.events(EventKind::impact);
  ASSERT_GE(impacts.size(), 1u);
  const double v = std::sqrt(2 * g * drop);
  EXPECT_NEAR(impacts[0].time, v / g, 1e-9);
  const double m = run.model.bodies[1].mass.mass;
  const double across = m * (r * r / 4 + h * h / 12);  // transverse inertia
  const double arm = r * std::cos(tilt) - h / 2 * std::sin(tilt);
  const double j = (1 + e) * v / (1 / m + arm * arm / across);
  const BodyState& after = run.after(impacts[0].time).bodies[1];
  EXPECT_NEAR(after.velocity.z(), -v + j / m, 1e-8);
  EXPECT_NEAR(after.angular_velocity.y(), -arm * j / across, 1e-8);
  expect_sound(run);
}

// A disc that rolls on its rim about a centre of mass at rest. Its axis leans by alpha, and turns
// about the vertical at W; rolling, the angular velocity is along the line from the centre of mass
// to the place of contact, and
//     W^2 = m g (r cos(alpha) - k sin(alpha)) / (A sin(alpha) cos(alpha) - C k/r sin(alpha)^2)
// with k half the height, A and C the moments of inertia across and along the axis. Of a thin disc
// this is 4 g / (r sin(alpha)).
TEST(RimContactRuns, ADiscRollsRoundAboutItsCentre) {
  const double r = 0.4, k = 0.02, alpha = 0.4;
  const double across = r * r / 4 + k * k / 3, along = r * r / 2;
  const double squared =
      g * (r * std::cos(alpha) - k * std::sin(alpha)) /
      (across * std::sin(alpha) * std::cos(alpha) - along * k / r * std::pow(std::sin(alpha), 2));
  const double w = std::sqrt(squared);
  // The axis leans towards +x: the rim touches at +x.
  const Quat lean = turn(Vec3::UnitY(), alpha);
  const Vec3 contact = lean * Vec3(r, 0, -k);
  const Vec3 spin = -w * std::sin(alpha) / r * contact;
  const double t = 2 * M_PI / w;
  const auto run = run_text(
      head(t, 200) + rim_material(0.5) + ground +
      body("disc", cylinder(r, 2 * k), Vec3(0, 0, -contact.z()), lean, Vec3::Zero(), spin));
  for (const record::Frame& frame : run.sink.frames) {
    const BodyState& now = frame.bodies[1];
    EXPECT_LT((now.position - Vec3(0, 0, -contact.z())).norm(), 1e-6) << frame.time;
    const Vec3 axis = now.orientation * Vec3::UnitZ();
    const Vec3 expected = turn(Vec3::UnitZ(), w * frame.time) * (lean * Vec3::UnitZ());
    EXPECT_LT((axis - expected).norm(), 1e-5) << frame.time;
  }
  expect_sound(run);
}

// A cone on its side rolls round its apex: at the rate W about the vertical the angular velocity is
// along the line of contact, W cot(beta) long, and nothing changes but the direction.
TEST(RimContactRuns, AConeRollsRoundItsApex) {
  const double r = 0.3, h = 0.8, beta = std::atan2(r, h), w = 1.5;
  const Quat lying = turn(Vec3::UnitY(), M_PI / 2 + beta);
  const Vec3 apex = lying * Vec3(0, 0, h / 2);
  const Vec3 centre = lying * Vec3(0, 0, -h / 4);  // three quarters of the way from the apex
  const Vec3 line = (lying * Vec3(r, 0, -h / 2) - apex).normalized().z() < -1e-3
                        ? Vec3(lying * Vec3(-r, 0, -h / 2) - apex).normalized()
                        : Vec3(lying * Vec3(r, 0, -h / 2) - apex).normalized();
  ASSERT_NEAR(line.z(), 0, 1e-12);
  const Vec3 axis = (centre - apex).normalized();
  // omega = W z + s axis has no part along z beside the line: along the line it is W / tan(beta).
  const Vec3 spin = (w * Vec3::UnitZ() - w / axis.z() * axis);
  const Vec3 velocity = spin.cross(centre - apex);
  const double t = M_PI / w;
  const auto run = run_text(head(t, 50) + rim_material(1) + ground +
                            body("cone", cone(r, h), -apex, lying, velocity, spin));
  const BodyState& end = run.sink.last(1);
  const Vec3 expected = turn(Vec3::UnitZ(), M_PI) * (centre - apex);
  EXPECT_LT((end.centre_of_mass - expected).norm(), 1e-6);
  EXPECT_NEAR(end.velocity.norm(), velocity.norm(), 1e-7);
  expect_sound(run);
}

TEST(RimContactRuns, AStackOfCylindersAndABoxStands) {
  const auto run = run_text(head(0.5, 20) + rim_material(0.5) + ground +
                            body("a", cylinder(0.3, 1), Vec3(0, 0, 0.5)) +
                            body("b", cylinder(0.3, 0.5), Vec3(0.1, 0, 1.25)) +
                            body("c", "box: {size: [0.5, 0.5, 0.5]}", Vec3(0.1, 0, 1.75)) +
                            body("d", cylinder(0.2, 0.5), Vec3(0.15, 0.1, 2.25)));
  for (int i = 1; i <= 4; ++i) {
    EXPECT_LT(run.sink.last(i).velocity.norm(), 1e-8);
    EXPECT_LT(run.sink.last(i).angular_velocity.norm(), 1e-8);
  }
  expect_sound(run);
}

// A cylinder across the edge of a table: it lies while its centre is over the table, and falls when
// it is not.
TEST(RimContactRuns, ACylinderOverTheEdgeOfATable) {
  const Quat lying = turn(Vec3::UnitY(), M_PI / 2);
  const std::string table =
      "  - {name: floor, shape: {box: {size: [2, 2, 0.2]}}, motion: fixed, material: m}\n";
  for (const double beyond : {-1e-3, 1e-3}) {
    const auto run = run_text(head(0.2, 50) + rim_material(0.5) + table +
                              body("bar", cylinder(0.1, 1), Vec3(1 + beyond, 0, 0.2), lying));
    EXPECT_EQ(run.sink.last(1).angular_velocity.norm() < 1e-9, beyond < 0);
    expect_sound(run);
  }
}

// A capsule leans on the rim of a cylinder and comes down flat on its end, with one cap over the
// disc: that lands when the axis is parallel to the disc, and not a step later.
TEST(RimContactRuns, ACapsuleSlapsDownOnAFlatEnd) {
  const auto run = run_text(
      head(0.35, 100) +
      "materials: {m: {density: 1000, friction: 0, restitution: 0}}\nbodies:\n"
      "  - {name: drum, shape: {cylinder: {radius: 0.0905, height: 0.1432}}, position: [0, 0, "
      "0.25], orientation: [-0.341062, 0.577319, -0.253442, 1.591672], motion: fixed, material: "
      "m}\n"
      "  - {name: stick, shape: {capsule: {radius: 0.0316, height: 0.1757}}, position: [-0.006, "
      "-0.0407, 0.65], orientation: [-0.346253, 0.932687, -2.230593, -1.17575], angular_velocity: "
      "[5.313, -5.797, 2.319], material: m}\n");
  test::expect_sound(run, 1e-10);
  const auto& impacts = run.sink.events;
  EXPECT_GE(std::count_if(impacts.begin(), impacts.end(),
                          [](const Event& event) { return event.kind == EventKind::impact; }),
            2);
}

// A can that lies across a block and reaches over both of its edges slides and turns on it freely.
TEST(RimContactRuns, ACanAcrossABlockSlidesOn) {
  const double t = 0.5, r = 0.2, speed = 0.5, turning = 0.3;
  const Quat lying = turn(Vec3::UnitX(), M_PI / 2);
  const auto run = run_text(
      head(t, 20) + rim_material(0) +
      "  - {name: block, shape: {box: {size: [2, 0.5, 1]}}, position: [0, 0, -0.5], "
      "motion: fixed, material: m}\n" +
      body("can", cylinder(r, 1), Vec3(0, 0, r), lying, Vec3(speed, 0, 0), Vec3(0, 0, turning)));
  const BodyState& end = run.sink.last(1);
  EXPECT_LT((end.position - Vec3(speed * t, 0, r)).norm(), 1e-9);
  EXPECT_LT(end.orientation.angularDistance(turn(Vec3::UnitZ(), turning * t) * lying), 1e-9);
  EXPECT_LT(run.summary.steps, 100);
  expect_sound(run);
}

// A body lies along a round one, each with a straight line, and is turned slowly: from then on they
// touch where their lines cross, and the ends of the lines part. The line of the body below is the
// x axis; the distance of points of the other one from it has its minimum in closed form.
TEST(RimContactRuns, LinesThatTurnTouchWhereTheyCross) {
  const double below = 0.3, half = 0.3;
  const Quat lying = turn(Vec3::UnitY(), M_PI / 2);
  struct Upper {
    std::string shape;
    double radius;
    Quat orientation;
    Vec3 middle, along;  // of its line, in the body
  };
  const std::string wedge =
      "convex: {points: [[-0.3, 0, -0.1], [0.3, 0, -0.1], [-0.3, 0.3, 0.2], [0.3, 0.3, 0.2], "
      "[-0.3, -0.3, 0.2], [0.3, -0.3, 0.2]]";
  const Upper uppers[] = {
      {cylinder(0.2, 2 * half), 0.2, lying, Vec3::Zero(), Vec3::UnitZ()},
      {"capsule: {radius: 0.2, height: 0.6}", 0.2, lying, Vec3::Zero(), Vec3::UnitZ()},
      {wedge + "}", 0, Quat::Identity(), Vec3(0, 0, -0.1), Vec3::UnitX()},
      {wedge + ", rounding: 0.05}", 0.05, Quat::Identity(), Vec3(0, 0, -0.1), Vec3::UnitX()}};
  for (const std::string& lower :
       {cylinder(below, 2), std::string("capsule: {radius: 0.3, height: 2}")})
    for (const Upper& upper : uppers) {
      SCOPED_TRACE(upper.shape + " on " + lower);
      const double height = below + upper.radius - upper.middle.z();
      const auto run =
          run_text(head(0.1, 200) + rim_material(0) + "  - {name: log, shape: {" + lower +
                   "}, orientation: " + quaternion(lying) + ", motion: fixed, material: m}\n" +
                   body("body", upper.shape, Vec3(0.01, 0, height + 1e-4), upper.orientation,
                        Vec3::Zero(), Vec3(0, 0, 1e-3)));
      expect_sound(run);
      EXPECT_LT(run.summary.steps, 10000);
      for (const record::Frame& frame : run.sink.frames) {
        const BodyState& state = frame.bodies[1];
        const Vec3 p = state.position + state.orientation * upper.middle;
        const Vec3 e = state.orientation * upper.along;
        const Eigen::Vector2d from(p.y(), p.z()), across(e.y(), e.z());
        const double squared = across.squaredNorm();
        const double at = squared > 0 ? std::clamp(-from.dot(across) / squared, -half, half) : 0;
        EXPECT_GT((from + at * across).norm(), below + upper.radius) << frame.time;
      }
    }
}

// Bodies with rims thrown on a floor.
TEST(RimContactRuns, BodiesTumbleSoundly) {
  const std::string shapes[] = {cylinder(0.2, 0.5), cone(0.25, 0.4), cylinder(0.3, 0.08)};
  test::RandomMotions random(test::seed(7, test::few_rounds));
  for (int round = 0; round < test::cases(4); ++round) {
    SCOPED_TRACE(round);
    const auto run =
        run_text(head(1, 30) + rim_material(round % 2 == 0 ? 0.0 : 0.3, 0.3) + ground +
                 body("body", shapes[round % 3], Vec3(0, 0, 1), math::rotation_exp(random.vector()),
                      random.vector(0.5), random.vector(2)));
    expect_sound(run);
  }
}

}  // namespace
}  // namespace abut
