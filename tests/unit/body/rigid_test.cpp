#include "body/rigid.h"

#include <random>

#include "math/rotation.h"
#include "support/models.h"

namespace abut::body {
namespace {

// A body whose central frame is neither at the origin nor along the axes of the body frame.
Mass tilted_box() {
  const Pose pose{Vec3(0.3, -0.2, 0.5), math::rotation_exp(Vec3(0.4, 1.1, -0.7))};
  return test::body_of(shape::Box{Vec3(1, 2, 3)}, 1000, pose).mass;
}

TEST(Rigid, FramesAreInverse) {
  const Mass mass = tilted_box();
  const Pose body{Vec3(1, 2, 3), math::rotation_exp(Vec3(0.1, 0.2, 0.3))};
  const Pose back = body_from_central(mass, central_from_body(mass, body));
  EXPECT_NEAR((back.position - body.position).norm(), 0, 1e-14);
  EXPECT_NEAR(math::angle_between(back.orientation, body.orientation), 0, 1e-14);
}

TEST(Rigid, PrincipalMomentsReproduceTheInertia) {
  const Mass mass = tilted_box();
  const Mat3 r = mass.central.orientation.toRotationMatrix();
  const Mat3 rebuilt = r * mass.principal.asDiagonal() * r.transpose();
  EXPECT_NEAR((rebuilt - mass.inertia).norm() / mass.inertia.norm(), 0, 1e-14);
}

TEST(Rigid, AngularVelocityAndMomentumAreInverse) {
  const Mass mass = tilted_box();
  const Quat attitude = math::rotation_exp(Vec3(1, -2, 0.5));
  const Vec3 omega(0.3, -4, 2);
  const Vec3 momentum = angular_momentum(mass, attitude, omega);
  EXPECT_NEAR((angular_velocity(mass, attitude, momentum) - omega).norm(), 0, 1e-13);
  EXPECT_NEAR(rotational_energy(mass, attitude, momentum) / (0.5 * omega.dot(momentum)), 1, 1e-14);
}

// Euler's equation against the change of omega along a short torque-free rotation.
TEST(Rigid, AngularAccelerationMatchesDifferences) {
  const Mass mass = tilted_box();
  const Quat attitude = math::rotation_exp(Vec3(0.2, 0.1, -0.4));
  const Vec3 momentum = angular_momentum(mass, attitude, Vec3(1, 2, 3));
  const Vec3 omega = angular_velocity(mass, attitude, momentum);
  const double h = 1e-4;
  const auto omega_after = [&](double t) {
    return angular_velocity(mass, math::rotation_exp(t * omega) * attitude, momentum);
  };
  const Vec3 difference = (omega_after(h) - omega_after(-h)) / (2 * h);
  const Vec3 exact = angular_acceleration(mass, attitude, momentum, Vec3::Zero());
  EXPECT_NEAR((exact - difference).norm() / exact.norm(), 0, 1e-6);
}

TEST(Rigid, KineticEnergyOfASphere) {
  const Mass mass = test::body_of(shape::Sphere{0.5}, 1000).mass;
  RigidState state;
  state.velocity = Vec3(3, 0, 4);
  state.angular_momentum = 0.4 * mass.mass * 0.25 * Vec3(0, 0, 2);
  EXPECT_NEAR(kinetic_energy(mass, state) / mass.mass, 12.5 + 0.5 * 0.1 * 4, 1e-13);
}

}  // namespace
}  // namespace abut::body
