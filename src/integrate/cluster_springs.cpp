// What a cluster's springs ask of its motion.

#include <cmath>

#include "integrate/cluster_system.h"

namespace abut::integrate {

using force::SpringPhase;

ContactSprings::Now ClusterSystem::spring(int i, double t, const ode::Vector& y) {
  observe(y);
  return springs_.at(i, t, side_at(t), moving_);
}

std::vector<ContactSprings::Now> ClusterSystem::springs_now(double t, const ode::Vector& y) {
  observe(y);
  std::vector<ContactSprings::Now> all;
  all.reserve(springs_.size());
  for (int i = 0; i < springs_.size(); ++i) all.push_back(springs_.at(i, t, side_at(t), moving_));
  return all;
}

// At the deepest point the bodies recede if the weaker force still drives them apart, and rest if
// it does not. Points that are deepest at the same instant are let go together: of a block that
// lands flat, one corner with the weaker force would not recede while the others push.
void ClusterSystem::release_springs(const std::vector<int>& deepest, double t,
                                    const ode::Vector& y) {
  for (const int i : deepest) springs_.turn(i, t, SpringPhase::unloading);
  evaluate_forces(t, side_at(t), y);
  std::vector<impulse::Twist> accelerations(moving_.size());
  for (int slot = 0; slot < body_count(); ++slot)
    accelerations[slot] = {
        wrenches_[slot].force / mass(slot).mass,
        body::angular_acceleration(mass(slot), moving_[slot].state.attitude,
                                   moving_[slot].state.angular_momentum, wrenches_[slot].torque)};
  for (const int i : deepest) {
    const ContactSprings::Now now = springs_.at(i, t, side_at(t), moving_);
    if (!(springs_.gap_acceleration(i, now, t, side_at(t), accelerations) > 0))
      springs_.turn(i, t, SpringPhase::resting);
  }
}

// Where bodies stop receding they rest. Bodies at rest approach or recede once they do so faster
// than they creep.
void ClusterSystem::turn_spring(int i, double t, const ode::Vector& y) {
  const std::vector<ContactSprings::Now> now = springs_now(t, y);
  switch (springs_.phase_at(i, t)) {
    case SpringPhase::resting:
      return springs_.turn(
          i, t, now[i].contact.row.rate > 0 ? SpringPhase::unloading : SpringPhase::loading);
    case SpringPhase::unloading:
      return springs_.turn(i, t, SpringPhase::resting);
    case SpringPhase::loading:
      break;
  }
  std::vector<int> deepest;
  for (int k = 0; k < springs_.size(); ++k)
    if (k == i ||
        (springs_.phase_at(k, t) == SpringPhase::loading && now[k].contact.row.value < 0 &&
         std::abs(now[k].contact.row.rate) <= springs_.zero_rate()))
      deepest.push_back(k);
  release_springs(deepest, t, y);
}

}  // namespace abut::integrate
