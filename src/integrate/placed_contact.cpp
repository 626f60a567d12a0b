#include "integrate/placed_contact.h"

#include <algorithm>

namespace abut::integrate {
namespace {

Vec3 velocity_at(const body::RigidMotion& body, const Vec3& place) {
  return body.velocity + body.angular_velocity.cross(place - body.pose.position);
}

}  // namespace

PlacedContact::PlacedContact(const contact::Contact& contact, const Island& island)
    : bodies_(contact.bodies) {
  for (int end = 0; end < 2; ++end) {
    const auto at = std::lower_bound(island.bodies.begin(), island.bodies.end(), bodies_[end]);
    if (at != island.bodies.end() && *at == bodies_[end])
      slots_[end] = static_cast<int>(at - island.bodies.begin());
  }
}

std::array<body::RigidMotion, 2> PlacedContact::motions(
    const model::Model& model, const Scripts& scripts, double t, motion::Side side,
    const std::vector<MovingBody>& bodies) const {
  std::array<body::RigidMotion, 2> both;
  for (int end = 0; end < 2; ++end) {
    if (!yields(end)) {
      both[end] = prescribed_support(model, scripts, bodies_[end], t, side).motion;
      continue;
    }
    const MovingBody& body = bodies[slots_[end]];
    both[end] = {
        {body.state.centre, body.state.attitude}, body.state.velocity, body.angular_velocity};
  }
  return both;
}

void PlacedContact::push(const Vec3& on_first, const Vec3& place,
                         const std::array<body::RigidMotion, 2>& motions,
                         std::vector<Wrench>& wrenches, Balance& rates) const {
  const bool internal = yields(0) && yields(1);
  for (int end = 0; end < 2; ++end) {
    const Vec3 force = end == 0 ? on_first : Vec3(-on_first);
    if (!yields(end)) {
      rates.work -= force.dot(velocity_at(motions[end], place));
      continue;
    }
    wrenches[slots_[end]].force += force;
    wrenches[slots_[end]].torque += (place - motions[end].pose.position).cross(force);
    if (internal) continue;
    rates.impulse += force;
    rates.angular_impulse += place.cross(force);
  }
}

Vec3 relative_velocity(const std::array<body::RigidMotion, 2>& motions, const Vec3& place) {
  return velocity_at(motions[0], place) - velocity_at(motions[1], place);
}

}  // namespace abut::integrate
