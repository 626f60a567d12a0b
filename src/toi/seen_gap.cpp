#include "toi/seen_gap.h"

#include <algorithm>

#include "toi/close_watch.h"

namespace abut::toi {

Ball Ball::around(const std::optional<Core>& core) {
  if (!core) return {};
  if (core->surface)
    return {core->surface.position, core->surface.surface->outer_radius() + core->radius};
  Ball ball{Vec3::Zero(), 0};
  for (const Vec3& point : core->points)
    ball.centre += point / static_cast<double>(core->points.size());
  for (const Vec3& point : core->points)
    ball.radius = std::max(ball.radius, (point - ball.centre).norm());
  ball.radius += core->radius;
  return ball;
}

SeenGap seen_gap(const Ball& ball_a, const Ball& ball_b, const Pose& a, const Pose& b) {
  const Vec3 from = b.position + b.orientation * ball_b.centre;
  const Vec3 to = a.position + a.orientation * ball_a.centre;
  const double rounding = coordinate_rounding * (from.norm() + to.norm());
  return {a, b, (to - from).norm() - ball_a.radius - ball_b.radius - rounding};
}

double displacement(const Pose& then, const Outlook& now, double reach, double duration) {
  const Quat turn = then.orientation.conjugate() * now.pose.orientation;
  const double moved = (now.pose.position - then.position).norm() + now.speed.linear * duration;
  const double turned = 2 * turn.vec().norm() + now.speed.angular * duration;
  const double rounding = coordinate_rounding * (now.pose.position.norm() + then.position.norm());
  // Of a body at rest the quaternions' product may be off by rounding.
  const bool stays =
      now.speed.angular == 0 && then.orientation.coeffs() == now.pose.orientation.coeffs();
  return moved + rounding + (stays ? 0 : (turned + coordinate_rounding) * reach);
}

double gap_bound(const SeenGap& seen, const Outlook& a, double reach_a, const Outlook& b,
                 double reach_b, double duration) {
  return seen.gap - displacement(seen.a, a, reach_a, duration) -
         displacement(seen.b, b, reach_b, duration);
}

}  // namespace abut::toi
