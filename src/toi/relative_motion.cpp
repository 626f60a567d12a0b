#include "toi/relative_motion.h"

#include <cmath>

namespace abut::toi {

RelativeMotion relative_motion(const motion::BodyPath& of, const motion::BodyPath& seen_from,
                               double t) {
  const motion::Kinematics a = of.kinematics(t), b = seen_from.kinematics(t);
  const Mat3 to_b = b.pose.orientation.toRotationMatrix().transpose();
  const Vec3 between = a.pose.position - b.pose.position;
  RelativeMotion seen;
  seen.rotation = to_b * a.pose.orientation.toRotationMatrix();
  seen.position = to_b * between;
  seen.velocity = to_b * (a.velocity - b.velocity - b.angular_velocity.cross(between));
  seen.angular_velocity = to_b * (a.angular_velocity - b.angular_velocity);
  return seen;
}

// In a frame that moves with the acceleration a_b and turns at omega, a point at x from the origin
// accelerates by a - a_b - alpha x x - omega x (omega x x) - 2 omega x x'.
Straying straying(const motion::BodyPath& of, const motion::BodyPath& seen_from, double reach,
                  double t, double h) {
  const motion::AccelerationBound aa = of.acceleration_bound(t, t + h);
  const motion::AccelerationBound ab = seen_from.acceleration_bound(t, t + h);
  const motion::SpeedBound va = of.speed_bound(t, t + h), vb = seen_from.speed_bound(t, t + h);
  const double distance = (of.pose(t).position - seen_from.pose(t).position).norm() +
                          h * (va.linear + vb.linear) + reach;
  Straying result;
  result.speed = va.at_radius(reach) + vb.at_radius(distance);
  result.acceleration = aa.at_radius(reach) + ab.at_radius(distance);
  if (ab.spin > 0) result.acceleration += 2 * ab.spin * result.speed;
  result.lines_hold = std::isfinite(result.acceleration);
  return result;
}

}  // namespace abut::toi
