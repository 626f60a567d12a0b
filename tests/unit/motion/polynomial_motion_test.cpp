#include "motion/polynomial_motion.h"

#include "math/rotation.h"

namespace abut::motion {
namespace {

// Velocity and acceleration against differences of the pose, for a path with a wandering,
// non-normalised quaternion polynomial.
TEST(PolynomialMotion, KinematicsMatchDifferencesOfThePose) {
  PolynomialMotion::CentreCoefficients centre;
  PolynomialMotion::QuaternionCoefficients quaternion;
  for (int i = 0; i < 8; ++i) {
    centre.col(i) = Vec3(std::sin(1.0 * i), std::cos(2.0 * i), 0.1 * i * i);
    quaternion.col(i) =
        Eigen::Vector4d(0.2 * std::sin(i), 0.1 * i, 0.3 * std::cos(i), 1 + 0.05 * i);
  }
  const PolynomialMotion motion(2, 3.5, centre, quaternion);
  const double t = 2.6, h = 1e-4;
  const Kinematics k = motion.kinematics(t);

  const auto c = [&](double x) { return motion.pose(x).position; };
  const auto turned = [&](double x) {
    return math::rotation_log(motion.pose(x).orientation * motion.pose(t).orientation.conjugate());
  };
  const Vec3 v = (8 * (c(t + h) - c(t - h)) - (c(t + 2 * h) - c(t - 2 * h))) / (12 * h);
  const Vec3 omega =
      (8 * (turned(t + h) - turned(t - h)) - (turned(t + 2 * h) - turned(t - 2 * h))) / (12 * h);
  EXPECT_NEAR((k.velocity - v).norm(), 0, 1e-10);
  EXPECT_NEAR((k.angular_velocity - omega).norm(), 0, 1e-10);

  const auto rate = [&](double x) { return motion.kinematics(x); };
  const Vec3 a = (rate(t + h).velocity - rate(t - h).velocity) / (2 * h);
  const Vec3 alpha = (rate(t + h).angular_velocity - rate(t - h).angular_velocity) / (2 * h);
  EXPECT_NEAR((k.acceleration - a).norm(), 0, 1e-5);
  EXPECT_NEAR((k.angular_acceleration - alpha).norm(), 0, 1e-5);
}

TEST(PolynomialMotion, OrientationIsAlwaysOfUnitLength) {
  PolynomialMotion::QuaternionCoefficients quaternion;
  for (int i = 0; i < 8; ++i) quaternion.col(i) = Eigen::Vector4d(0.3 * i, -0.2, 0.1, 1);
  const PolynomialMotion motion(0, 1, PolynomialMotion::CentreCoefficients::Zero(), quaternion);
  for (double t = 0; t <= 1; t += 0.01) EXPECT_NEAR(motion.pose(t).orientation.norm(), 1, 4e-16);
}

// A quaternion that passes through zero has no orientation there; the bound says so by being
// infinite instead of being wrong.
TEST(PolynomialMotion, BoundIsInfiniteWhereTheQuaternionVanishes) {
  PolynomialMotion::QuaternionCoefficients quaternion;
  for (int i = 0; i < 8; ++i) quaternion.col(i) = Eigen::Vector4d(0, 0, 0, 1 - 2 * i / 7.0);
  const PolynomialMotion motion(0, 1, PolynomialMotion::CentreCoefficients::Zero(), quaternion);
  EXPECT_EQ(motion.speed_bound(0, 1).angular, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace abut::motion
