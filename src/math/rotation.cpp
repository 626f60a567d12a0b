#include "math/rotation.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace abut::math {
namespace {

// Below this angle (rad) the closed forms of the coefficients cancel; their power series, which
// converge for every angle, need at most `series_terms` terms there to reach rounding.
constexpr double series_angle = 1.0;
constexpr int series_terms = 12;

// Directions with a smaller sine of the angle between them span no plane (dimensionless).
constexpr double least_sine = 16 * std::numeric_limits<double>::epsilon();

// a, b and their derivatives divided by th: all four are even functions of th.
struct Coefficients {
  double a = 0, b = 0, da = 0, db = 0;
};

// a = sum (-1)^k th^2k / (2k+2)!,  b = sum (-1)^k th^2k / (2k+3)!, derivatives term by term.
Coefficients series(double theta2) {
  Coefficients c;
  double power = 1;      // (-1)^k th^2k
  double below = 0;      // (-1)^k th^(2k-2)
  double factorial = 2;  // (2k+2)!
  for (int k = 0; k < series_terms; ++k) {
    c.a += power / factorial;
    c.b += power / (factorial * (2 * k + 3));
    c.da += 2 * k * below / factorial;
    c.db += 2 * k * below / (factorial * (2 * k + 3));
    below = -power;
    power *= -theta2;
    factorial *= (2.0 * k + 3) * (2.0 * k + 4);
  }
  return c;
}

Coefficients coefficients(double theta) {
  if (theta < series_angle) return series(theta * theta);
  const double s = std::sin(theta);
  const double one_minus_cos = 2 * std::pow(std::sin(theta / 2), 2);
  const double t2 = theta * theta;
  return {one_minus_cos / t2, (theta - s) / (t2 * theta),
          (theta * s - 2 * one_minus_cos) / (t2 * t2),
          (theta * one_minus_cos - 3 * (theta - s)) / (t2 * t2 * theta)};
}

}  // namespace

Quat rotation_exp(const Vec3& phi) {
  const double half = 0.5 * phi.norm();
  const double sinc = half < 1e-8 ? 1.0 : std::sin(half) / half;
  Quat q;
  q.w() = std::cos(half);
  q.vec() = 0.5 * sinc * phi;
  return q;
}

Vec3 rotation_log(const Quat& q) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const Vec3 u = sign * q.vec();
  const double s = u.norm();
  if (s == 0) return Vec3::Zero();
  return (2 * std::atan2(s, sign * q.w()) / s) * u;
}

Vec3 angular_velocity_of(const Quat& q, const Eigen::Vector4d& rate) {
  // omega = 2 vec(rate * conj(q)) / |q|^2; a rate along q contributes to the scalar part only.
  const Vec3 u = q.vec();
  const Vec3 du = rate.head<3>();
  return 2 / q.squaredNorm() * (q.w() * du - rate[3] * u - du.cross(u));
}

BodyRates rotation_vector_rates(const Vec3& phi, const Vec3& first, const Vec3& second) {
  const Coefficients c = coefficients(phi.norm());
  const double stretch = phi.dot(first);  // th th'
  const Vec3 once = phi.cross(first);
  const Vec3 twice = phi.cross(once);
  BodyRates rates;
  rates.velocity = first - c.a * once + c.b * twice;
  rates.acceleration = second - c.da * stretch * once - c.a * phi.cross(second) +
                       c.db * stretch * twice +
                       c.b * (first.cross(once) + phi.cross(phi.cross(second)));
  return rates;
}

Vec3 rotation_vector_rate_for(const Vec3& phi, const Vec3& omega) {
  // J^-1 = 1 + [phi]x / 2 + (1 - (th/2) cot(th/2)) / th^2 [phi]x^2.
  const double theta = phi.norm();
  const double half = theta / 2;
  const double k = theta < 1e-4 ? 1.0 / 12 + theta * theta / 720
                                : (1 - half * std::cos(half) / std::sin(half)) / (theta * theta);
  const Vec3 once = phi.cross(omega);
  return omega + 0.5 * once + k * phi.cross(once);
}

// The angle is known to rounding from both products. So little is left of the axis a x b of nearly
// opposite directions that it must be made perpendicular to a again; it may then point anywhere
// across a by as little as the directions do not determine it.
Quat turn_between(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized(), b = to.normalized();
  const Vec3 cross = a.cross(b);
  const double angle = std::atan2(cross.norm(), a.dot(b));
  Vec3 axis = cross.norm() > least_sine ? cross.normalized() : a.unitOrthogonal();
  axis -= a.dot(axis) * a;
  return rotation_exp(angle * axis.normalized());
}

double angle_between(const Quat& a, const Quat& b) {
  const Quat relative = a.conjugate() * b;
  return 2 * std::atan2(relative.vec().norm(), std::abs(relative.w()));
}

}  // namespace abut::math
