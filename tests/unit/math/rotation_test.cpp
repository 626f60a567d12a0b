#include "math/rotation.h"
#include "support/constants.h"
#include "support/seeds.h"

#include <numbers>
#include <random>

namespace abut::math {
namespace {

using abut::test::pi;

Vec3 random_vector(std::mt19937_64& random, double size) {
  std::normal_distribution<double> normal;
  return size * Vec3(normal(random), normal(random), normal(random));
}

TEST(Rotation, ExpOfAQuarterTurn) {
  const Quat q = rotation_exp(Vec3(0, 0, pi / 2));
  EXPECT_NEAR((q * Vec3::UnitX() - Vec3::UnitY()).norm(), 0, 1e-15);
}

TEST(Rotation, LogInvertsExpUpToHalfATurn) {
  std::mt19937_64 random(test::seed(1));
  std::uniform_real_distribution<double> angle(0, pi * (1 - 1e-9));
  for (int i = 0; i < 1000; ++i) {
    const Vec3 phi = angle(random) * random_vector(random, 1).normalized();
    EXPECT_NEAR((rotation_log(rotation_exp(phi)) - phi).norm(), 0, 1e-14);
  }
}

TEST(Rotation, LogTakesTheShortestArc) {
  const Quat q = rotation_exp(Vec3(0, 0, 1.5 * pi));
  EXPECT_NEAR((rotation_log(q) - Vec3(0, 0, -0.5 * pi)).norm(), 0, 1e-15);
}

TEST(Rotation, SmallRotationsKeepTheirDigits) {
  for (const double size : {1e-300, 1e-20, 1e-9, 1e-8, 1e-7, 1e-3}) {
    const Vec3 phi = size * Vec3(1, 2, -2) / 3;
    EXPECT_NEAR((rotation_log(rotation_exp(phi)) - phi).norm(), 0, 4e-16 * size);
  }
}

TEST(Rotation, QuaternionRateAndAngularVelocityAreInverse) {
  std::mt19937_64 random(test::seed(2));
  for (int i = 0; i < 100; ++i) {
    Quat q = rotation_exp(random_vector(random, 2));
    const Vec3 omega = random_vector(random, 3);
    q.coeffs() *= 1.7;  // the length must not matter
    const Eigen::Vector4d stretch = 0.3 * q.coeffs();
    EXPECT_NEAR((angular_velocity_of(q, quaternion_rate(omega, q) + stretch) - omega).norm(), 0,
                1e-13);
  }
}

// Body rates of exp(phi(t)) against differences of the rotation itself, for a polynomial phi. The
// angles run from tiny to beyond half a turn, across the switch from series to closed form.
TEST(Rotation, RotationVectorRatesMatchDifferences) {
  std::mt19937_64 random(test::seed(3));
  for (const double size : {1e-6, 1e-2, 0.5, 0.999, 1.001, 3.0, 5.0}) {
    const Vec3 p0 = size * random_vector(random, 1).normalized();
    const Vec3 p1 = random_vector(random, 1), p2 = random_vector(random, 1);
    const auto phi = [&](double t) -> Vec3 { return p0 + t * p1 + t * t / 2 * p2; };
    const auto rates = [&](double t) { return rotation_vector_rates(phi(t), p1 + t * p2, p2); };
    const double h = 1e-4;
    const auto turned = [&](double t) {
      return rotation_log(rotation_exp(phi(0)).conjugate() * rotation_exp(phi(t)));
    };
    // Central difference with Richardson extrapolation: error O(h^4).
    const Vec3 omega = (8 * (turned(h) - turned(-h)) - (turned(2 * h) - turned(-2 * h))) / (12 * h);
    EXPECT_NEAR((rates(0).velocity - omega).norm(), 0, 1e-10) << size;
    const Vec3 alpha = (8 * (rates(h).velocity - rates(-h).velocity) -
                        (rates(2 * h).velocity - rates(-2 * h).velocity)) /
                       (12 * h);
    EXPECT_NEAR((rates(0).acceleration - alpha).norm(), 0, 1e-10) << size;
  }
}

TEST(Rotation, RateForInvertsTheJacobian) {
  std::mt19937_64 random(test::seed(4));
  for (const double size : {1e-9, 9e-5, 1.1e-4, 1e-2, 1.0, pi, 4.0}) {
    const Vec3 phi = size * random_vector(random, 1).normalized();
    const Vec3 omega = random_vector(random, 1);
    const Vec3 rate = rotation_vector_rate_for(phi, omega);
    EXPECT_NEAR((rotation_vector_rates(phi, rate, Vec3::Zero()).velocity - omega).norm(), 0, 1e-13);
  }
}

TEST(Rotation, TheJacobianNeverLengthens) {
  std::mt19937_64 random(test::seed(5));
  for (int i = 0; i < 1000; ++i) {
    const Vec3 phi = random_vector(random, 3), rate = random_vector(random, 1);
    const Vec3 omega = rotation_vector_rates(phi, rate, Vec3::Zero()).velocity;
    EXPECT_LE(omega.norm(), rate.norm() * (1 + 1e-14));
  }
}

// From equal over nearly opposite to opposite directions, of any lengths.
TEST(Rotation, TheTurnBetweenDirectionsTakesOneToTheOther) {
  std::mt19937_64 random(test::seed(11));
  for (const double away : {0.0, 1e-17, 1e-15, 1e-12, 1e-8, 1e-4, 0.1, 1.0})
    for (const double sign : {1.0, -1.0})
      for (int i = 0; i < 100; ++i) {
        const Vec3 from = random_vector(random, 3);
        const Vec3 to = 0.2 * (sign * from.normalized() + random_vector(random, away));
        const Quat turn = turn_between(from, to);
        EXPECT_NEAR((turn * from.normalized() - to.normalized()).norm(), 0, 1e-14) << away;
        // The smallest one: its axis is perpendicular to both.
        EXPECT_NEAR(turn.vec().dot(from.normalized()), 0, 1e-14) << away;
        EXPECT_GE(turn.w(), -1e-15);
      }
}

}  // namespace
}  // namespace abut::math
