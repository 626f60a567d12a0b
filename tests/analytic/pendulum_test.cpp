// Bodies that swing on one or two joints, against closed forms and against other integrators, at
// the default tolerance.

#include <cmath>
#include <numbers>

#include "support/constants.h"
#include "support/reference_ode.h"
#include "support/scene_run.h"

namespace abut {
namespace {

using abut::test::g;
using abut::test::pi;

// A bar of 1 x 0.1 x 0.2 m and 2 kg that turns about the y axis at the origin. Its centre is 0.4 m
// from the hinge, in the direction `angle` from straight down.
constexpr double bar_mass = 2, bar_arm = 0.4;
constexpr double bar_moment = bar_mass * (1.0 + 0.04) / 12 + bar_mass * bar_arm * bar_arm;

model::Model bar_pendulum(double angle, double duration) {
  model::Model model = test::scene(R"yaml(
abut: 1
duration: 1
bodies:
  - {name: bar, shape: {box: {size: [1, 0.1, 0.2]}}, mass: 2, position: [0.4, 0, 0]}
)yaml");
  model.duration = duration;
  model::Body& bar = model.bodies[0];
  bar.pose.position = bar_arm * Vec3(std::sin(angle), 0, -std::cos(angle));
  // The bar's x axis points outwards.
  bar.pose.orientation = Quat(Eigen::AngleAxisd(pi / 2 - angle, Vec3::UnitY()));
  joint::Joint hinge;
  hinge.name = "pivot";
  hinge.type = JointType::hinge;
  hinge.bodies = {world, 0};
  joint::place(hinge, {{Vec3::Zero(), Vec3::Zero()}, Vec3::UnitY(), {}},
               {Pose{}, body::central_from_body(bar.mass, bar.pose)});
  model.joints.push_back(hinge);
  return model;
}

// T = 4 K(sin(a/2)) / w0. After whole periods the bar is where it was let go, so what its angular
// velocity is off by tells the error in time. Returns that error as a fraction of the time.
double lateness(const model::Model& pendulum, double amplitude) {
  const double frequency = std::sqrt(bar_mass * g * bar_arm / bar_moment);
  model::Model model = pendulum;
  model.duration = 5 * 4 * std::comp_ellint_1(std::sin(amplitude / 2)) / frequency;
  const test::Ran ran = test::run_of(model);
  test::expect_sound(ran);
  const double acceleration = frequency * frequency * std::sin(amplitude);
  return std::abs(ran.sink.last(0).angular_velocity.y()) / acceleration / model.duration;
}

TEST(Pendulum, HasThePeriodOfTheEllipticIntegral) {
  for (const double amplitude : {0.1, 1.0, 2.0, 3.0})
    EXPECT_LT(lateness(bar_pendulum(amplitude, 1), amplitude), 1e-9) << amplitude;
}

// Within 2.4 degrees of standing upright the period changes by 220 times as much, relatively, as
// the energy: k K'(k) / (2 K(k)) with k = sin(a/2).
TEST(Pendulum, AlmostStandsUpright) {
  model::Model model = bar_pendulum(3.1, 1);
  model.solver.tolerance = 1e-11;
  EXPECT_LT(lateness(model, 3.1), 1e-9);
}

// With enough speed it goes round: T = 2 k K(k) / w0 with k = 2 w0 / w_bottom.
TEST(Pendulum, GoesRoundInTheRightTime) {
  const double frequency = std::sqrt(bar_mass * g * bar_arm / bar_moment);
  const double k = 0.9;
  const double period = 2 * k * std::comp_ellint_1(k) / frequency;
  model::Model model = bar_pendulum(0, 4 * period);
  const double speed = 2 * frequency / k;
  model.bodies[0].angular_velocity = Vec3(0, speed, 0);
  model.bodies[0].velocity = model.bodies[0].angular_velocity.cross(model.bodies[0].pose.position);
  const test::Ran ran = test::run_of(model);
  const BodyState& end = ran.sink.last(0);
  // At the bottom again; positive turns about y carry it towards -x.
  EXPECT_NEAR(end.centre_of_mass.x() / bar_arm / speed / (4 * period), 0, 1e-9);
  EXPECT_NEAR(end.centre_of_mass.z(), -bar_arm, 1e-9);
  test::expect_sound(ran);
}

// The force in the hinge at the bottom of a swing from the horizontal: m g + m w^2 r.
TEST(Pendulum, PullsAtItsHinge) {
  const double frequency = std::sqrt(bar_mass * g * bar_arm / bar_moment);
  const double quarter = std::comp_ellint_1(std::sin(pi / 4)) / frequency;
  const test::Ran ran = test::run_of(bar_pendulum(pi / 2, quarter));
  const double square = 2 * bar_mass * g * bar_arm / bar_moment;
  const JointState& pivot = test::joint_in(ran.sink.frames.back(), 0);
  const double pull = bar_mass * (g + square * bar_arm);
  EXPECT_NEAR(pivot.force.z() / pull, 1, 1e-9);
  EXPECT_NEAR(pivot.force.head<2>().norm() / pull, 0, 1e-8);
  EXPECT_NEAR(pivot.torque.norm() / (pull * bar_arm), 0, 1e-12);
}

// A ball on a rod of length l about a ball joint, going round the vertical at a constant angle
// without turning against the rod: with the moments I1 and I3 about the joint,
//   W^2 = m g l / ((I1 - I3) cos(angle)).
TEST(ConicalPendulum, GoesRoundAtAConstantHeight) {
  const double angle = 0.7, length = 1.2, mass = 3;
  const double ball = 0.4 * mass * 0.15 * 0.15;
  const double rate = std::sqrt(mass * g * length / (mass * length * length * std::cos(angle)));
  model::Model model = test::scene(R"yaml(
abut: 1
duration: 10
bodies:
  - {name: ball, shape: {sphere: {radius: 0.15}}, mass: 3, position: ["1.2*sin(0.7)", 0, "-1.2*cos(0.7)"]}
joints:
  - {name: pivot, type: ball, bodies: [world, ball], at: [0, 0, 0]}
)yaml");
  ASSERT_NEAR(model.bodies[0].mass.principal.x(), ball, 1e-15);
  model.bodies[0].angular_velocity = Vec3(0, 0, rate);
  model.bodies[0].velocity = model.bodies[0].angular_velocity.cross(model.bodies[0].pose.position);
  const test::Ran ran = test::run_of(model);
  for (const auto& frame : ran.sink.frames) {
    const double turned = rate * frame.time;
    const Vec3 exact = length * Vec3(std::sin(angle) * std::cos(turned),
                                     std::sin(angle) * std::sin(turned), -std::cos(angle));
    ASSERT_LT((frame.bodies[0].centre_of_mass - exact).norm(), 1e-8) << frame.time;
    ASSERT_NEAR(test::joint_in(frame, 0).force.z(), mass * g, 1e-7);
  }
  test::expect_sound(ran);
}

// Two bars on hinges about y. With the centres at a1 and a2 from their hinges, the second hinge at
// l from the first, and moments J1 about the first hinge and J2 about the second,
//   (J1 + m2 l^2) p'' + m2 l a2 (cos(p-q) q'' + sin(p-q) q'^2) = -(m1 a1 + m2 l) g sin p
//   J2 q'' + m2 l a2 (cos(p-q) p'' - sin(p-q) p'^2)            = -m2 a2 g sin q
// where p and q are the angles from straight down.
struct DoublePendulum {
  double m1 = 2, m2 = 1, a1 = 0.5, a2 = 0.4, l = 1;
  double j1 = 2 * (1.0 + 0.01) / 12 + 2 * 0.25, j2 = (0.64 + 0.01) / 12 + 0.16;

