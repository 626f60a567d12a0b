#include "motion/kinematics.h"

namespace abut::motion {

Kinematics carried(const Kinematics& frame, const Vec3& local) {
  const Vec3 arm = frame.pose.orientation * local;
  const Vec3 swing = frame.angular_velocity.cross(arm);
  Kinematics point = frame;
  point.pose.position += arm;
  point.velocity += swing;
  point.acceleration += frame.angular_acceleration.cross(arm) + frame.angular_velocity.cross(swing);
  return point;
}

}  // namespace abut::motion
