#pragma once
// The bodies of a contact event while it is settled: where they are, how they move, and the rows of
// what touches and joins them.

#include <vector>

#include "force/slip.h"
#include "impulse/impact.h"
#include "loop/contact_event.h"

namespace abut::loop {

/// Rates that count as zero at least, m/s: solving the rows leaves no more. A gap that opens as
/// slowly would take a second to become half as wide again.
inline constexpr double least_rate = 1e-10;

class EventBodies {
 public:
  EventBodies(const model::Model& model, const integrate::Scripts& scripts,
              const ContactEvent& contact_event);

  const model::Model& model() const { return model_; }
  const ContactEvent& contact_event() const { return contact_event_; }
  const impulse::ConstraintSet& set() const { return set_; }
  const std::vector<body::RigidState>& states() const { return states_; }

  /// Finds the rows as the bodies are now, for all that follows. The rates of places that hover
  /// are told as slower by what is allowed them.
  void observe();
  const impulse::RowsNow& rows() const { return rows_; }
  const impulse::RowSystem& system() const { return system_; }
  /// The system with the forces of some contacts leaning against their slip, as observed.
  impulse::RowSystem system_leaning(const std::vector<bool>& sliding) const;
  impulse::BodiesNow now() const { return {motions_, supports_}; }
  impulse::Vector rates() const { return impulse::rates_of(system_); }
  /// Rates that count as zero, m/s.
  double rate_tolerance() const;

  /// Moves the bodies by the shifts that multipliers of the rows make.
  void shift(const impulse::Vector& multipliers);
  /// Changes velocities by impulses of the rows.
  void apply(const impulse::Vector& impulses);
  void strike(const impulse::OutsideImpulse& outside);
  void restore(std::vector<body::RigidState> states) { states_ = std::move(states); }
  void set_state(BodyIndex body, const body::RigidState& state) { states_[slot_of(body)] = state; }

  double kinetic_energy() const;
  /// Of the points that impulses act on.
  std::vector<Vec3> velocities_at_outside_impulses() const;
  int slot_of(BodyIndex body) const;
  std::vector<body::RigidState> states_of(const std::vector<BodyIndex>& bodies) const;

 private:
  const body::Mass& mass(std::size_t slot) const {
    return model_.bodies[contact_event_.bodies[slot]].mass;
  }

  const model::Model& model_;
  const ContactEvent& contact_event_;
  std::vector<body::RigidState> states_;
  impulse::ConstraintSet set_;
  std::vector<impulse::Support> supports_;
  std::vector<body::RigidMotion> motions_;
  std::vector<impulse::Inertia> inertias_;
  impulse::RowsNow rows_;
  impulse::RowSystem system_;
};

/// The slip of a contact with friction, of the bodies as observed.
force::Slip slip_at(const EventBodies& bodies, int contact);

}  // namespace abut::loop
