#include "body/rigid.h"

namespace abut::body {
namespace {

// Rotation matrix of a quaternion of nearly unit length, made orthogonal by dividing by |q|^2.
Mat3 rotation_matrix(const Quat& q) {
  return q.normalized().toRotationMatrix();
}

}  // namespace

Vec3 angular_velocity(const Mass& mass, const Quat& attitude, const Vec3& angular_momentum) {
  const Mat3 r = rotation_matrix(attitude);
  return r * (r.transpose() * angular_momentum).cwiseQuotient(mass.principal);
}

Vec3 angular_momentum(const Mass& mass, const Quat& attitude, const Vec3& angular_velocity) {
  const Mat3 r = rotation_matrix(attitude);
  return r * (r.transpose() * angular_velocity).cwiseProduct(mass.principal);
}

Vec3 angular_acceleration(const Mass& mass, const Quat& attitude, const Vec3& angular_momentum,
                          const Vec3& torque) {
  const Vec3 omega = angular_velocity(mass, attitude, angular_momentum);
  return angular_velocity(mass, attitude, torque - omega.cross(angular_momentum));
}

double rotational_energy(const Mass& mass, const Quat& attitude, const Vec3& angular_momentum) {
  const Vec3 local = attitude.normalized().conjugate() * angular_momentum;
  return 0.5 * local.dot(local.cwiseQuotient(mass.principal));
}

double kinetic_energy(const Mass& mass, const RigidState& state) {
  return 0.5 * mass.mass * state.velocity.squaredNorm() +
         rotational_energy(mass, state.attitude, state.angular_momentum);
}

}  // namespace abut::body
