// Forces against closed forms, at the default tolerance.

#include <gtest/gtest.h>

#include <numbers>

#include "math/rotation.h"
#include "support/constants.h"
#include "support/models.h"

namespace abut {
namespace {

using abut::test::pi;

model::Spring spring(model::Anchor a, model::Anchor b, double length, double stiffness,
                     double damping = 0) {
  return {{a, b}, length, stiffness, damping};
}

// Times at which x crosses zero upwards, by the cubic through values and slopes at both samples.
std::vector<double> upward_crossings(const test::KeepingSink& sink, double level) {
  std::vector<double> times;
  for (std::size_t i = 1; i < sink.frames.size(); ++i) {
    const auto& f0 = sink.frames[i - 1];
    const auto& f1 = sink.frames[i];
    const double x0 = f0.bodies[0].centre_of_mass.x() - level;
    const double x1 = f1.bodies[0].centre_of_mass.x() - level;
    if (!(x0 < 0 && x1 >= 0)) continue;
    const double h = f1.time - f0.time;
    const double v0 = f0.bodies[0].velocity.x() * h, v1 = f1.bodies[0].velocity.x() * h;
    double s = x0 / (x0 - x1);
    for (int k = 0; k < 20; ++k) {  // Newton on the Hermite cubic
      const double c2 = 3 * (x1 - x0) - 2 * v0 - v1, c3 = 2 * (x0 - x1) + v0 + v1;
      s -= (x0 + s * (v0 + s * (c2 + s * c3))) / (v0 + s * (2 * c2 + 3 * s * c3));
    }
    times.push_back(f0.time + s * h);
  }
  return times;
}

TEST(SpringMass, OscillatesWithTheRightPeriod) {
  model::Model model = test::empty_model(20);
  model.record.rate = 1000;
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  model.bodies[0].pose.position = Vec3(1.3, 0, 0);
  const double mass = model.bodies[0].mass.mass, stiffness = 50;
  model.forces.push_back(spring({world, Vec3::Zero()}, {0, Vec3::Zero()}, 1, stiffness));
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  const double omega = std::sqrt(stiffness / mass);
  const auto crossings = upward_crossings(sink, 1.0);
  ASSERT_GT(crossings.size(), 10u);
  const double period =
      (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  EXPECT_NEAR(period * omega / (2 * pi), 1, 1e-9);
  for (const auto& frame : sink.frames)
    ASSERT_NEAR(frame.bodies[0].centre_of_mass.x(), 1 + 0.3 * std::cos(omega * frame.time), 3e-9);
  EXPECT_LT(summary.energy_error, 1e-8);
}

TEST(SpringMass, DampedMotionAndDissipation) {
  model::Model model = test::empty_model(3);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  model.bodies[0].pose.position = Vec3(1.3, 0, 0);
  const double mass = model.bodies[0].mass.mass, stiffness = 50, damping = 3;
  model.forces.push_back(spring({world, Vec3::Zero()}, {0, Vec3::Zero()}, 1, stiffness, damping));
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  const double decay = damping / (2 * mass), omega = std::sqrt(stiffness / mass - decay * decay);
  for (const auto& frame : sink.frames) {
    const double t = frame.time;
    const double x =
        0.3 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
    ASSERT_NEAR(frame.bodies[0].centre_of_mass.x() - 1, x, 1e-9);
    ASSERT_NEAR(frame.energy.balance(), 0.5 * stiffness * 0.09, 1e-8);
  }
  EXPECT_LT(summary.energy_error, 1e-8);
}

// Two bodies on a spring, far from anything: the reduced mass oscillates, the centre moves evenly.
TEST(SpringPair, OscillatesAboutACentreInUniformMotion) {
  model::Model model = test::empty_model(5);
  model.bodies = {test::body_of(shape::Sphere{0.1}), test::body_of(shape::Sphere{0.2})};
  model.bodies[0].pose.position = Vec3(-1, 0, 0);
  model.bodies[1].pose.position = Vec3(1, 0, 0);
  model.bodies[0].velocity = model.bodies[1].velocity = Vec3(0, 3, 0);
  const double m0 = model.bodies[0].mass.mass, m1 = model.bodies[1].mass.mass;
  model.forces.push_back(spring({0, Vec3::Zero()}, {1, Vec3::Zero()}, 1.5, 100));
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  const double omega = std::sqrt(100 * (1 / m0 + 1 / m1));
  for (const auto& frame : sink.frames) {
    const auto& a = frame.bodies[0];
    const auto& b = frame.bodies[1];
    ASSERT_NEAR((b.centre_of_mass - a.centre_of_mass).norm(),
                1.5 + 0.5 * std::cos(omega * frame.time), 1e-8);
    const Vec3 centre = (m0 * a.centre_of_mass + m1 * b.centre_of_mass) / (m0 + m1);
    ASSERT_NEAR(centre.y(), 3 * frame.time, 1e-11);
  }
  EXPECT_LT(summary.momentum_error, 1e-9);
}

TEST(Drag, LinearDragFallsToTerminalSpeed) {
  model::Model model = test::empty_model(4);
  model.gravity = Vec3(0, 0, -9.81);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  const double mass = model.bodies[0].mass.mass, c = 5;
  model.forces.push_back(model::Drag{0, c, 0, 0, Vec3(2, 0, 0)});
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  const double rate = c / mass;
  for (const auto& frame : sink.frames) {
    const double gone = 1 - std::exp(-rate * frame.time);
    ASSERT_NEAR(frame.bodies[0].velocity.z(), -9.81 / rate * gone, 1e-9);
    ASSERT_NEAR(frame.bodies[0].velocity.x(), 2 * gone, 1e-9);
  }
  EXPECT_LT(summary.energy_error, 1e-8);
}

TEST(Drag, QuadraticDragFollowsTheHyperbolicTangent) {
  model::Model model = test::empty_model(6);
  model.gravity = Vec3(0, 0, -9.81);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  const double mass = model.bodies[0].mass.mass, k = 0.8;
  model.forces.push_back(model::Drag{0, 0, k, 0, Vec3::Zero()});
  test::KeepingSink sink;
  loop::run(model, sink, {});
  const double terminal = std::sqrt(mass * 9.81 / k);
  for (const auto& frame : sink.frames)
    ASSERT_NEAR(frame.bodies[0].velocity.z(), -terminal * std::tanh(9.81 * frame.time / terminal),
                1e-8);
}

TEST(Drag, AngularDragSlowsASphereExponentially) {
  model::Model model = test::empty_model(2);
  model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  model.bodies[0].angular_velocity = Vec3(0, 0, 10);
  const double moment = model.bodies[0].mass.principal.z();
  model.forces.push_back(model::Drag{0, 0, 0, 0.02, Vec3::Zero()});
  test::KeepingSink sink;
  loop::run(model, sink, {});
  EXPECT_NEAR(sink.last(0).angular_velocity.z(), 10 * std::exp(-0.02 / moment * 2), 1e-8);
}

TEST(ConstantForce, AcceleratesAndKeepsTheBooks) {
  model::Model model = test::empty_model(3);
  model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 1, 1)}));
  model.forces.push_back(model::ConstantForce{{0, Vec3::Zero()}, Vec3(100, 0, 0), Vec3(0, 0, 50)});
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  EXPECT_NEAR(sink.last(0).position.x(), 0.5 * 0.1 * 9, 1e-11);
  const double moment = model.bodies[0].mass.principal.z();
  EXPECT_NEAR(sink.last(0).angular_velocity.z(), 50 / moment * 3, 1e-9);
  EXPECT_NEAR(summary.work, 0.5 * 2500 / moment * 9, 1e-6);
  EXPECT_LT(summary.energy_error, 1e-9);
  EXPECT_LT(summary.momentum_error, 1e-9);
}

