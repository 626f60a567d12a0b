// Bodies that roll without slipping, and tops that slip, against closed forms, invariants and
// equations of rolling that know nothing of contact.

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "support/constants.h"
#include "support/contact_runs.h"
#include "support/reference_ode.h"
#include "support/sizes.h"

namespace abut {
namespace {

using test::head;
using test::number;
using test::run_shipped;
using test::run_text;

using abut::test::g;

// A ball that rolls from rest down a fixed one: m v^2 (1 + 2/5) / 2 = m g L (cos begin - cos), and
// it leaves where m v^2 / L = m g cos, at cos = 10/17 cos begin. Friction is so strong that it
// slips for the last 5e-9 s only.
void expect_leaves_at_ten_seventeenths(const std::string& dome, const std::string& ball) {
  const double begin = 0.2, radius = 0.2, reach = 1 + radius;
  const auto run = run_text(head(2, 60, "tolerance: 1e-12, contact_distance: 1e-11") +
                            "materials: {m: {friction: 1e7, restitution: 0}}\nbodies:\n"
                            "  - {name: dome, shape: " +
                            dome +
                            ", motion: fixed, material: m}\n"
                            "  - {name: ball, shape: " +
                            ball + ", material: m, position: [" + number(reach * std::sin(begin)) +
                            ", 0, " + number(reach * std::cos(begin)) + "]}\n");
  const auto leaving = run.events(EventKind::separate);
  ASSERT_EQ(leaving.size(), 1u);
  const BodyState& there = run.before(leaving[0].time).bodies[1];
  EXPECT_NEAR(there.position.z() / reach, 10.0 / 17 * std::cos(begin), 1e-8);
  EXPECT_NEAR(there.position.norm(), reach, 1e-10);
  // It still rolls, but for what gravity does in that time: the spin is v / radius.
  EXPECT_NEAR(there.angular_velocity.y(), there.velocity.norm() / radius, 5e-9 * g / radius);
  EXPECT_LT(std::abs(run.summary.energy_error), 1e-9);
}

TEST(Rolling, ABallLeavesABallAtTenSeventeenths) {
  expect_leaves_at_ten_seventeenths("{sphere: {radius: 1}}", "{sphere: {radius: 0.2}}");
}

TEST(Rolling, ARoundEllipsoidLeavesARoundEllipsoidAtTenSeventeenths) {
  expect_leaves_at_ten_seventeenths("{ellipsoid: {radii: [1, 1, 1]}}",
                                    "{ellipsoid: {radii: [0.2, 0.2, 0.2]}}");
}

// Rolling loses nothing, however long it lasts. The full length is 100 s.
double rolling_time() {
  return test::full_size() ? 100 : 10;
}

void expect_no_drift(const test::ContactRun& run) {
  EXPECT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
  EXPECT_GT(run.summary.min_gap, 0);
  const double start = run.sink.frames.front().energy.mechanical();
  double scale = 0, worst = 0;
  for (const record::Frame& frame : run.sink.frames) {
    scale = std::max(scale, frame.energy.kinetic);
    worst = std::max(worst, std::abs(frame.energy.mechanical() - start));
    for (const ContactState& contact : frame.contacts) EXPECT_EQ(contact.mode, ContactMode::stick);
  }
  EXPECT_LT(worst, 1e-9 * scale);
}

TEST(Rolling, ABallInABowlKeepsItsEnergy) {
  expect_no_drift(run_text(
      head(100, 2, "tolerance: 1e-12, contact_distance: 1e-11") +
      "materials: {m: {friction: 1e9, restitution: 0}}\nbodies:\n"
      "  - {name: bowl, shape: {sphere: {radius: 1, inverted: true}}, motion: fixed, material: m}\n"
      "  - {name: ball, shape: {sphere: {radius: 0.15}}, material: m, position: [" +
      number(0.85 * std::sin(1.0)) + ", 0, " + number(-0.85 * std::cos(1.0)) + "]}\n"));
}

// Equations of rolling. In the body's axes let u be the direction of "up", A the radii of the hull,
// p = A^2 u / |A u| the highest point over its middle, k the centre of mass. The place of contact
// is at r = -p - k from the centre of mass, and at rest: v = r x omega. With u' = u x omega and
//     F = m (v' + omega x v + g u),    I omega' + omega x I omega = r x F
// the force goes out:
//     (I + m (r^2 - r r^T)) omega' = -omega x I omega + m r x (r' x omega + omega x v + g u).
struct RollingHull {
  Vec3 radii, centre;
  Mat3 inertia;
  double mass = 1;

