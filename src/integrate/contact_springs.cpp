#include "integrate/contact_springs.h"

#include <algorithm>

namespace abut::integrate {

using force::SpringPhase;

ContactSprings::ContactSprings(const model::Model& model, const Scripts& scripts,
                               const Island& island)
    : model_(&model), scripts_(&scripts), creep_(model.penalty.creep) {
  for (const force::ContactSpring& spring : island.springs)
    springs_.push_back({spring, PlacedContact(spring.contact, island), {}});
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

std::array<body::RigidMotion, 2> ContactSprings::motions(
    const Placed& placed, double t, motion::Side side,
    const std::vector<MovingBody>& bodies) const {
  return placed.placed.motions(*model_, *scripts_, t, side, bodies);
}

ContactSprings::Now ContactSprings::at(int i, double t, motion::Side side,
                                       const std::vector<MovingBody>& bodies) const {
  const Placed& placed = springs_[i];
  const auto ends = motions(placed, t, side, bodies);
  Now now;
  now.contact = contact::evaluate(placed.spring.contact, ends[0], ends[1]);
  now.place = contact::place_of(placed.spring.contact, now.contact);
  const Vec3 relative = relative_velocity(ends, now.place);
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

void ContactSprings::add(double t, motion::Side side, const std::vector<MovingBody>& bodies,
                         std::vector<Wrench>& wrenches, Balance& rates) const {
  for (int i = 0; i < size(); ++i) {
    const Now now = at(i, t, side, bodies);
    rates.dissipated += now.force.spent + now.force.rubbed;
    rates.rubbed += now.force.rubbed;
    springs_[i].placed.push(now.force.normal * now.contact.normal + now.force.friction, now.place,
                            motions(springs_[i], t, side, bodies), wrenches, rates);
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
    const impulse::Twist twist =
        placed.placed.yields(end)
            ? accelerations[placed.placed.slot(end)]
            : prescribed_support(*model_, *scripts_, placed.spring.contact.bodies[end], t, side)
                  .acceleration;
    sum += now.contact.row.sides[end](twist.linear, twist.angular);
  }
  return sum;
}

bool ContactSprings::act_on(int slot) const {
  return std::any_of(springs_.begin(), springs_.end(),
                     [slot](const Placed& placed) { return placed.placed.is_on(slot); });
}

}  // namespace abut::integrate