  Eigen::VectorXd rate(const Eigen::VectorXd& y) const {
    const double p = y[0], q = y[1], c = std::cos(p - q), s = std::sin(p - q);
    Eigen::Matrix2d mass;
    mass << j1 + m2 * l * l, m2 * l * a2 * c, m2 * l * a2 * c, j2;
    const Eigen::Vector2d force(
        -m2 * l * a2 * s * y[3] * y[3] - (m1 * a1 + m2 * l) * g * std::sin(p),
        m2 * l * a2 * s * y[2] * y[2] - m2 * a2 * g * std::sin(q));
    const Eigen::Vector2d acceleration = mass.inverse() * force;
    return Eigen::Vector4d(y[2], y[3], acceleration[0], acceleration[1]);
  }
};

constexpr const char* double_pendulum_scene = R"yaml(
abut: 1
duration: 10
record: {rate: 100}
bodies:
  - {name: upper, shape: {box: {size: [1, 0.1, 0.1]}}, mass: 2, position: [0.5, 0, 0]}
  - {name: lower, shape: {box: {size: [0.8, 0.1, 0.1]}}, mass: 1, position: [1.4, 0, 0]}
joints:
  - {name: shoulder, type: hinge, bodies: [world, upper], at: [0, 0, 0], axis: [0, 1, 0]}
  - {name: elbow, type: hinge, bodies: [upper, lower], at: [1, 0, 0], axis: [0, 1, 0]}
)yaml";

// Angles from straight down of the bars' x axes; positive towards +x, that is turns about -y.
double from_down(const BodyState& bar) {
  const Vec3 x = bar.orientation * Vec3::UnitX();
  return std::atan2(x.x(), -x.z());
}

TEST(DoublePendulum, FollowsTheEquationsInItsTwoAngles) {
  const test::Ran ran = test::run_of(double_pendulum_scene);
  test::expect_sound(ran);
  const DoublePendulum equations;
  const auto rate = [&](double, const Eigen::VectorXd& y) { return equations.rate(y); };
  const Eigen::VectorXd start = Eigen::Vector4d(pi / 2, pi / 2, 0, 0);
  for (const double t : {1.0, 2.0, 3.0, 5.0, 10.0}) {
    const Eigen::VectorXd exact =
        test::reference_solution(rate, start, t, static_cast<int>(100 * t));
    const Eigen::VectorXd finer =
        test::reference_solution(rate, start, t, static_cast<int>(200 * t));
    const auto frame = std::find_if(ran.sink.frames.begin(), ran.sink.frames.end(),
                                    [&](const auto& f) { return f.time == t; });
    ASSERT_NE(frame, ran.sink.frames.end());
    double error = 0;
    for (int i = 0; i < 2; ++i) {
      error =
          std::max(error, std::abs(std::remainder(from_down(frame->bodies[i]) - exact[i], 2 * pi)));
      error = std::max(error, std::abs(-frame->bodies[i].angular_velocity.y() - exact[2 + i]));
    }
    ASSERT_LT((exact - finer).norm(), 1e-10);
    EXPECT_LT(error, 1e-8) << t;
  }
}

// A heavy symmetric top on a ball joint. With the axis at the angle b from straight up, and the
// moments I1, I3 about the joint, the momenta about the axis and about the vertical are constant:
//   L3 = I3 w3,   Lz = I1 f' sin^2 b + L3 cos b,
//   I1 b'' = I1 f'^2 sin b cos b - L3 f' sin b + m g l sin b.
class HeavyTop : public ::testing::Test {
 protected:
  static constexpr double mass = 4, arm = 0.3, radius = 0.2, height = 0.1, tilt = 0.5;
  static constexpr double i3 = 0.5 * mass * radius * radius;
  static constexpr double i1 =
      mass * (3 * radius * radius + height * height) / 12 + mass * arm * arm;
  static constexpr double torque = mass * g * arm;

