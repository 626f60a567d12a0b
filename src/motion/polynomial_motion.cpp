#include "motion/polynomial_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/rotation.h"

namespace abut::motion {
namespace {

using math::bernstein_derivative;
using math::bernstein_norm_bound;
using math::bernstein_value;

Quat quaternion_from(const Eigen::Vector4d& xyzw) {
  return Quat(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
}

// Dividing by the length of the step rounds; one ulp up keeps a bound a bound.
double divided_up(double bound, double length) {
  return std::nextafter(bound / length, std::numeric_limits<double>::infinity());
}

}  // namespace

PolynomialMotion::PolynomialMotion(double begin, double end, const CentreCoefficients& centre,
                                   const QuaternionCoefficients& quaternion)
    : begin_(begin), end_(end), centre_(centre), quaternion_(quaternion) {}

double PolynomialMotion::parameter(double t) const {
  return std::clamp((t - begin_) / (end_ - begin_), 0.0, 1.0);
}

Pose PolynomialMotion::pose(double t) const {
  const auto basis = math::bernstein_basis<7>(parameter(t));
  return {centre_ * basis, quaternion_from(quaternion_ * basis).normalized()};
}

// With omega = 2 vec(q' q*) / |q|^2, differentiating once more:
//   omega' = 2 vec(q'' q*) / |q|^2 - 2 (q . q') omega / |q|^2,
// since vec(q' q'*) = 0.
Kinematics PolynomialMotion::kinematics(double t) const {
  const double s = parameter(t);
  const double rate = 1 / (end_ - begin_);
  const auto centre1 = bernstein_derivative<3, 8>(centre_);
  const auto quaternion1 = bernstein_derivative<4, 8>(quaternion_);

  Kinematics k;
  k.pose.position = bernstein_value<3, 8>(centre_, s);
  k.velocity = rate * bernstein_value<3, 7>(centre1, s);
  k.acceleration = rate * rate * bernstein_value<3, 6>(bernstein_derivative<3, 7>(centre1), s);

  const Eigen::Vector4d q = bernstein_value<4, 8>(quaternion_, s);
  const Eigen::Vector4d dq = rate * bernstein_value<4, 7>(quaternion1, s);
  const Eigen::Vector4d ddq =
      rate * rate * bernstein_value<4, 6>(bernstein_derivative<4, 7>(quaternion1), s);
  const Quat raw = quaternion_from(q);
  k.pose.orientation = raw.normalized();
  k.angular_velocity = math::angular_velocity_of(raw, dq);
  k.angular_acceleration =
      math::angular_velocity_of(raw, ddq) - 2 * q.dot(dq) / q.squaredNorm() * k.angular_velocity;
  return k;
}

// Linear: |c'| is bounded by the hull of its coefficients over the sub-interval.
//
// Angular: omega = 2 |u'| for a unit quaternion u, and u = q / |q| gives
// u' = (1 - u u^T) q' / |q|, so |omega| <= 2 max|q'| / min|q|. For the minimum,
// |q(s)| >= |q(m)| - max|q'| |s - m| about the middle m of the sub-interval. Were that not
// positive (a quaternion that nearly vanishes within one step, which step control does not let
// happen) the bound is infinite: useless, but still a bound.
SpeedBound PolynomialMotion::speed_bound(double from, double to) const {
  const double a = parameter(from);
  const double b = std::max(a, parameter(to));
  const double length = end_ - begin_;
  const double linear = bernstein_norm_bound<3, 7>(bernstein_derivative<3, 8>(centre_), a, b);
  const double turn = bernstein_norm_bound<4, 7>(bernstein_derivative<4, 8>(quaternion_), a, b);

  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();  // of evaluating |q(m)|
  const double middle = bernstein_value<4, 8>(quaternion_, 0.5 * (a + b)).norm();
  const double smallest = middle * (1 - rounding) - turn * (0.5 * (b - a) + rounding);
  SpeedBound bound;
  bound.linear = divided_up(linear, length);
  bound.angular = smallest > 0 ? divided_up(2 * turn / smallest * (1 + rounding), length)
                               : std::numeric_limits<double>::infinity();
  return bound;
}

// Linear: the hull of c''. Angular: with omega = 2 vec(q' q*) / |q|^2,
//   alpha = 2 vec(q'' q*) / |q|^2 - 2 (q . q') omega / |q|^2,
// so |alpha| <= 2 |q''| / |q| + 2 |q'| |omega| / |q|, and |omega| is bounded already: the second
// term is at most |omega|^2 with the same bounds.
AccelerationBound PolynomialMotion::acceleration_bound(double from, double to) const {
  const double a = parameter(from);
  const double b = std::max(a, parameter(to));
  const double length = end_ - begin_;
  const SpeedBound speed = speed_bound(from, to);
  const auto quaternion1 = bernstein_derivative<4, 8>(quaternion_);
  const double bend =
      bernstein_norm_bound<4, 6>(bernstein_derivative<4, 7>(quaternion1), a, b) / length;
  const double turn = bernstein_norm_bound<4, 7>(quaternion1, a, b);

  constexpr double up = 1 + 16 * std::numeric_limits<double>::epsilon();  // roundings below
  AccelerationBound bound;
  bound.spin = speed.angular;
  bound.linear = bernstein_norm_bound<3, 6>(
                     bernstein_derivative<3, 7>(bernstein_derivative<3, 8>(centre_)), a, b) /
                 (length * length) * up;
  // 2 / (|q| length) = omega bound / max|q'|, which saves bounding |q| again.
  const double inverse = turn > 0 ? speed.angular / turn : 2 / length;
  bound.angular = (inverse * bend + speed.angular * speed.angular) * up;
  return bound;
}

}  // namespace abut::motion
