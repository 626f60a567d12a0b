#pragma once
// Rotations: exponential and logarithm of quaternions, and the rates of rotation vectors.
//
// A rotation vector phi turns by |phi| about phi / |phi|. For q(t) = exp(phi(t)) the angular
// velocity in the rotated ("body") frame is
//     omega_body = J(phi) phi',   J(phi) = 1 - a [phi]x + b [phi]x^2,
//     a = (1 - cos th) / th^2,  b = (th - sin th) / th^3,  th = |phi|,
// J being the right Jacobian of SO(3). J shortens: |J(phi) phi'| <= |phi'|, because the component
// along phi is kept and the perpendicular one is multiplied by 2 |sin(th/2)| / th <= 1.

#include "abut/types.h"

namespace abut::math {

/// exp(phi / 2) as a unit quaternion.
Quat rotation_exp(const Vec3& phi);

/// The rotation vector of q on the shortest arc: |phi| <= pi.
Vec3 rotation_log(const Quat& q);

/// (0, omega / 2) * q: the rate of q when it turns with the world angular velocity omega.
inline Eigen::Vector4d quaternion_rate(const Vec3& omega, const Quat& q) {
  const Vec3 u = q.vec();
  Eigen::Vector4d rate;  // x, y, z, w as Eigen stores them
  rate.head<3>() = 0.5 * (q.w() * omega + omega.cross(u));
  rate[3] = -0.5 * omega.dot(u);
  return rate;
}

/// The world angular velocity of a quaternion that changes at `rate` (x, y, z, w). The part of
/// the rate along q, which only stretches it, has no effect; q need not have unit length.
Vec3 angular_velocity_of(const Quat& q, const Eigen::Vector4d& rate);

/// Body angular velocity and acceleration of exp(phi(t)) from phi and its derivatives.
struct BodyRates {
  Vec3 velocity;
  Vec3 acceleration;
};
BodyRates rotation_vector_rates(const Vec3& phi, const Vec3& first, const Vec3& second);

/// The phi' that gives the body angular velocity `omega` at phi: J(phi)^-1 omega, |phi| < 2 pi.
Vec3 rotation_vector_rate_for(const Vec3& phi, const Vec3& omega);

/// The smallest rotation that takes one direction to another; of opposite ones, some half turn.
Quat turn_between(const Vec3& from, const Vec3& to);

/// The angle of the rotation that takes a to b, in [0, pi].
double angle_between(const Quat& a, const Quat& b);

}  // namespace abut::math
