#pragma once
// The quantities whose passing through zero ends the smooth motion of an island from within
// (integrate/path_events.h says which events these are).

#include <vector>

#include "integrate/path_events.h"

namespace abut::integrate {

/// A force is zero, or at the end of what it can be, up to this fraction of the largest force in
/// the island (dimensionless): the accuracy of the solver of the rows on badly conditioned
/// islands. So are the speeds of motors that these forces keep.
inline constexpr double force_rounding = 1e-10;

/// A quantity that must not fall below zero by more than the tolerance.
struct Signal {
  double value = 0;
  double tolerance = 0;
  PathEvent event;

  bool is_fallen() const { return value < -tolerance; }
  /// Zero halfway to the tolerance: where the event is located, so that it is neither too early to
  /// be seen as one nor found again at the end of the piece that is cut there.
  double located() const { return value + 0.5 * tolerance; }
};

/// By how much a contact is kept higher than at the rest gap, m.
double rise_of(const contact::Contact& contact, const model::SolverSettings& solver);

/// All that is watched of an island whose rows are held as they are.
class Signals {
 public:
  /// `coordinates` are those of its joints where the piece begins.
  Signals(Equations& equations, const Coordinates& coordinates);

  /// Whether anything could happen at all: not to joints that only hold.
  bool any() const;

  /// In the same order at every instant.
  std::vector<Signal> at(double t, const ode::Vector& y);
  /// The signal of an event that shows without the forces of the island: slip that stops, a
  /// contact that leaves its features.
  std::optional<Signal> without_forces(const PathEvent& event, double t, const ode::Vector& y);

 private:
  static Signal end_of_slip(const force::ContactMode& mode, const force::Slip& slip);
  void add(double value, double tolerance, PathEventKind kind, int index, bool is_upper = false);
  void add_friction(const HeldNow& held);
  void add_guided(int i, const HeldNow& held);
  void add_contacts(const HeldNow& held);
  void add_joint(int j, const HeldNow& held);
  void add_limits(int j);
  void add_breaks(int j, const HeldNow& held);
  double largest_free_acceleration() const;
  body::ConstraintRow coordinate(int joint) const;

  Equations& equations_;
  const impulse::ConstraintSet& set_;
  const model::Model& model_;
  const Coordinates& coordinates_;
  double largest_force_ = 0;
  std::vector<bool> carries_;
  std::vector<Signal> signals_;
};

}  // namespace abut::integrate