// A force carried at a point of the body is conservative: its potential is -F . x.
TEST(ConstantForce, AtACarriedPointIsAPendulumInAField) {
  model::Model model = test::empty_model(10);
  model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 2, 3)}));
  model.forces.push_back(
      model::ConstantForce{{0, Vec3(0.5, 0.2, 1)}, Vec3(300, 0, -4000), Vec3::Zero()});
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  EXPECT_LT(summary.energy_error, 1e-8);
  EXPECT_LT(summary.momentum_error, 1e-8);
  EXPECT_EQ(summary.work, 0);
}

// A mass on a spring whose other end is shaken: x = (A / (w0^2 - w^2)) ... in closed form, and the
// work of the shaker is what the energy gains.
TEST(ScriptedSupport, DrivesAnOscillatorAndDoesTheWork) {
  model::Model model = test::empty_model(4);
  model.bodies = {test::body_of(shape::Sphere{0.1}), test::body_of(shape::Sphere{0.1})};
  model.bodies[0].pose.position = Vec3(1, 0, 0);
  body::ExpressionScript script;
  script.position[0] = std::get<math::Expression>(math::Expression::parse("0.2*sin(3*t)", "t"));
  model.bodies[1].motion = body::Script(script);
  const double mass = model.bodies[0].mass.mass, stiffness = 200;
  model.forces.push_back(spring({1, Vec3::Zero()}, {0, Vec3::Zero()}, 1, stiffness));
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  const double w0 = std::sqrt(stiffness / mass), w = 3;
  const double amplitude = 0.2 * w0 * w0 / (w0 * w0 - w * w);
  for (const auto& frame : sink.frames) {
    const double t = frame.time;
    const double x = 1 + amplitude * (std::sin(w * t) - w / w0 * std::sin(w0 * t));
    ASSERT_NEAR(frame.bodies[0].centre_of_mass.x(), x, 1e-8) << t;
  }
  EXPECT_LT(summary.energy_error, 1e-8);
}

// A support that jerks into motion (linear keyframes): the velocity jump of the support is felt by
// the damper at exactly that instant.
TEST(ScriptedSupport, AKinkInTheScriptCostsNoAccuracy) {
  model::Model model = test::empty_model(2);
  model.bodies = {test::body_of(shape::Sphere{0.1}), test::body_of(shape::Sphere{0.1})};
  model.bodies[0].pose.position = Vec3(1, 0, 0);
  body::KeyframeScript script;
  script.interpolation = body::Interpolation::linear;
  script.keyframes = {{0.7, {Vec3::Zero(), Quat::Identity()}},
                      {10.7, {Vec3(-10, 0, 0), Quat::Identity()}}};
  model.bodies[1].motion = body::Script(script);
  const double mass = model.bodies[0].mass.mass, damping = 3;
  model.forces.push_back(spring({1, Vec3::Zero()}, {0, Vec3::Zero()}, 1, 0, damping));
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  for (const auto& frame : sink.frames) {
    const double s = std::max(0.0, frame.time - 0.7);
    ASSERT_NEAR(frame.bodies[0].velocity.x(), -(1 - std::exp(-damping / mass * s)), 1e-9);
  }
  EXPECT_LT(summary.rejected_steps, 20);
}

}  // namespace
}  // namespace abut
