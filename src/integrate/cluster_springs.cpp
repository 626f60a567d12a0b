// What a cluster's springs ask of its motion.

#include "integrate/cluster_system.h"

namespace abut::integrate {

using force::SpringPhase;

ContactSprings::Now ClusterSystem::spring(int i, double t, const ode::Vector& y) {
  observe(y);
  return springs_.at(i, t, side_at(t), moving_);
}

// Of the gap, under all forces.
double ClusterSystem::spring_acceleration(int i, double t, const ode::Vector& y) {
  evaluate_forces(t, side_at(t), y);
  std::vector<impulse::Twist> accelerations(moving_.size());
  for (int slot = 0; slot < body_count(); ++slot)
    accelerations[slot] = {
        wrenches_[slot].force / mass(slot).mass,
        body::angular_acceleration(mass(slot), moving_[slot].state.attitude,
                                   moving_[slot].state.angular_momentum, wrenches_[slot].torque)};
  const ContactSprings::Now now = springs_.at(i, t, side_at(t), moving_);
  return springs_.gap_acceleration(i, now, t, side_at(t), accelerations);
}

// At the deepest point the bodies recede if the weaker force still drives them apart, and rest if
// it does not. Where they stop receding they rest. Bodies at rest approach or recede once they do
// so faster than they creep.
void ClusterSystem::turn_spring(int i, double t, const ode::Vector& y) {
  const SpringPhase before = springs_.phase_at(i, t);
  if (before == SpringPhase::resting) {
    const bool recedes = spring(i, t, y).contact.row.rate > 0;
    springs_.turn(i, t, recedes ? SpringPhase::unloading : SpringPhase::loading);
    return;
  }
  if (before == SpringPhase::loading) {
    springs_.turn(i, t, SpringPhase::unloading);
    if (spring_acceleration(i, t, y) > 0) return;
  }
  springs_.turn(i, t, SpringPhase::resting);
}

}  // namespace abut::integrate
