#include "integrate/contact_springs.h"

#include <algorithm>

namespace abut::integrate {

using force::SpringPhase;

ContactSprings::ContactSprings(const model::Model& model, const Scripts& scripts,
                               const Cluster& cluster)
    : model_(&model), scripts_(&scripts), creep_(model.penalty.creep) {
  for (const force::ContactSpring& spring : cluster.springs) {
    Placed placed{spring, {not_dynamic, not_dynamic}, {}};
    for (int end = 0; end < 2; ++end) {
      const auto at = std::lower_bound(cluster.bodies.begin(), cluster.bodies.end(),
                                       spring.contact.bodies[end]);
      if (at != cluster.bodies.end() && *at == spring.contact.bodies[end])
        placed.slots[end] = static_cast<int>(at - cluster.bodies.begin());
    }
    springs_.push_back(std::move(placed));
  }
}

void ContactSprings::turn(int i, double t, SpringPhase phase) {
  springs_[i].turns.emplace_back(t, phase);
}

SpringPhase ContactSprings::phase_at(int i, double t) const {
  const auto& turns = springs_[i].turns;
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn)
    if (turn->first <= t) return turn->second;
  return springs_[i].spring.phase;
}

impulse::Support ContactSprings::support(const Placed& placed, int end, double t,
                                         motion::Side side) const {
  return prescribed_support(*model_, *scripts_, placed.spring.contact.bodies[end], t, side);
}

body::RigidMotion ContactSprings::motion(const Placed& placed, int end, double t, motion::Side side,
                                         const std::vector<MovingBody>& bodies) const {
  if (placed.slots[end] == not_dynamic) return support(placed, end, t, side).motion;
  const MovingBody& body = bodies[placed.slots[end]];
  return {{body.state.centre, body.state.attitude}, body.state.velocity, body.angular_velocity};
}

ContactSprings::Now ContactSprings::at(int i, double t, motion::Side side,
                                       const std::vector<MovingBody>& bodies) const {
  const Placed& placed = springs_[i];
  const body::RigidMotion a = motion(placed, 0, t, side, bodies);
  const body::RigidMotion b = motion(placed, 1, t, side, bodies);
  Now now;
  now.contact = contact::evaluate(placed.spring.contact, a, b);
  now.place = contact::place_of(placed.spring.contact, now.contact);
  const auto velocity = [&](const body::RigidMotion& body) -> Vec3 {
    return body.velocity + body.angular_velocity.cross(now.place - body.pose.position);
  };
  const Vec3 relative = velocity(a) - velocity(b);
  const Vec3& n = now.contact.normal;
  now.slip = relative - n * n.dot(relative);
  // Only what the law needs: guards and features would have to be allocated.
  force::ContactSpring spring;
  spring.contact.restitution = placed.spring.contact.restitution;
  spring.contact.friction = placed.spring.contact.friction;
  spring.stiffness = placed.spring.stiffness;
  spring.rest_speed = placed.spring.rest_speed;
  spring.phase = phase_at(i, t);
  now.force =
      force::force_of(spring, now.contact.row.value, now.contact.row.rate, now.slip, creep_);
  return now;
}

// The contact does f chi' + friction . slip on all bodies together, chi the gap, of which the
// bodies that do not yield get their part back as work done by them.
void ContactSprings::add(double t, motion::Side side, const std::vector<MovingBody>& bodies,
                         std::vector<Wrench>& wrenches, Balance& rates) const {
  for (int i = 0; i < size(); ++i) {
    const Placed& placed = springs_[i];
    const Now now = at(i, t, side, bodies);
    rates.dissipated += now.force.spent + now.force.rubbed;
    rates.rubbed += now.force.rubbed;
    const Vec3 on_first = now.force.normal * now.contact.normal + now.force.friction;
    const bool internal = placed.slots[0] != not_dynamic && placed.slots[1] != not_dynamic;
    for (int end = 0; end < 2; ++end) {
      const Vec3 force = end == 0 ? on_first : Vec3(-on_first);
      const body::RigidMotion body = motion(placed, end, t, side, bodies);
      const Vec3 arm = now.place - body.pose.position;
      if (placed.slots[end] == not_dynamic) {
        rates.work -= force.dot(body.velocity + body.angular_velocity.cross(arm));
        continue;
      }
      wrenches[placed.slots[end]].force += force;
      wrenches[placed.slots[end]].torque += arm.cross(force);
      if (internal) continue;
      rates.impulse += force;
      rates.angular_impulse += now.place.cross(force);
    }
  }
}

double ContactSprings::elastic_energy(double t, motion::Side side,
                                      const std::vector<MovingBody>& bodies) const {
  double energy = 0;
  for (int i = 0; i < size(); ++i)
    energy += force::energy_of(springs_[i].spring, at(i, t, side, bodies).contact.row.value);
  return energy;
}

void ContactSprings::report(double t, motion::Side side, const std::vector<MovingBody>& bodies,
                            std::vector<ContactState>& contacts) const {
  for (int i = 0; i < size(); ++i) {
    const contact::Contact& contact = springs_[i].spring.contact;
    const Now now = at(i, t, side, bodies);
    ContactState state;
    state.body_a = contact.bodies[0];
    state.body_b = contact.bodies[1];
    state.point = now.place;
    state.normal = now.contact.normal;
    state.gap = now.contact.row.value;
    state.normal_force = now.force.normal;
    state.friction_force = now.force.friction;
    const double creeping = creep_ * std::max(1.0, contact.friction.static_coefficient);
    if (contact.has_friction())
      state.mode = now.slip.norm() <= creeping ? ContactMode::stick : ContactMode::slide;
    contacts.push_back(state);
  }
}

double ContactSprings::gap_acceleration(int i, const Now& now, double t, motion::Side side,
                                        const std::vector<impulse::Twist>& accelerations) const {
  const Placed& placed = springs_[i];
  double sum = now.contact.row.bias;
  for (int end = 0; end < 2; ++end) {
    const impulse::Twist twist = placed.slots[end] == not_dynamic
                                     ? support(placed, end, t, side).acceleration
                                     : accelerations[placed.slots[end]];
    sum += now.contact.row.sides[end](twist.linear, twist.angular);
  }
  return sum;
}

bool ContactSprings::act_on(int slot) const {
  return std::any_of(springs_.begin(), springs_.end(), [slot](const Placed& placed) {
    return placed.slots[0] == slot || placed.slots[1] == slot;
  });
}

}  // namespace abut::integrate
