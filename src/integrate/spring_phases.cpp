#include "integrate/spring_phases.h"

#include <cmath>

namespace abut::integrate {

using force::SpringPhase;

ContactSprings::Now spring_at(Equations& equations, int i, double t, const ode::Vector& y) {
  AppliedForces& applied = equations.applied();
  return applied.springs().at(i, t, applied.side_at(t), applied.observe(y).bodies);
}

std::vector<ContactSprings::Now> springs_at(Equations& equations, double t, const ode::Vector& y) {
  AppliedForces& applied = equations.applied();
  const IslandNow& now = applied.observe(y);
  std::vector<ContactSprings::Now> all;
  all.reserve(applied.springs().size());
  for (int i = 0; i < applied.springs().size(); ++i)
    all.push_back(applied.springs().at(i, t, applied.side_at(t), now.bodies));
  return all;
}

namespace {

// At the deepest point the bodies recede if the weaker force still drives them apart, and rest if
// it does not. Points that are deepest at the same instant are let go together: of a block that
// lands flat, one corner with the weaker force would not recede while the others push.
void release(Equations& equations, const std::vector<int>& deepest, double t,
             const ode::Vector& y) {
  AppliedForces& applied = equations.applied();
  ContactSprings& springs = applied.springs();
  const motion::Side side = applied.side_at(t);
  for (const int i : deepest) springs.turn(i, t, SpringPhase::unloading);
  const IslandNow& now = equations.rows().evaluate(t, side, y);
  std::vector<impulse::Twist> accelerations(now.bodies.size());
  for (int slot = 0; slot < applied.body_count(); ++slot) {
    const body::RigidState& state = now.bodies[slot].state;
    accelerations[slot] = {
        now.wrenches[slot].force / applied.mass(slot).mass,
        body::angular_acceleration(applied.mass(slot), state.attitude, state.angular_momentum,
                                   now.wrenches[slot].torque)};
  }
  for (const int i : deepest) {
    const ContactSprings::Now spring = springs.at(i, t, side, now.bodies);
    if (!(springs.gap_acceleration(i, spring, t, side, accelerations) > 0))
      springs.turn(i, t, SpringPhase::resting);
  }
}

}  // namespace

// Where bodies stop receding they rest. Bodies at rest approach or recede once they do so faster
// than they creep.
void turn_spring(Equations& equations, int i, double t, const ode::Vector& y) {
  ContactSprings& springs = equations.applied().springs();
  const std::vector<ContactSprings::Now> now = springs_at(equations, t, y);
  switch (springs.phase_at(i, t)) {
    case SpringPhase::resting:
      return springs.turn(
          i, t, now[i].contact.row.rate > 0 ? SpringPhase::unloading : SpringPhase::loading);
    case SpringPhase::unloading:
      return springs.turn(i, t, SpringPhase::resting);
    case SpringPhase::loading:
      break;
  }
  std::vector<int> deepest;
  for (int k = 0; k < springs.size(); ++k)
    if (k == i || (springs.phase_at(k, t) == SpringPhase::loading && now[k].contact.row.value < 0 &&
                   std::abs(now[k].contact.row.rate) <= springs.zero_rate()))
      deepest.push_back(k);
  release(equations, deepest, t, y);
}

}  // namespace abut::integrate