  // Turning about the vertical at `precession` and about its own axis at `spin` besides.
  static model::Model top(double precession, double spin) {
    model::Model model = test::scene(R"yaml(
abut: 1
duration: 5
bodies:
  - {name: top, shape: {cylinder: {radius: 0.2, height: 0.1}}, mass: 4,
     position: ["0.3*sin(0.5)", 0, "0.3*cos(0.5)"], orientation: {axis: [0, 1, 0], angle: 0.5}}
joints:
  - {name: tip, type: ball, bodies: [world, top], at: [0, 0, 0]}
)yaml");
    model::Body& body = model.bodies[0];
    body.angular_velocity =
        precession * Vec3::UnitZ() + spin * Vec3(std::sin(tilt), 0, std::cos(tilt));
    body.velocity = body.angular_velocity.cross(body.pose.position);
    return model;
  }
};

// (I1 cos b) W^2 - L3 W + m g l = 0 has a slow and a fast solution.
TEST_F(HeavyTop, PrecessesSteadily) {
  const double w3 = 60;
  const double l3 = i3 * w3;
  const double root = std::sqrt(l3 * l3 - 4 * i1 * std::cos(tilt) * torque);
  for (const double sign : {-1.0, 1.0}) {
    const double precession = (l3 + sign * root) / (2 * i1 * std::cos(tilt));
    const test::Ran ran = test::run_of(top(precession, w3 - precession * std::cos(tilt)));
    double worst = 0;
    for (const auto& frame : ran.sink.frames) {
      const double f = precession * frame.time;
      const Vec3 exact =
          arm * Vec3(std::sin(tilt) * std::cos(f), std::sin(tilt) * std::sin(f), std::cos(tilt));
      worst = std::max(worst, (frame.bodies[0].centre_of_mass - exact).norm());
    }
    EXPECT_LT(worst, 1e-8);
    test::expect_sound(ran);
  }
}

TEST_F(HeavyTop, NodsAsItsEquationsSay) {
  const double w3 = 60;
  const test::Ran ran = test::run_of(top(0, w3));  // let go: it falls, nods and goes round
  const double l3 = i3 * w3, lz = l3 * std::cos(tilt);
  const auto rate = [&](double, const Eigen::VectorXd& y) -> Eigen::VectorXd {
    const double s = std::sin(y[0]), c = std::cos(y[0]);
    const double f = (lz - l3 * c) / (i1 * s * s);
    return Eigen::Vector3d(y[1], f * f * s * c - l3 / i1 * f * s + torque / i1 * s, f);
  };
  double worst = 0;
  Eigen::VectorXd y = Eigen::Vector3d(tilt, 0, 0);
  double t = 0, most = 0;
  for (const auto& frame : ran.sink.frames) {
    if (frame.time > t) y = test::reference_solution(rate, y, frame.time - t, 20);
    t = frame.time;
    most = std::max(most, y[0]);
    const Vec3 exact = arm * Vec3(std::sin(y[0]) * std::cos(y[2]), std::sin(y[0]) * std::sin(y[2]),
                                  std::cos(y[0]));
    worst = std::max(worst, (frame.bodies[0].centre_of_mass - exact).norm());
    const Vec3 axis = frame.bodies[0].orientation * Vec3::UnitZ();
    ASSERT_NEAR(axis.dot(frame.bodies[0].angular_velocity), w3, 1e-7);
  }
  EXPECT_GT(most, tilt + 0.3);
  EXPECT_LT(worst, 1e-8);
  test::expect_sound(ran);
}

}  // namespace
}  // namespace abut
