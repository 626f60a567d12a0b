#include "loop/event_bodies.h"

#include <algorithm>

#include "math/rotation.h"

namespace abut::loop {
namespace {

// Rates that count as zero: relative to the fastest body of the contact event (dimensionless), and
// at least this, m/s. Solving the rows leaves no more. A gap that opens as slowly would take a
// second to become half as wide again.
constexpr double rate_rounding = 1e-11;

}  // namespace

EventBodies::EventBodies(const model::Model& model, const integrate::Scripts& scripts,
                         const ContactEvent& contact_event)
    : model_(model),
      contact_event_(contact_event),
      states_(contact_event.states),
      set_(model, contact_event.bodies, contact_event.active.contacts, contact_event.active.limits,
           contact_event.active.motors, contact_event.joints) {
  for (const BodyIndex body : set_.supports())
    supports_.push_back(integrate::prescribed_support(model, scripts, body, contact_event.time,
                                                      motion::Side::after));
}

void EventBodies::observe() {
  motions_.clear();
  inertias_.clear();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const body::RigidState& s = states_[i];
    motions_.push_back({{s.centre, s.attitude},
                        s.velocity,
                        body::angular_velocity(mass(i), s.attitude, s.angular_momentum)});
    inertias_.push_back(impulse::Inertia::of(mass(i), s.attitude));
  }
  rows_ = set_.evaluate(now());
  system_ = impulse::RowSystem(rows_.rows, inertias_);
}

impulse::RowSystem EventBodies::system_leaning(const std::vector<bool>& sliding) const {
  std::vector<impulse::SystemRow> rows = rows_.rows;
  for (int i = 0; i < set_.contact_count(); ++i)
    if (sliding[i])
      force::lean(rows[i], &rows[set_.tangent_of(i)], slip_at(*this, i).velocity.normalized(),
                  set_.contacts()[i].friction.dynamic_coefficient);
  return {std::move(rows), inertias_};
}

double EventBodies::rate_tolerance() const {
  double fastest = 0;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const double radius = model_.bodies[contact_event_.bodies[i]].bounding_radius;
    fastest = std::max(fastest,
                       motions_[i].velocity.norm() + radius * motions_[i].angular_velocity.norm());
  }
  return std::max(least_rate, rate_rounding * fastest);
}

void EventBodies::shift(const impulse::Vector& multipliers) {
  const std::vector<impulse::Twist> shifts = system_.response(multipliers);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].centre += shifts[i].linear;
    states_[i].attitude =
        (math::rotation_exp(shifts[i].angular) * states_[i].attitude).normalized();
  }
}

void EventBodies::apply(const impulse::Vector& impulses) {
  for (int i = 0; i < system_.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = system_[i].slots[side];
      if (slot == impulse::immovable) continue;
      const body::RowSide& on = system_[i].row.sides[side];
      states_[slot].velocity += impulses[i] / mass(slot).mass * on.linear;
      states_[slot].angular_momentum += impulses[i] * on.angular;
    }
}

void EventBodies::strike(const impulse::OutsideImpulse& outside) {
  const int slot = slot_of(outside.body);
  states_[slot].velocity += outside.impulse / mass(slot).mass;
  states_[slot].angular_momentum += (outside.at - states_[slot].centre).cross(outside.impulse);
}

double EventBodies::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) sum += body::kinetic_energy(mass(i), states_[i]);
  return sum;
}

std::vector<Vec3> EventBodies::velocities_at_outside_impulses() const {
  std::vector<Vec3> velocities;
  for (const impulse::OutsideImpulse& outside : contact_event_.outside_impulses) {
    const int slot = slot_of(outside.body);
    const body::RigidState& s = states_[slot];
    velocities.push_back(s.velocity +
                         body::angular_velocity(mass(slot), s.attitude, s.angular_momentum)
                             .cross(outside.at - s.centre));
  }
  return velocities;
}

int EventBodies::slot_of(BodyIndex body) const {
  return static_cast<int>(
      std::lower_bound(contact_event_.bodies.begin(), contact_event_.bodies.end(), body) -
      contact_event_.bodies.begin());
}

std::vector<body::RigidState> EventBodies::states_of(const std::vector<BodyIndex>& bodies) const {
  std::vector<body::RigidState> states;
  states.reserve(bodies.size());
  for (const BodyIndex body : bodies) states.push_back(states_[slot_of(body)]);
  return states;
}

force::Slip slip_at(const EventBodies& bodies, int contact) {
  const impulse::ConstraintSet& set = bodies.set();
  return force::slip_of(set, bodies.now(), contact, &bodies.rows().rows[set.tangent_of(contact)]);
}

}  // namespace abut::loop
