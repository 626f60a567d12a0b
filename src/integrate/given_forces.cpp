#include "integrate/given_forces.h"

#include <algorithm>

#include "force/slip.h"

namespace abut::integrate {

GivenForces::GivenForces(const model::Model& model, const Scripts& scripts, const Cluster& cluster)
    : model_(&model), scripts_(&scripts) {
  if (!cluster.has_moment()) return;
  for (const contact::Contact& contact : cluster.contacts)
    contacts_.push_back({contact, PlacedContact(contact, cluster)});
}

bool GivenForces::act_on(int slot) const {
  return std::any_of(contacts_.begin(), contacts_.end(),
                     [slot](const Given& given) { return given.placed.is_on(slot); });
}

// What a force does on both bodies together is lost: by slip, or where a gap closes or opens by
// what is left of its rate.
void GivenForces::add(double t, motion::Side side, const std::vector<MovingBody>& bodies,
                      std::vector<Wrench>& wrenches, Balance& rates) const {
  for (const Given& given : contacts_) {
    const auto motions = given.placed.motions(*model_, *scripts_, t, side, bodies);
    const contact::ContactNow now = contact::evaluate(given.contact, motions[0], motions[1]);
    const Vec3 place = contact::place_of(given.contact, now);
    const Vec3& force = given.contact.force_found;
    const Vec3 relative = relative_velocity(motions, place);
    const double normal_power = force.dot(now.normal) * relative.dot(now.normal);
    rates.dissipated -= force.dot(relative);
    rates.rubbed -= force.dot(relative) - normal_power;
    given.placed.push(force, place, motions, wrenches, rates);
  }
}

void GivenForces::report(double t, motion::Side side, const std::vector<MovingBody>& bodies,
                         std::vector<ContactState>& contacts) const {
  for (const Given& given : contacts_) {
    const auto motions = given.placed.motions(*model_, *scripts_, t, side, bodies);
    const contact::ContactNow now = contact::evaluate(given.contact, motions[0], motions[1]);
    const Vec3& force = given.contact.force_found;
    ContactState state;
    state.body_a = given.contact.bodies[0];
    state.body_b = given.contact.bodies[1];
    state.point = contact::place_of(given.contact, now);
    state.normal = now.normal;
    state.gap = now.row.value;
    state.normal_force = std::max(0.0, force.dot(now.normal));
    state.feature_a = contact::recorded_a(given.contact.label);
    state.feature_b = contact::recorded_b(given.contact.label);
    state.unique = false;
    if (given.contact.has_friction()) {
      state.friction_force = force - now.normal * force.dot(now.normal);
      const Vec3 relative = relative_velocity(motions, state.point);
      const Vec3 slip = relative - now.normal * now.normal.dot(relative);
      state.mode = slip.norm() <= force::still_speed ? ContactMode::stick : ContactMode::slide;
    }
    contacts.push_back(state);
  }
}

}  // namespace abut::integrate
