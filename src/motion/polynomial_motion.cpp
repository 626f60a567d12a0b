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

// Of evaluating a polynomial, relative to its largest coefficient (dimensionless): 256 units.
constexpr double evaluation_rounding = 128 * std::numeric_limits<double>::epsilon();

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
    : begin_(begin), end_(end), centre_(centre), quaternion_(quaternion) {
  const auto centre1 = bernstein_derivative<3, 8>(centre_);
  const auto quaternion1 = bernstein_derivative<4, 8>(quaternion_);
  largest_.velocity = bernstein_norm_bound<3, 7>(centre1, 0, 1);
  largest_.acceleration = bernstein_norm_bound<3, 6>(bernstein_derivative<3, 7>(centre1), 0, 1);
  largest_.turn = bernstein_norm_bound<4, 7>(quaternion1, 0, 1);
  largest_.bend = bernstein_norm_bound<4, 6>(bernstein_derivative<4, 7>(quaternion1), 0, 1);
}

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
  const auto fifth = math::bernstein_basis<5>(s);
  const auto sixth = math::bernstein_raised<6>(fifth, s);
  const auto seventh = math::bernstein_raised<7>(sixth, s);
  const Vec3 by_s = centre1 * sixth;
  const Vec3 by_s_twice = bernstein_derivative<3, 7>(centre1) * fifth;

  Kinematics k;
  k.pose.position = centre_ * seventh;
  k.velocity = rate * by_s;
  k.acceleration = rate * rate * by_s_twice;

  const Eigen::Vector4d q = quaternion_ * seventh;
  const Eigen::Vector4d q_by_s = quaternion1 * sixth;
  const Eigen::Vector4d q_by_s_twice = bernstein_derivative<4, 7>(quaternion1) * fifth;
  const Eigen::Vector4d dq = rate * q_by_s, ddq = rate * rate * q_by_s_twice;
  const Quat raw = quaternion_from(q);
  k.pose.orientation = raw.normalized();
  k.angular_velocity = math::angular_velocity_of(raw, dq);
  k.angular_acceleration =
      math::angular_velocity_of(raw, ddq) - 2 * q.dot(dq) / q.squaredNorm() * k.angular_velocity;
  return k;
}

PolynomialMotion::CentreCoefficients PolynomialMotion::centre_over(double from, double to) const {
  return math::bernstein_restricted<3, 8>(centre_, parameter(from), parameter(to));
}

PolynomialMotion::QuaternionCoefficients PolynomialMotion::quaternion_over(double from,
                                                                           double to) const {
  return math::bernstein_restricted<4, 8>(quaternion_, parameter(from), parameter(to));
}

// Of a derivative p' with |p''| <= L over the whole step, about the middle m of a sub-interval of
// half width w: |p'(s)| <= |p'(m)| + L w; and it is no larger than over the whole step.
//
// Rounding: each of seven levels of the basis rounds three times, all of them positive, and the sum
// of products once per term; relative to the largest coefficient that is below 40 units of 2^-53
// in a component and 80 in the norm.
template <int Rows>
double PolynomialMotion::derivative_bound(const math::BernsteinCoefficients<Rows, 8>& p,
                                          double largest, double largest_second, double a,
                                          double b) {
  const double middle =
      bernstein_value<Rows, 7>(bernstein_derivative<Rows, 8>(p), 0.5 * (a + b)).norm();
  const double half = 0.5 * (b - a) + evaluation_rounding;
  return std::min(largest, middle + evaluation_rounding * largest + largest_second * half);
}

double PolynomialMotion::turn_bound(double a, double b) const {
  return derivative_bound<4>(quaternion_, largest_.turn, largest_.bend, a, b);
}

// omega = 2 |u'| for a unit quaternion u, and u = q / |q| gives
// u' = (1 - u u^T) q' / |q|, so |omega| <= 2 max|q'| / min|q|. For the minimum,
// |q(s)| >= |q(m)| - max|q'| |s - m| about the middle m of the sub-interval. Were that not
// positive (a quaternion that nearly vanishes within one step, which step control does not let
// happen) the bound is infinite: useless, but still a bound.
double PolynomialMotion::spin_bound(double turn, double a, double b) const {
  const double middle = bernstein_value<4, 8>(quaternion_, 0.5 * (a + b)).norm();
  const double smallest =
      middle * (1 - evaluation_rounding) - turn * (0.5 * (b - a) + evaluation_rounding);
  return smallest > 0 ? divided_up(2 * turn / smallest * (1 + evaluation_rounding), end_ - begin_)
                      : std::numeric_limits<double>::infinity();
}

SpeedBound PolynomialMotion::speed_bound(double from, double to) const {
  const double a = parameter(from);
  const double b = std::max(a, parameter(to));
  const double linear =
      derivative_bound<3>(centre_, largest_.velocity, largest_.acceleration, a, b);
  return {divided_up(linear, end_ - begin_), spin_bound(turn_bound(a, b), a, b)};
}

// Linear: |c''| over the whole step, which is short enough for it to change little. Angular: with
// omega = 2 vec(q' q*) / |q|^2,
//   alpha = 2 vec(q'' q*) / |q|^2 - 2 (q . q') omega / |q|^2,
// so |alpha| <= 2 |q''| / |q| + 2 |q'| |omega| / |q|, and |omega| is bounded already: the second
// term is at most |omega|^2 with the same bounds.
AccelerationBound PolynomialMotion::acceleration_bound(double from, double to) const {
  const double a = parameter(from);
  const double b = std::max(a, parameter(to));
  const double length = end_ - begin_;
  const double turn = turn_bound(a, b), spin = spin_bound(turn, a, b);

  constexpr double up = 1 + 16 * std::numeric_limits<double>::epsilon();  // roundings below
  AccelerationBound bound;
  bound.spin = spin;
  bound.linear = largest_.acceleration / (length * length) * up;
  // 2 / (|q| length) = omega bound / max|q'|, which saves bounding |q| again.
  const double inverse = turn > 0 ? spin / turn : 2 / length;
  bound.angular = (inverse * largest_.bend / length + spin * spin) * up;
  return bound;
}

}  // namespace abut::motion
