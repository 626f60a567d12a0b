#include "loop/meeting_bodies.h"

#include <algorithm>

#include "math/rotation.h"

namespace abut::loop {
namespace {

// Rates that count as zero: relative to the fastest body of the meeting (dimensionless), and at
// least this, m/s. Solving the rows leaves no more. A gap that opens as slowly would take a
// second to become half as wide again.
constexpr double rate_rounding = 1e-11;

}  // namespace

MeetingBodies::MeetingBodies(const model::Model& model, const integrate::Scripts& scripts,
                             const Meeting& meeting)
    : model_(model),
      meeting_(meeting),
      states_(meeting.states),
      set_(model, meeting.bodies, meeting.bonds.contacts, meeting.bonds.limits,
           meeting.bonds.motors, meeting.joints) {
  for (const BodyIndex body : set_.supports())
    supports_.push_back(
        integrate::prescribed_support(model, scripts, body, meeting.time, motion::Side::after));
}

void MeetingBodies::observe() {
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

impulse::RowSystem MeetingBodies::system_leaning(const std::vector<bool>& sliding) const {
  std::vector<impulse::SystemRow> rows = rows_.rows;
  for (int i = 0; i < set_.contact_count(); ++i)
    if (sliding[i])
      force::lean(rows[i], &rows[set_.tangent_of(i)], slip_at(*this, i).velocity.normalized(),
                  set_.contacts()[i].friction.dynamic_coefficient);
  return {std::move(rows), inertias_};
}

double MeetingBodies::rate_tolerance() const {
  double fastest = 0;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const double radius = model_.bodies[meeting_.bodies[i]].bounding_radius;
    fastest = std::max(fastest,
                       motions_[i].velocity.norm() + radius * motions_[i].angular_velocity.norm());
  }
  return std::max(least_rate, rate_rounding * fastest);
}

void MeetingBodies::shift(const impulse::Vector& multipliers) {
  const std::vector<impulse::Twist> shifts = system_.response(multipliers);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].centre += shifts[i].linear;
    states_[i].attitude =
        (math::rotation_exp(shifts[i].angular) * states_[i].attitude).normalized();
  }
}

void MeetingBodies::apply(const impulse::Vector& impulses) {
  for (int i = 0; i < system_.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = system_[i].slots[side];
      if (slot == impulse::immovable) continue;
      const body::RowSide& on = system_[i].row.sides[side];
      states_[slot].velocity += impulses[i] / mass(slot).mass * on.linear;
      states_[slot].angular_momentum += impulses[i] * on.angular;
    }
}

void MeetingBodies::strike(const Blow& blow) {
  const int slot = slot_of(blow.body);
  states_[slot].velocity += blow.impulse / mass(slot).mass;
  states_[slot].angular_momentum += (blow.at - states_[slot].centre).cross(blow.impulse);
}

double MeetingBodies::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) sum += body::kinetic_energy(mass(i), states_[i]);
  return sum;
}

std::vector<Vec3> MeetingBodies::velocities_at_blows() const {
  std::vector<Vec3> velocities;
  for (const Blow& blow : meeting_.blows) {
    const int slot = slot_of(blow.body);
    const body::RigidState& s = states_[slot];
    velocities.push_back(s.velocity +
                         body::angular_velocity(mass(slot), s.attitude, s.angular_momentum)
                             .cross(blow.at - s.centre));
  }
  return velocities;
}

int MeetingBodies::slot_of(BodyIndex body) const {
  return static_cast<int>(std::lower_bound(meeting_.bodies.begin(), meeting_.bodies.end(), body) -
                          meeting_.bodies.begin());
}

std::vector<body::RigidState> MeetingBodies::states_of(const std::vector<BodyIndex>& bodies) const {
  std::vector<body::RigidState> states;
  states.reserve(bodies.size());
  for (const BodyIndex body : bodies) states.push_back(states_[slot_of(body)]);
  return states;
}

force::Slip slip_at(const MeetingBodies& bodies, int contact) {
  const impulse::ConstraintSet& set = bodies.set();
  return force::slip_of(set, bodies.now(), contact, &bodies.rows().rows[set.tangent_of(contact)]);
}

}  // namespace abut::loop
