// Free motion against closed forms, at the default tolerance.

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "support/free_rotation.h"
#include "support/models.h"

namespace abut {
namespace {

TEST(Projectile, FollowsTheParabola) {
  model::Model model = test::empty_model(10);
  model.gravity = Vec3(0, 0, -9.81);
  model::Body body = test::body_of(shape::Box{Vec3(0.3, 0.5, 0.7)});
  body.pose.position = Vec3(1, -2, 3);
  body.velocity = Vec3(30, 20, 45);
  body.angular_velocity = Vec3(1, 2, 3);
  model.bodies.push_back(body);
  test::KeepingSink sink;
  const auto summary = loop::run(model, sink, {});
  for (const auto& frame : sink.frames) {
    const double t = frame.time;
    const Vec3 exact = body.pose.position + t * body.velocity + 0.5 * t * t * model.gravity;
    EXPECT_LT((frame.bodies[0].centre_of_mass - exact).norm(), 1e-12 * exact.norm()) << t;
    EXPECT_LT((frame.bodies[0].velocity - body.velocity - t * model.gravity).norm(), 1e-12 * 55);
    EXPECT_NEAR((frame.bodies[0].acceleration - model.gravity).norm(), 0, 1e-14);
  }
  EXPECT_LT(summary.energy_error, 1e-9);
}

// The box of the first scene: 1 x 2 x 3 m, spun about its unstable axis.
class TumblingBox : public ::testing::Test {
 protected:
  TumblingBox() {
    model_ = test::empty_model(60);
    model_.record.rate = 100;
    model_.bodies.push_back(test::body_of(shape::Box{Vec3(1, 2, 3)}, 1000));
    model_.bodies[0].angular_velocity = omega_;
  }

  // The elliptic solution wants ascending moments; those of x, y, z descend. The axes z, y, -x are
  // right-handed and ascending.
  test::FreeRotation exact() const {
    const Vec3 i = model_.bodies[0].mass.principal;
    return test::FreeRotation(Vec3(i.z(), i.y(), i.x()), to_ascending(omega_));
  }
  static Vec3 to_ascending(const Vec3& v) { return Vec3(v.z(), v.y(), -v.x()); }
  static Quat to_body_axes(const Eigen::Quaterniond& q) {
    return Quat(q.w(), -q.z(), q.y(), q.x());
  }

