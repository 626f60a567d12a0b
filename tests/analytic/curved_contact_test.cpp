// Curved bodies that bounce, rock and slide without friction, against closed forms and against
// reduced equations of motion that know nothing of contact.

#include <Eigen/Geometry>
#include <cmath>

#include "math/rotation.h"
#include "support/constants.h"
#include "support/contact_runs.h"
#include "support/reference_ode.h"

namespace abut {
namespace {

using test::floor_plane;
using test::head;
using test::number;
using test::run_text;

using abut::test::g;

// An ellipsoid that falls on its flat side bounces like a ball: at speeds v, e v, e^2 v, ... and is
// at rest after the sum of its flights.
TEST(CurvedContact, AnEllipsoidThatFallsFlatBouncesToRest) {
  const double drop = 0.5, e = 0.5, c = 0.2;
  const auto run =
      run_text(head(3, 60) +
               "materials: {m: {restitution: 0.5, friction: 0}}\nbodies:\n"
               "  - {name: floor, shape: {plane: {}}, motion: fixed, material: m}\n"
               "  - {name: egg, shape: {ellipsoid: {radii: [0.5, 0.3, 0.2]}}, material: m, "
               "position: [0, 0, " +
               number(c + drop) + "]}\n");
  const double fall = std::sqrt(2 * drop / g);
  const auto impacts = run.events(EventKind::impact);
  ASSERT_GT(impacts.size(), 5u);
  EXPECT_NEAR(impacts[0].time, fall, 1e-9);
  EXPECT_NEAR(impacts[1].time, fall * (1 + 2 * e), 1e-8);
  EXPECT_NEAR(impacts[2].time, fall * (1 + 2 * e + 2 * e * e), 1e-8);
  const auto rests = run.events(EventKind::rest);
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_NEAR(rests[0].time, fall * (1 + 2 * e / (1 - e)), 1e-7);
  EXPECT_NEAR(run.sink.last(1).position.z(), c, 1e-9);
  EXPECT_EQ(run.summary.unresolved, 0);
  EXPECT_GT(run.summary.min_gap, 0);
}

// Reduced equations of an ellipsoid on a smooth plane. In its own axes let u be the direction of
// "up", H(u) = |A u| the height of its centre, p = grad H, w = p x u. With u' = u x omega the
// height changes by z' = p . u' = w . omega, and the plane's force N u at -p has the torque -N w:
//     I omega' = -omega x I omega - N w,    N = m (g + z''),   z'' = w . omega' + w' . omega.
struct Rocking {
  Vec3 radii;
  Vec3 inertia;
  double mass;

