#include "toi/standing_plane.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "toi/close_watch.h"

namespace abut::toi {
namespace {

// The smallest m.x of a part, in its motion frame, less its rounding.
double lowest(const Core& core, const Vec3& m) {
  double least = core.surface ? core.surface.lowest(m) : infinity;
  for (const Vec3& p : core.points) least = std::min(least, m.dot(p));
  return least - core.radius * m.norm();
}

}  // namespace

StandingPlane plane_around(const Core& carrier, int side, const Vec3& normal) {
  return {side, normal, -lowest(carrier, -normal)};
}

CertainHeight certain_height(const StandingPlane& plane, const motion::BodyPath& carrier,
                             const Core& part, const motion::BodyPath& path, double from,
                             double to) {
  const motion::Kinematics own = path.kinematics(from), of = carrier.kinematics(from);
  const double h = to - from;
  const Vec3 n = of.pose.orientation * plane.normal;
  const Vec3 turning = of.angular_velocity.cross(n);
  const Vec3 between = own.pose.position - of.pose.position;
  const Vec3 motion = own.velocity - of.velocity;
  // Of a point with the arm d: n'.d + n.(w x d) = (n' + n x w).d.
  const Quat to_part = own.pose.orientation.conjugate();
  const Vec3 to_height = to_part * n, to_rate = to_part * (turning + n.cross(own.angular_velocity));
  const double rounding =
      coordinate_rounding * (own.pose.position.norm() + of.pose.position.norm() + part.reach +
                             part.radius + std::abs(plane.level));
  const double height = n.dot(between) - plane.level - rounding;
  const double rate = n.dot(motion) + turning.dot(between);

  const motion::AccelerationBound fast = path.acceleration_bound(from, to);
  const motion::AccelerationBound slow = carrier.acceleration_bound(from, to);
  const double arm = part.reach + part.radius;
  const double speed = motion.norm() + h * (fast.linear + slow.linear) + fast.spin * arm;
  const double apart = between.norm() + arm + h * speed;
  const double bend = fast.at_radius(arm) + slow.linear + 2 * slow.spin * speed +
                      (slow.angular + slow.spin * slow.spin) * apart;

  const double now = height + lowest(part, to_height);
  const double end = height + h * rate + lowest(part, to_height + h * to_rate) - 0.5 * h * h * bend;
  const double least = std::min(now, end);
  return {now, std::isfinite(bend) && std::isfinite(least) ? least : -infinity};
}

}  // namespace abut::toi
