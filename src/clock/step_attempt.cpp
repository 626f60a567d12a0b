#include "clock/step_attempt.h"

#include "math/rotation.h"

namespace abut::clock {

Side Attempt::side_of(BodyIndex body) const {
  Side side;
  side.place = island.place_of(body);
  if (side.place >= 0) {
    const AttemptBody& now = bodies[side.place];
    side.pose = stepped(side.place).pose();
    side.velocity = now.moved;
    side.drift = now.drift;
    return side;
  }
  side.pose = island.prescribed_pose(body, t);
  if (body == world || !island.scene.scripts[body]) return side;
  const Pose end = island.prescribed_pose(body, t + h);
  side.velocity = {(end.position - side.pose.position) / h,
                   math::rotation_log(end.orientation * side.pose.orientation.conjugate()) / h};
  side.drift = side.velocity;
  return side;
}

motion::BodyPath Attempt::path_of(BodyIndex body) const {
  const int place = island.place_of(body);
  if (place < 0) return island.prescribed_path(body, t, t + h);
  const AttemptBody& now = bodies[place];
  return motion::BodyPath::steady(
      {t, t + h, stepped(place).pose(), now.drift.linear, now.drift.angular});
}

}  // namespace abut::clock