  Eigen::VectorXd operator()(double, const Eigen::VectorXd& y) const {
    const Vec3 u = y.head<3>(), omega = y.segment<3>(3);
    const Vec3 squares = radii.cwiseProduct(radii);
    const double h = radii.cwiseProduct(u).norm();
    const Vec3 p = squares.cwiseProduct(u) / h, w = p.cross(u);
    const Vec3 turn = u.cross(omega);
    const Vec3 p_rate = (squares.cwiseProduct(turn) - p * p.dot(turn)) / h;
    const Vec3 w_rate = p_rate.cross(u) + p.cross(turn);
    const Vec3 gyroscopic = -omega.cross(inertia.cwiseProduct(omega));
    const double yielding = mass * w.dot(w.cwiseQuotient(inertia));
    const double rise =
        (w.dot(gyroscopic.cwiseQuotient(inertia)) - g * yielding + w_rate.dot(omega)) /
        (1 + yielding);
    Eigen::VectorXd rate(6);
    rate.head<3>() = turn;
    rate.segment<3>(3) = (gyroscopic - mass * (g + rise) * w).cwiseQuotient(inertia);
    return rate;
  }
};

// The motion magnifies small differences a few hundred times in 10 s: the gap at which the body
// rests is made small, since opening it moves the body by as much.
TEST(CurvedContact, ATriaxialEllipsoidRocksAsTheReducedEquationsSay) {
  const Vec3 radii(0.5, 0.35, 0.2), turn(0.5, 0.3, 0.2);
  const Quat start = math::rotation_exp(turn);
  const Vec3 up = start.conjugate() * Vec3::UnitZ();
  const double height = radii.cwiseProduct(up).norm();
  const double duration = 10;
  const auto run = run_text(
      head(duration, 10, "tolerance: 1e-13, contact_distance: 1e-11") + "bodies:\n" + floor_plane +
      "  - {name: egg, shape: {ellipsoid: {radii: [0.5, 0.35, 0.2]}}, mass: 3, position: [0, 0, " +
      number(height) + "], orientation: {axis: [0.5, 0.3, 0.2], angle: " + number(turn.norm()) +
      "}}\n");
  const Vec3 squares = radii.cwiseProduct(radii);
  const double mass = 3;
  const Rocking rocking{radii, mass / 5 * (Vec3::Constant(squares.sum()) - squares), mass};
  Eigen::VectorXd y = Eigen::VectorXd::Zero(6);
  y.head<3>() = up;
  double t = 0, worst = 0;
  for (const auto& frame : run.sink.frames) {
    if (frame.time > t)
      y = test::reference_solution(rocking, y, frame.time - t,
                                   1 + static_cast<int>(200 * (frame.time - t)));
    t = frame.time;
    const BodyState& egg = frame.bodies[1];
    const Vec3 now = egg.orientation.conjugate() * Vec3::UnitZ();
    worst = std::max({worst, (now - y.head<3>()).norm(),
                      std::abs(egg.position.z() - radii.cwiseProduct(Vec3(y.head<3>())).norm()),
                      egg.position.head<2>().norm()});
  }
  EXPECT_EQ(t, duration);
  EXPECT_LT(worst, 1e-8);
  EXPECT_LT(std::abs(run.summary.energy_error), 1e-9);
}

// A small ball that slides down a smooth dome leaves it where cos = 2/3 of what it began with:
// there the weight no longer supplies the turn. The dome is an ellipsoid with equal radii, and so
// is the ball in the second run: then curved meets curved.
void expect_leaves_at_two_thirds(const std::string& ball, double radius) {
  const double begin = 0.2, reach = 1 + radius;
  const auto run =
      run_text(head(2, 60, "tolerance: 1e-12") +
               "bodies:\n"
               "  - {name: dome, shape: {ellipsoid: {radii: [1, 1, 1]}}, motion: fixed}\n"
               "  - {name: ball, shape: " +
               ball + ", position: [" + number(reach * std::sin(begin)) + ", 0, " +
               number(reach * std::cos(begin)) + "]}\n");
  const auto leaving = run.events(EventKind::separate);
  ASSERT_EQ(leaving.size(), 1u);
  const Vec3 place = run.before(leaving[0].time).bodies[1].position;
  EXPECT_NEAR(place.z() / reach, 2.0 / 3 * std::cos(begin), 1e-9);
  EXPECT_NEAR(place.norm(), reach, 1e-8);
  // From there it falls freely.
  const auto& last = run.sink.frames.back();
  const BodyState& then = run.after(leaving[0].time).bodies[1];
  const double t = last.time - leaving[0].time;
  EXPECT_NEAR(last.bodies[1].position.z(),
              then.position.z() + then.velocity.z() * t - 0.5 * g * t * t, 1e-9);
}

TEST(CurvedContact, ABallLeavesADomeAtTwoThirds) {
  expect_leaves_at_two_thirds("{sphere: {radius: 0.05}}", 0.05);
}

TEST(CurvedContact, ARoundEllipsoidLeavesADomeAtTwoThirds) {
  expect_leaves_at_two_thirds("{ellipsoid: {radii: [0.05, 0.05, 0.05]}}", 0.05);
}

// Two ellipsoids that collide in space without loss keep momentum, angular momentum and energy, and
// the relative velocity of the touching points along the normal is reversed.
TEST(CurvedContact, EllipsoidsThatCollideKeepEnergyAndMomentum) {
  const auto run = run_text(
      head(2, 60) +
      "gravity: [0, 0, 0]\nmaterials: {m: {restitution: 1, friction: 0}}\nbodies:\n"
      "  - {name: a, shape: {ellipsoid: {radii: [0.5, 0.3, 0.2]}}, material: m, mass: 2, position: "
      "[-1, 0.1, 0], velocity: [1, 0, 0], angular_velocity: [1, 2, -1]}\n"
      "  - {name: b, shape: {superellipsoid: {radii: [0.4, 0.5, 0.3], exponents: [0.7, 1.3]}}, "
      "material: m, mass: 3, position: [0.6, -0.1, 0.1], angular_velocity: [-1, 1, 3]}\n");
  ASSERT_GE(run.events(EventKind::impact).size(), 1u);
  const Event impact = run.events(EventKind::impact)[0];
  double rates[2];
  int i = 0;
  for (const auto* frame : {&run.before(impact.time), &run.after(impact.time)}) {
    Vec3 velocity = Vec3::Zero();
    for (int body = 0; body < 2; ++body) {
      const BodyState& s = frame->bodies[static_cast<std::size_t>(body)];
      velocity +=
          (body == 0 ? 1 : -1) * (s.velocity + s.angular_velocity.cross(impact.point - s.position));
    }
    rates[i++] = impact.normal.dot(velocity);
  }
  EXPECT_LT(rates[0], -0.1);
  EXPECT_NEAR(rates[1], -rates[0], 1e-8);
  EXPECT_LT(std::abs(run.summary.energy_error), 1e-10);
  EXPECT_LT(run.summary.momentum_error, 1e-10);
  EXPECT_GT(run.summary.min_gap, 0);
  EXPECT_GT(run.summary.cache_hits, run.summary.cache_misses);
}

// An ellipsoid slides over the top of a box and off its edge: from face to edge to free fall,
// without loss.
TEST(CurvedContact, AnEllipsoidSlidesOffABoxWithoutLoss) {
  const auto run = run_text(
      head(2, 60) +
      "bodies:\n"
      "  - {name: table, shape: {box: {size: [2, 2, 1]}}, motion: fixed, position: [0, 0, -0.5]}\n"
      "  - {name: egg, shape: {ellipsoid: {radii: [0.5, 0.3, 0.2]}}, position: [0.6, 0, 0.2], "
      "velocity: [0.8, 0.1, 0], angular_velocity: [0.5, 1, 0.3]}\n");
  EXPECT_EQ(run.summary.unresolved, 0);
  EXPECT_GT(run.summary.min_gap, 0);
  EXPECT_LT(std::abs(run.summary.energy_error), 1e-8);
  EXPECT_LT(run.sink.last(1).position.z(), -1);
  EXPECT_GE(run.events(EventKind::support).size() + run.events(EventKind::separate).size(), 1u);
}

}  // namespace
}  // namespace abut
