#include "support/precise_motion.h"

namespace abut::test {
namespace {

/// Rodrigues.
RealMat rotation(const RealVec& phi) {
  const Real angle = phi.norm();
  if (angle == 0) return RealMat::Identity();
  const RealVec n = phi / angle;
  RealMat cross;
  cross << Real(0), -n.z(), n.y(), n.z(), Real(0), -n.x(), -n.y(), n.x(), Real(0);
  return RealMat::Identity() + sin(angle) * cross + (1 - cos(angle)) * cross * cross;
}

}  // namespace

RealMat matrix_of(const Quat& q) {
  const Eigen::Quaternion<Real> real(q.w(), q.x(), q.y(), q.z());
  return real.normalized().toRotationMatrix();
}

RealPose body_at(const body::RigidMotion& motion, const Accelerations& change, const Real& t) {
  const auto along = [&t](const Vec3& first, const Vec3& second) -> RealVec {
    return first.cast<Real>() * t + second.cast<Real>() * (t * t / 2);
  };
  return {motion.pose.position.cast<Real>() + along(motion.velocity, change.linear),
          rotation(along(motion.angular_velocity, change.angular)) *
              matrix_of(motion.pose.orientation)};
}

}  // namespace abut::test
