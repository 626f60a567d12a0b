// Bodies in bowls, against pendulums.

#include <cmath>

#include "support/constants.h"
#include "support/contact_runs.h"

namespace abut {
namespace {

using test::head;
using test::number;
using test::run_text;

using abut::test::g;
constexpr double bowl_radius = 1, ball_radius = 0.15, length = bowl_radius - ball_radius;

/// Of a pendulum that swings by `angle` to either side and falls back with g/length sin(angle)
/// times `slowness`: 4 sqrt(slowness length / g) K(sin(angle / 2)).
double period(double angle, double slowness) {
  return 4 * std::sqrt(slowness * length / g) * std::comp_ellint_1(std::sin(0.5 * angle));
}

/// With all digits, so that a period is recorded at its quarters.
std::string exact_head(double duration, double rate, const std::string& solver) {
  return "abut: 1\nname: test\nduration: " + number(duration) + "\nrecord: {rate: " + number(rate) +
         "}\nsolver: {" + solver + "}\n";
}

std::string bowl_scene(double duration, double rate, double angle, const std::string& friction) {
  return exact_head(duration, rate, "tolerance: 1e-12") + "materials: {m: {friction: " + friction +
         ", restitution: 0}}\nbodies:\n"
         "  - {name: bowl, shape: {sphere: {radius: " +
         number(bowl_radius) +
         ", inverted: true}}, motion: fixed, material: m}\n"
         "  - {name: ball, shape: {sphere: {radius: " +
         number(ball_radius) + "}}, material: m, position: [" + number(length * std::sin(angle)) +
         ", 0, " + number(-length * std::cos(angle)) + "]}\n";
}

void expect_swings(double angle, double slowness, const std::string& friction) {
  const double t = period(angle, slowness);
  // A quarter of a period later it is at the bottom, half a period later on the other side.
  const auto run = run_text(bowl_scene(t, 4 / t, angle, friction));
  test::expect_sound(run);
  const Vec3 start(length * std::sin(angle), 0, -length * std::cos(angle));
  const Vec3 quarter = run.frame_at(t / 4 * (1 + 1e-9)).bodies[1].position;
  EXPECT_NEAR(quarter.x(), 0, 1e-7);
  EXPECT_NEAR(quarter.z(), -length, 1e-8);
  const Vec3 half = run.frame_at(t / 2 * (1 + 1e-9)).bodies[1].position;
  EXPECT_LT((half - Vec3(-start.x(), 0, start.z())).norm(), 1e-7);
  EXPECT_LT((run.frame_at(t).bodies[1].position - start).norm(), 1e-6);
}

TEST(Bowl, ABallSlidesInASmoothBowlLikeAPendulum) {
  expect_swings(1.4, 1, "0");
  expect_swings(0.5, 1, "0");
}

// Rolling takes 2/5 more inertia along.
TEST(Bowl, ABallRollsInARoughBowlLikeALongerPendulum) {
  expect_swings(1.3, 1.4, "1e9");
}

// Two friction-free quarter swings in the two planes of symmetry of an ellipsoidal bowl.
TEST(Bowl, APointLikeBallInAnEggOscillatesWithTheRadiusOfCurvature) {
  // Small swings about the bottom of an ellipsoid: radius of curvature a^2 / c, less the ball's.
  const double a = 1, c = 0.5, r = 0.1, amplitude = 1e-4;
  const double swing = 2 * M_PI * std::sqrt((a * a / c - r) / g);
  const auto run = run_text(
      exact_head(swing, 4 / swing, "tolerance: 1e-12, contact_distance: 1e-11") +
      "bodies:\n"
      "  - {name: bowl, shape: {ellipsoid: {radii: [1, 0.8, 0.5], inverted: true}}, motion: "
      "fixed}\n"
      "  - {name: ball, shape: {sphere: {radius: 0.1}}, position: [" +
      number(amplitude) + ", 0, " + number(-c + r + 0.5 * amplitude * amplitude / (a * a / c - r)) +
      "]}\n");
  EXPECT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
  EXPECT_NEAR(run.frame_at(swing / 4 * (1 + 1e-9)).bodies[1].position.x(), 0, 1e-4 * amplitude);
  EXPECT_NEAR(run.frame_at(swing).bodies[1].position.x(), amplitude, 1e-4 * amplitude);
  EXPECT_GT(run.summary.min_gap, 0);
}

TEST(Bowl, ABallThatIsDroppedIntoABowlComesToRestAtItsBottom) {
  const auto run = run_text(
      head(12, 20) +
      "materials: {m: {friction: 0.5, restitution: 0.5}}\nbodies:\n"
      "  - {name: bowl, shape: {sphere: {radius: 1, inverted: true}}, motion: fixed, material: m}\n"
      "  - {name: ball, shape: {sphere: {radius: 0.15}}, material: m, mass: 1, position: [0.3, "
      "0.1, 0]}\n"
      "forces:\n  - {type: drag, body: ball, linear: 2, angular: 0.02}\n");
  test::expect_sound(run);
  EXPECT_LT((run.frame_at(12).bodies[1].position - Vec3(0, 0, -0.85)).norm(), 1e-4);
  EXPECT_LT(run.frame_at(12).bodies[1].velocity.norm(), 1e-3);
  ASSERT_EQ(run.frame_at(12).contacts.size(), 1u);
  EXPECT_NEAR(run.frame_at(12).contacts[0].normal_force, g, 1e-3);
}

// A cube in a smooth bowl touches it with its corners alone.
TEST(Bowl, ACubeStandsInABowlOnFourCorners) {
  const double half = 0.1, depth = std::sqrt(1 - 2 * half * half);
  const auto run =
      run_text(head(1, 20) +
               "bodies:\n"
               "  - {name: bowl, shape: {sphere: {radius: 1, inverted: true}}, motion: fixed}\n"
               "  - {name: cube, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, " +
               number(half - depth) + "]}\n");
  test::expect_sound(run);
  const auto& last = run.frame_at(1);
  EXPECT_EQ(last.contacts.size(), 4u);
  EXPECT_LT((last.bodies[1].position - Vec3(0, 0, half - depth)).norm(), 1e-8);
}

TEST(Bowl, ABoxAndACapsuleTumbleInAnEgg) {
  const auto run = run_text(
      head(1.5, 20) +
      "materials: {m: {friction: 0.3, restitution: 0.4}}\nbodies:\n"
      "  - {name: bowl, shape: {ellipsoid: {radii: [1, 0.9, 0.7], inverted: true}}, motion: fixed, "
      "material: m}\n"
      "  - {name: box, shape: {box: {size: [0.3, 0.2, 0.1]}}, material: m, position: [0.3, 0.1, "
      "0.1], angular_velocity: [3, 1, -2]}\n"
      "  - {name: pill, shape: {capsule: {radius: 0.08, height: 0.2}}, material: m, position: "
      "[-0.3, 0, 0], angular_velocity: [0, 3, 1]}\n");
  test::expect_sound(run, 1e-8);
}

// A body that falls upright in the middle of a bowl touches it along a whole circle, all at once.
test::ContactRun landed_on_a_circle(const std::string& bowl, const std::string& shape,
                                    double depth) {
  SCOPED_TRACE(shape);
  const auto run = run_text(head(1, 20) + "bodies:\n  - {name: bowl, shape: " + bowl +
                            ", motion: fixed}\n  - {name: body, shape: " + shape + "}\n");
  EXPECT_FALSE(run.sink.events.empty());
  EXPECT_EQ(run.sink.events.front().kind, EventKind::impact);
  EXPECT_NEAR(run.sink.events.front().time, std::sqrt(2 * depth / g), 1e-8);
  EXPECT_LT(run.summary.energy_error, 1e-9);
  EXPECT_EQ(run.summary.unresolved, 0);
  for (const auto& frame : run.sink.frames)
    EXPECT_GT(frame.bodies[1].position.z(), -depth - 1e-8) << frame.time;
  return run;
}

TEST(Bowl, BodiesThatTouchAlongACircleAreNotMissed) {
  const std::string ball = "{sphere: {radius: 1, inverted: true}}";
  // The middle of the tube is 0.9 from the centre, 0.4 from the axis.
  test::expect_sound(
      landed_on_a_circle(ball, "{torus: {radius: 0.4, tube: 0.1}}", std::sqrt(0.81 - 0.16)));
  // The lower rim is on the ellipsoid: 0.4^2 + ((d + 0.1) / 1.5)^2 = 1.
  test::expect_sound(landed_on_a_circle("{ellipsoid: {radii: [1, 1, 1.5], inverted: true}}",
                                        "{cylinder: {radius: 0.4, height: 0.2}}",
                                        1.5 * std::sqrt(0.84) - 0.1));
  // 0.6^2 cos^2 + (d + 0.3 sin)^2 is largest at sin = 0.3 d / 0.27, and is 1 there. What holds the
  // circle are a few of its points, between which it may sink by less than a contact distance: the
  // run then says so.
  const auto egg =
      landed_on_a_circle(ball, "{ellipsoid: {radii: [0.6, 0.6, 0.3]}}", std::sqrt(0.48));
  EXPECT_GT(egg.summary.min_gap, -egg.model.solver.contact_distance);
}

}  // namespace
}  // namespace abut