  Vec3 arm(const Vec3& u) const {
    return -radii.cwiseAbs2().cwiseProduct(u) / radii.cwiseProduct(u).norm() - centre;
  }
  Eigen::VectorXd operator()(double, const Eigen::VectorXd& y) const {
    const Vec3 u = y.head<3>(), omega = y.segment<3>(3);
    const Vec3 squares = radii.cwiseAbs2(), turn = u.cross(omega);
    const double h = radii.cwiseProduct(u).norm();
    const Vec3 p = squares.cwiseProduct(u) / h, r = -p - centre;
    const Vec3 r_rate = -(squares.cwiseProduct(turn) - p * (p.dot(turn))) / h;
    const Mat3 about_contact =
        inertia + mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    const Vec3 torque = -omega.cross(inertia * omega) +
                        mass * r.cross(r_rate.cross(omega) + omega.cross(r.cross(omega)) + g * u);
    Eigen::VectorXd rate(6);
    rate << turn, about_contact.partialPivLu().solve(torque);
    return rate;
  }
};

// The shipped scene, integrated more sharply, since the motion magnifies differences.
TEST(Rolling, ARattlebackReversesAsTheEquationsOfRollingSay) {
  const auto run = run_shipped(
      "rattleback", {"solver.tolerance=1e-13", "solver.contact_distance=1e-11", "record.rate=10"});
  const BodyIndex boat = run.body("boat");
  const body::Mass& mass = run.model.bodies[boat].mass;
  const RollingHull hull{Vec3(0.2, 0.03, 0.02), mass.central.position, mass.inertia, mass.mass};
  const auto seen = [&](const record::Frame& frame) {
    const BodyState& state = frame.bodies[boat];
    Eigen::VectorXd y(6);
    y << state.orientation.conjugate() * Vec3::UnitZ(),
        state.orientation.conjugate() * state.angular_velocity;
    return y;
  };
  Eigen::VectorXd y = seen(run.sink.frames.front());
  double t = 0, worst = 0;
  for (const record::Frame& frame : run.sink.frames) {
    if (frame.time > t)
      y = test::reference_solution(hull, y, frame.time - t,
                                   1 + static_cast<int>(150 * (frame.time - t)));
    t = frame.time;
    worst = std::max(worst, (seen(frame) - y).norm());
  }
  EXPECT_LT(worst, 1e-7);
  EXPECT_LT(run.sink.frames.front().bodies[boat].angular_velocity.z(), -2.9);
  EXPECT_GT(run.sink.last(boat).angular_velocity.z(), 2.9);
  EXPECT_TRUE(run.events(EventKind::slip).empty());
}

TEST(Rolling, ATriaxialEllipsoidKeepsItsEnergy) {
  const double h = std::sqrt(std::pow(0.5 * std::sin(0.4), 2) + std::pow(0.2 * std::cos(0.4), 2));
  expect_no_drift(run_text(head(rolling_time(), 2, "tolerance: 1e-13, contact_distance: 1e-11") +
                           "materials: {m: {friction: 1e9, restitution: 0}}\nbodies:\n"
                           "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
                           "  - {name: egg, shape: {ellipsoid: {radii: [0.5, 0.35, 0.2]}}, "
                           "material: m, position: [0, 0, " +
                           number(h) + "], orientation: {axis: [0, 1, 0], angle: 0.4}}\n"));
}

double lowest(const test::ContactRun& run, BodyIndex body, double from, double to) {
  double least = INFINITY;
  for (const record::Frame& frame : run.sink.frames)
    if (frame.time >= from && frame.time <= to)
      least = std::min(least, frame.bodies[body].centre_of_mass.z());
  return least;
}

// It climbs from its side to its end by friction alone, and then rolls on.
TEST(Spinning, AnEggRisesToItsEnd) {
  const auto run = run_shipped("rising_egg");
  test::expect_sound(run);
  const BodyIndex egg = run.body("egg");
  EXPECT_LT(lowest(run, egg, 0, 0.1), 0.02002);
  EXPECT_GT(lowest(run, egg, 1.3, 2.5), 0.0269);
  EXPECT_LT(run.sink.frames.back().energy.mechanical(),
            0.9 * run.sink.frames.front().energy.mechanical());
  for (const ContactState& contact : run.sink.frames.back().contacts)
    EXPECT_EQ(contact.mode, ContactMode::stick);
}

// A top with a round bottom and equal moments across its axis. With r from the centre of mass to
// the place of contact, L' = r x F gives (L . r)' = L . r', and r' = omega x (axis) times a length,
// to which L, in the plane of omega and the axis, is perpendicular: L . r is constant (Jellett).
TEST(Spinning, ATippeTopTurnsOverAndKeepsJellettsConstant) {
  const auto run = run_shipped("tippe_top", {"solver.tolerance=1e-11"});
  test::expect_sound(run);
  const BodyIndex top = run.body("top");
  const body::Mass& mass = run.model.bodies[top].mass;
  const auto jellett = [&](const record::Frame& frame) {
    const BodyState& state = frame.bodies[top];
    const Vec3 momentum = body::angular_momentum(mass, state.orientation * mass.central.orientation,
                                                 state.angular_velocity);
    const Vec3 contact = state.position - Vec3(0, 0, 0.02);
    return momentum.dot(contact - state.centre_of_mass);
  };
  const double start = jellett(run.sink.frames.front());
  for (const record::Frame& frame : run.sink.frames)
    ASSERT_NEAR(jellett(frame), start, 1e-8 * std::abs(start)) << frame.time;
  EXPECT_LT(lowest(run, top, 0, 0.1), 0.01603);
  EXPECT_GT(lowest(run, top, 1.6, 2.5), 0.0239);
  EXPECT_LT((run.sink.last(top).orientation * Vec3::UnitZ()).z(), -0.98);
}

}  // namespace
}  // namespace abut