  const Vec3 omega_{0.01, 5, 0.01};
  model::Model model_;
};

TEST_F(TumblingBox, TheReferenceSatisfiesEulersEquations) {
  const Vec3 i = model_.bodies[0].mass.principal;
  const Vec3 moments(i.z(), i.y(), i.x());
  const auto reference = exact();
  for (const double t : {0.0, 1.3, 2.9, 7.7, 40.0}) {
    const double h = 1e-4;
    const auto w = [&](double s) -> Vec3 { return reference.omega(s).cast<double>(); };
    const Vec3 rate = (8 * (w(t + h) - w(t - h)) - (w(t + 2 * h) - w(t - 2 * h))) / (12 * h);
    const Vec3 torque = moments.cwiseProduct(rate) + w(t).cross(moments.cwiseProduct(w(t)));
    EXPECT_LT(torque.norm(), 1e-8 * moments.norm()) << t;
  }
  EXPECT_NEAR((reference.omega(0).cast<double>() - to_ascending(omega_)).norm(), 0, 1e-14);
}

TEST_F(TumblingBox, KeepsEnergyAndAngularMomentum) {
  test::KeepingSink sink;
  const auto summary = loop::run(model_, sink, {});
  EXPECT_LT(summary.energy_error, 1e-9);
  const Vec3 principal = model_.bodies[0].mass.principal;
  const Vec3 first = principal.cwiseProduct(omega_);
  for (const auto& frame : sink.frames) {
    const BodyState& s = frame.bodies[0];
    const Vec3 local = s.orientation.conjugate() * s.angular_velocity;
    const Vec3 momentum = s.orientation * principal.cwiseProduct(local);
    ASSERT_LT((momentum - first).norm(), 1e-9 * first.norm()) << frame.time;
  }
}

TEST_F(TumblingBox, HasTheAttitudeOfTheEllipticSolution) {
  test::KeepingSink sink;
  loop::run(model_, sink, {});
  const auto reference = exact();
  for (const std::size_t index : {500u, 1777u, 3001u, 4500u, 6000u}) {
    const auto& frame = sink.frames[index];
    const Quat attitude = to_body_axes(reference.attitude(frame.time));
    EXPECT_LT(math::angle_between(frame.bodies[0].orientation, attitude), 1e-6) << frame.time;
    const Vec3 local = frame.bodies[0].orientation.conjugate() * frame.bodies[0].angular_velocity;
    EXPECT_LT((to_ascending(local) - reference.omega(frame.time).cast<double>()).norm(), 1e-6);
  }
}

TEST_F(TumblingBox, FlipsAtTheRightTimes) {
  test::KeepingSink sink;
  loop::run(model_, sink, {});
  const auto reference = exact();
  double flip = reference.first_flip();
  int flips = 0;
  const auto middle_rate = [](const record::Frame& frame) {
    return (frame.bodies[0].orientation.conjugate() * frame.bodies[0].angular_velocity).y();
  };
  for (std::size_t i = 1; i < sink.frames.size(); ++i) {
    const double a = middle_rate(sink.frames[i - 1]), b = middle_rate(sink.frames[i]);
    if (a * b > 0) continue;
    // Linear interpolation over 0.01 s is good to about 1e-4 s here.
    const double t = sink.frames[i - 1].time + 0.01 * a / (a - b);
    EXPECT_NEAR(t, flip, 1e-4);
    flip += reference.half_period();
    ++flips;
  }
  EXPECT_EQ(flips, 1 + static_cast<int>((60 - reference.first_flip()) / reference.half_period()));
  EXPECT_GT(flips, 5);
}

// A symmetric top: the axis precesses about L at |L| / I1, the body spins at (1 - I3/I1) omega_3.
TEST(SymmetricTop, PrecessesAtTheKnownRate) {
  model::Model model = test::empty_model(20);
  model.bodies.push_back(test::body_of(shape::Cylinder{0.5, 0.3}));
  const Vec3 i = model.bodies[0].mass.principal;
  ASSERT_NEAR(i.x(), i.y(), 1e-12);
  const Vec3 omega(0.8, 0, 6);
  model.bodies[0].angular_velocity = omega;
  test::KeepingSink sink;
  loop::run(model, sink, {});
  const Vec3 momentum = i.cwiseProduct(omega);
  const double t = model.duration;
  const Quat exact = math::rotation_exp(momentum / i.x() * t) *
                     math::rotation_exp(Vec3(0, 0, (1 - i.z() / i.x()) * omega.z() * t));
  EXPECT_LT(math::angle_between(sink.last(0).orientation, exact), 1e-8);
}

TEST(FreeSphere, SpinsUniformly) {
  model::Model model = test::empty_model(30);
  model.bodies.push_back(test::body_of(shape::Sphere{0.2}));
  const Vec3 omega(3, -4, 12);
  model.bodies[0].angular_velocity = omega;
  test::KeepingSink sink;
  loop::run(model, sink, {});
  EXPECT_LT(math::angle_between(sink.last(0).orientation, math::rotation_exp(30 * omega)), 1e-7);
  EXPECT_LT((sink.last(0).angular_velocity - omega).norm(), 1e-13 * omega.norm());
}

// Shifting the whole scene must not change the motion beyond the rounding of positions.
TEST(FreeMotion, DoesNotDependOnTheOrigin) {
  Vec3 ends[2];
  for (const int far : {0, 1}) {
    model::Model model = test::empty_model(2);
    model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 2, 3)}));
    model.bodies[0].pose.position = far * Vec3(1e6, -1e6, 1e6);
    model.bodies[0].velocity = Vec3(1, 2, 3);
    model.bodies[0].angular_velocity = Vec3(1, 5, -2);
    test::KeepingSink sink;
    loop::run(model, sink, {});
    ends[far] = sink.last(0).position - model.bodies[0].pose.position;
  }
  EXPECT_NEAR((ends[0] - ends[1]).norm(), 0, 1e-9);
}

// Global error against tolerance: a method of order 8 with an estimate of order 7 gains in
// proportion to the tolerance, and error per step size with slope 8.
TEST(FreeMotion, ErrorFallsWithTheOrderOfTheMethod) {
  const auto run_at = [](double tolerance) {
    model::Model model = test::empty_model(4);
    model.solver.tolerance = tolerance;
    model.bodies.push_back(test::body_of(shape::Box{Vec3(1, 2, 3)}));
    model.bodies[0].angular_velocity = Vec3(1, 5, 2);
    // An off-centre spring keeps the body from being torque-free.
    model.forces.push_back(model::Spring{
        {model::Anchor{world, Vec3(0, 0, 5)}, model::Anchor{0, Vec3(0.5, 1, 1.5)}}, 2, 4000, 0});
    test::KeepingSink sink;
    const auto summary = loop::run(model, sink, {});
    return std::pair(sink.last(0), static_cast<double>(summary.steps));
  };
  const auto exact = run_at(1e-13).first;
  const auto coarse = run_at(1e-5), fine = run_at(1e-9);
  const double ratio = (coarse.first.centre_of_mass - exact.centre_of_mass).norm() /
                       (fine.first.centre_of_mass - exact.centre_of_mass).norm();
  const double order = std::log(ratio) / std::log(fine.second / coarse.second);
  EXPECT_GT(order, 7);
  EXPECT_LT(order, 10);
}

}  // namespace
}  // namespace abut
