// Contact by springs, against closed forms: what is exact of it must be exact.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "integrate/spring_scale.h"
#include "narrow/pair.h"
#include "support/constants.h"
#include "support/contact_runs.h"
#include "support/sizes.h"

namespace abut {
namespace {

using test::ContactRun;
using test::number;
using test::run_text;

using abut::test::g;

// The books close, the motion is the same for every number of threads, and no recorded overlap is
// deeper than the summary says.
void expect_sound_springs(const ContactRun& run, double energy_error = 1e-9) {
  EXPECT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
  EXPECT_LT(run.summary.energy_error, energy_error);
  EXPECT_LT(run.summary.momentum_error, 1e-9);
  EXPECT_EQ(run.summary.impacts, 0);
  EXPECT_LT(run.summary.min_gap, 0);
  EXPECT_EQ(run.summary.max_penetration, -run.summary.min_gap);
  for (const record::Frame& frame : run.sink.frames)
    for (const ContactState& contact : frame.contacts) {
      EXPECT_GE(contact.gap, run.summary.min_gap * (1 + 1e-12)) << frame.time;
      EXPECT_GE(contact.normal_force, 0);
      EXPECT_TRUE(contact.gap < 0 || contact.normal_force == 0);
    }
  test::KeepingSink again;
  loop::RunOptions options;
  options.threads = 2;
  EXPECT_EQ(loop::run(run.model, again, options).state_hash, run.summary.state_hash);
}

std::string solver(double stiffness, const std::string& more = "") {
  return "contact: penalty, penalty: {stiffness: " + number(stiffness) + more + "}";
}

class BallOnSpringFloor : public testing::TestWithParam<double> {};

// Without gravity: half a quarter of an oscillation in, one of frequency e w out.
TEST_P(BallOnSpringFloor, ReboundsExactly) {
  const double e = GetParam(), m = 2, k = 2e5, v = 3, height = 0.1;
  const ContactRun run = run_text(
      test::head(0.2, 1000, solver(k)) + "gravity: [0, 0, 0]\nbodies:\n" + test::floor_plane +
      "  - {name: ball, shape: {sphere: {radius: 0.1}}, mass: " + number(m) +
      ", position: [0, 0, " + number(0.1 + height) + "], velocity: [0, 0, " + number(-v) +
      "], material: {restitution: " + number(e) + "}}\n" +
      "contacts:\n  - {between: [floor, ball], restitution: " + number(e) + "}\n");
  expect_sound_springs(run);
  const double w = std::sqrt(k / m), quarter = std::numbers::pi / (2 * w);
  EXPECT_NEAR(run.summary.max_penetration, v / w, 1e-9 * v / w);
  EXPECT_NEAR(run.sink.frames.back().bodies[run.body("ball")].velocity.z(), e * v, 1e-9 * v);
  EXPECT_NEAR(run.sink.frames.back().energy.dissipated, 0.5 * m * v * v * (1 - e * e),
              1e-9 * m * v * v);
  const auto touches = run.events(EventKind::touch), leaves = run.events(EventKind::separate);
  ASSERT_EQ(touches.size(), 1);
  ASSERT_EQ(leaves.size(), 1);
  EXPECT_NEAR(touches[0].time, height / v, 1e-9);
  // Told where the gap is a fifth of the contact distance, and a little more than that distance.
  const double leaving = 0.21e-9 / v + 1.06e-9 / (e * v);
  EXPECT_NEAR(leaves[0].time - touches[0].time, quarter * (1 + 1 / e), 1e-9 * quarter + leaving);
}
INSTANTIATE_TEST_SUITE_P(Restitutions, BallOnSpringFloor, testing::Values(1.0, 0.7, 0.25));

// In the middle of an impact the force is k times the depth on the way in, and the springs hold all
// of the energy at the deepest point.
TEST(Penalty, ForceAndEnergyAtTheDeepestPoint) {
  const double m = 1, k = 1e4, v = 1, w = std::sqrt(k / m);
  const double deepest = std::numbers::pi / (2 * w);
  const ContactRun run = run_text(
      test::head(2 * deepest, 2 / deepest, solver(k)) + "gravity: [0, 0, 0]\nbodies:\n" +
      test::floor_plane + "  - {name: ball, shape: {sphere: {radius: 0.5}}, mass: 1, position: " +
      "[0, 0, 0.5], velocity: [0, 0, -1]}\ncontacts:\n" +
      "  - {between: [floor, ball], restitution: 1}\n");
  expect_sound_springs(run);
  for (const record::Frame& frame : run.sink.frames) {
    if (frame.time == 0 || frame.contacts.empty()) continue;
    const double depth = std::max(0.0, v / w * std::sin(w * frame.time));
    EXPECT_NEAR(std::min(0.0, frame.contacts[0].gap), -depth, 1e-8 * v / w) << frame.time;
    EXPECT_NEAR(frame.contacts[0].normal_force, k * depth, 1e-8 * k * v / w) << frame.time;
    EXPECT_NEAR(frame.energy.elastic, 0.5 * k * depth * depth, 1e-8 * m * v * v) << frame.time;
  }
}

TEST(Penalty, TwoBallsKeepMomentumAndRestitution) {
  const double e = 0.6;
  const ContactRun run = run_text(
      test::head(0.5, 60, solver(1e6)) +
      "gravity: [0, 0, 0]\nmaterials:\n  m: {restitution: " + number(e) +
      "}\nbodies:\n"
      "  - {name: a, shape: {sphere: {radius: 0.1}}, mass: 1, material: m, velocity: [2, 0, 0]}\n"
      "  - {name: b, shape: {sphere: {radius: 0.2}}, mass: 3, material: m, position: [0.4, 0, "
      "0]}\n");
  expect_sound_springs(run);
  const auto& last = run.sink.frames.back().bodies;
  const double common = 2.0 / 4;
  EXPECT_NEAR(last[0].velocity.x(), common - 3.0 / 4 * e * 2, 2e-9);
  EXPECT_NEAR(last[1].velocity.x(), common + 1.0 / 4 * e * 2, 2e-9);
}

// Four corners share the weight: each is m g / 4 k deep. A block that begins there stays.
TEST(Penalty, BlockRestsAtTheDepthOfItsWeight) {
  const double m = 5, k = 1e5, depth = m * g / (4 * k);
  const ContactRun run =
      run_text(test::head(1, 10, solver(k)) + "bodies:\n" + test::floor_plane +
               "  - {name: block, shape: {box: {size: [0.4, 0.3, 0.2]}}, mass: 5, position: "
               "[0, 0, " +
               number(0.1 - depth) + "]}\n");
  expect_sound_springs(run);
  for (const record::Frame& frame : run.sink.frames) {
    if (frame.kind == record::FrameKind::before) continue;
    ASSERT_EQ(frame.contacts.size(), 4) << frame.time;
    for (const ContactState& contact : frame.contacts) {
      EXPECT_NEAR(contact.gap, -depth, 1e-6 * depth);
      EXPECT_NEAR(contact.normal_force, m * g / 4, 1e-6 * m * g);
    }
  }
}

// From the height of first touch it falls in, and creeps back out to that depth, without gaining
// energy.
TEST(Penalty, BlockSettlesAtTheDepthOfItsWeight) {
  const double m = 5, k = 1e5, depth = m * g / (4 * k);
  for (const double e : {0.0, 0.6}) {
    const ContactRun run =
        run_text(test::head(2.5, 60, solver(k)) + "bodies:\n" + test::floor_plane +
                 "  - {name: block, shape: {box: {size: [0.4, 0.3, 0.2]}}, mass: 5, position: "
                 "[0, 0, 0.1]}\ncontacts:\n  - {between: [floor, block], restitution: " +
                 number(e) + "}\n");
    expect_sound_springs(run);
    test::expect_no_energy_gain(run);
    ASSERT_EQ(run.sink.frames.back().contacts.size(), 4);
    for (const ContactState& contact : run.sink.frames.back().contacts)
      EXPECT_NEAR(contact.gap, -depth, 1e-4 * depth) << e;
    // Nothing is lost on the way in: with restitution 0 the deepest point is twice as deep.
    EXPECT_NEAR(run.summary.max_penetration, 2 * depth, 1e-6 * depth);
  }
}

// While every corner slides faster than the creep speed, friction is mu times the normal force:
//     vx + mu vz = v0 - mu g t
// whatever the springs do. Then it creeps to rest.
TEST(Penalty, BlockSlidesByCoulombsLaw) {
  const double mu = 0.3, v0 = 1.5, m = 5, k = 1e6, depth = m * g / (4 * k), creep = 1e-3;
  const ContactRun run = run_text(
      test::head(0.8, 60, solver(k, ", creep: " + number(creep))) + "bodies:\n" +
      test::floor_plane +
      "  - {name: block, shape: {box: {size: [0.4, 0.3, 0.1]}}, mass: 5, position: [0, 0, " +
      number(0.05 - depth) + "], velocity: [1.5, 0, 0], material: {friction: 0.3}}\n");
  expect_sound_springs(run);
  test::expect_no_energy_gain(run);
  const double stops = v0 / (mu * g);
  for (const record::Frame& frame : run.sink.frames) {
    const Vec3& v = frame.bodies[1].velocity;
    if (v.x() > 0.05) {
      EXPECT_NEAR(v.x() + mu * v.z(), v0 - mu * g * frame.time, 1e-8) << frame.time;
    }
    for (const ContactState& contact : frame.contacts)
      EXPECT_LE(contact.friction_force.norm(), mu * contact.normal_force * (1 + 1e-12));
    EXPECT_TRUE(frame.time < stops + 0.1 || v.norm() < creep) << frame.time;
  }
  // It stops where Coulomb's law says, up to what creeping and the play of the springs add.
  EXPECT_NEAR(run.sink.frames.back().bodies[1].position.x(), v0 * v0 / (2 * mu * g), 2 * creep);
}

// On a slope that it could stick to, the block creeps: mu r(v / c) = tan(slope), r(x) = x (2 - x).
TEST(Penalty, BlockOnASlopeCreeps) {
  const double mu = 0.5, slope = 0.3, m = 5, k = 1e6, creep = 1e-3;
  const double depth = m * g * std::cos(slope) / (4 * k);
  const ContactRun run = run_text(
      test::head(1, 10, solver(k)) + "gravity: [" + number(g * std::sin(slope)) + ", 0, " +
      number(-g * std::cos(slope)) + "]\nbodies:\n" + test::floor_plane +
      "  - {name: block, shape: {box: {size: [0.4, 0.4, 0.05]}}, mass: 5, position: [0, 0, " +
      number(0.025 - depth) + "], material: {friction: 0.5}}\n");
  expect_sound_springs(run);
  const double expected = creep * (1 - std::sqrt(1 - std::tan(slope) / mu));
  EXPECT_NEAR(run.sink.frames.back().bodies[1].velocity.x(), expected, 1e-3 * creep);
  for (const ContactState& contact : run.sink.frames.back().contacts)
    EXPECT_EQ(contact.mode, ContactMode::stick);
}

// A block that falls flat rebounds on its four corners as on one spring.
TEST(Penalty, FlatBlockRebounds) {
  const double e = 0.5, v = 2;
  const ContactRun run = run_text(
      test::head(0.3, 100, solver(1e6)) + "gravity: [0, 0, 0]\nbodies:\n" + test::floor_plane +
      "  - {name: block, shape: {box: {size: [0.4, 0.3, 0.2]}}, mass: 5, position: [0, 0, 0.3], "
      "velocity: [0, 0, -2]}\ncontacts:\n  - {between: [floor, block], restitution: 0.5}\n");
  expect_sound_springs(run);
  EXPECT_NEAR(run.sink.frames.back().bodies[1].velocity.z(), e * v, 1e-8 * v);
  EXPECT_LT(run.sink.frames.back().bodies[1].angular_velocity.norm(), 1e-6);
  EXPECT_EQ(run.events(EventKind::separate).size(), 4);
}

// A hinged bar strikes a ball that is fixed: whatever way its end takes into the spring, it comes
// out with e^2 of its energy.
TEST(Penalty, HingedBarRebounds) {
  const double e = 0.7;
  const ContactRun run = run_text(
      test::head(0.4, 100, solver(1e6)) + "gravity: [0, 0, 0]\nbodies:\n" +
      "  - {name: ball, shape: {sphere: {radius: 0.1}}, motion: fixed, position: [0.9, 0, "
      "-0.2]}\n" +
      "  - {name: bar, shape: {box: {size: [1, 0.1, 0.1]}}, mass: 3, position: [0.5, 0, 0], " +
      "velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]}\n" +
      "joints:\n  - {name: pivot, type: hinge, bodies: [world, bar], at: [0, 0, 0], "
      "axis: [0, 1, 0]}\ncontacts:\n  - {between: [ball, bar], restitution: 0.7}\n");
  expect_sound_springs(run);
  const auto& last = run.sink.frames.back();
  EXPECT_NEAR(last.bodies[1].angular_velocity.y(), -e, 1e-8);
  for (const record::Frame& frame : run.sink.frames)
    for (const JointState& joint : frame.joints) EXPECT_LT(joint.gap, 1e-12);
}

// Where no stiffness is given, the hardest impact to be expected goes as deep as asked.
TEST(Penalty, StiffnessIsFoundFromTheScene) {
  const ContactRun run =
      run_text(test::head(0.6, 60, "contact: penalty, penalty: {depth: 0.002}") + "bodies:\n" +
               test::floor_plane +
               "  - {name: ball, shape: {sphere: {radius: 0.1}}, mass: 1, position: "
               "[0, 0, 1.1]}\ncontacts:\n  - {between: [floor, ball], restitution: 0.5}\n");
  expect_sound_springs(run);
  EXPECT_LT(run.summary.max_penetration, 0.002 * 1.01);
  EXPECT_GT(run.summary.max_penetration, 0.002 * 0.8);
}

// What the scene puts into each other is driven apart.
TEST(Penalty, BodiesThatBeginOverlappingAreDrivenApart) {
  const double m = 1, k = 1e4, depth = 0.01;
  const ContactRun run = run_text(
      test::head(0.2, 60, solver(k)) + "gravity: [0, 0, 0]\nmaterials:\n  m: {restitution: 1}\n" +
      "bodies:\n  - {name: a, shape: {sphere: {radius: 0.1}}, mass: 1, material: m}\n" +
      "  - {name: b, shape: {sphere: {radius: 0.1}}, mass: 1, material: m, position: [0, 0, " +
      number(0.2 - depth) + "]}\n");
  expect_sound_springs(run);
  // k d^2 / 2 = 2 m v^2 / 2
  EXPECT_NEAR(run.sink.frames.back().bodies[1].velocity.z(), depth * std::sqrt(k / (2 * m)), 1e-9);
}

class ShapeOnSprings : public testing::TestWithParam<const char*> {};

// Every shape, thrown obliquely, turning, on the floor and on another body.
TEST_P(ShapeOnSprings, KeepsTheBooks) {
  const double duration = test::full_size() ? 2.0 : 0.7;
  const ContactRun run = run_text(
      test::head(duration, 60, "contact: penalty, penalty: {depth: 2e-3}") +
      "materials:\n  m: {friction: 0.4, restitution: 0.5}\nbodies:\n"
      "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
      "material: m}\n"
      "  - {name: step, shape: {box: {size: [0.6, 2, 0.2]}}, motion: fixed, material: m, "
      "position: [0.4, 0, 0.1]}\n"
      "  - {name: thrown, " +
      std::string(GetParam()) +
      ", material: m, density: 500, position: "
      "[-0.1, 0, 0.55], orientation: {axis: [1, 2, 0.5], angle: 0.4}, velocity: [1, 0.2, -1], "
      "angular_velocity: [1, 3, -1]}\n");
  expect_sound_springs(run, 1e-7);
  test::expect_no_energy_gain(run);
  // An independent measure of the depth finds none that is larger than told.
  narrow::PairQuery query(run.model.bodies[1], run.model.bodies[2]);
  for (const record::Frame& frame : run.sink.frames) {
    const auto& s = frame.bodies;
    const double gap =
        query.separation({s[1].position, s[1].orientation}, {s[2].position, s[2].orientation}).gap;
    EXPECT_GT(gap, run.summary.min_gap - 1e-12) << frame.time;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Shapes, ShapeOnSprings,
    testing::Values("shape: {sphere: {radius: 0.12}}",
                    "shape: {capsule: {radius: 0.06, height: 0.2}}",
                    "shape: {box: {size: [0.2, 0.15, 0.1]}}",
                    "shape: {convex: {points: [[0.1, 0, -0.08], [-0.06, 0.09, -0.08], "
                    "[-0.06, -0.09, -0.08], [0, 0, 0.12]]}}",
                    "shape: {ellipsoid: {radii: [0.15, 0.1, 0.07]}}",
                    "shapes: [{box: {size: [0.3, 0.06, 0.06]}}, {sphere: {radius: 0.08}, "
                    "position: [0.15, 0, 0]}]"));

// The energies of a stack in motion, with friction, do not grow, and it comes to rest.
TEST(Penalty, StackComesToRest) {
  const ContactRun run =
      run_text(test::head(1, 30, "contact: penalty, penalty: {depth: 1e-3}") +
               "materials:\n  m: {friction: 0.5}\nbodies:\n"
               "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
               "material: m}\n"
               "  - {name: brick, shape: {box: {size: [0.2, 0.1, 0.1]}}, material: m, position: "
               "[0, 0, 0.05], repeat: {count: [1, 1, 3], spacing: [0, 0, 0.1001]}}\n");
  expect_sound_springs(run, 1e-7);
  test::expect_no_energy_gain(run);
  for (const BodyState& body : run.sink.frames.back().bodies) EXPECT_LT(body.velocity.norm(), 2e-3);
}

}  // namespace
}  // namespace abut
