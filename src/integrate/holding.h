#pragma once
// What integration errors leave of the values and rates of rows that are held is projected away
// after each step, in the mass metric.

#include <vector>

#include "integrate/held_rows.h"

namespace abut::integrate {

class Holding {
 public:
  Holding(AppliedForces& applied, HeldRows& rows) : applied_(applied), rows_(rows) {}

  /// Of the end of a step that began with y0.
  void project(double t0, const ode::Vector& y0, double t1, ode::Vector& y1);
  /// The fastest rate of a held contact that the last projection took away, m/s.
  double rate_removed() const { return rate_removed_; }
  /// Takes from the state what rows that are held here have of rates: contact events leave them
  /// what counts as none, and the end of the first step would tell it from rest. What the joints
  /// transmit for that, as impulses, if any rate is larger than `least` (m/s or rad/s).
  std::vector<JointState> hold_rates(double t, ode::Vector& y, double least);

 private:
  /// The rates that are taken out, and the impulses that do it, by row of the basis.
  struct Halted {
    impulse::Vector rates, impulses;
  };
  void project_positions(double t1, ode::Vector& y1);
  Halted project_velocities(double t1, ode::Vector& y1);
  std::vector<JointState> joint_impulses(const Halted& halted, double least) const;
  /// The rows that are held, with the lean of contacts that slide.
  std::vector<impulse::SystemRow> rows_at(double t, const ode::Vector& y);
  void carry_places_over(double t0, const ode::Vector& y0, double t1, ode::Vector& y1);
  void take_impulses(const impulse::RowSystem& pushes, const impulse::Vector& impulses,
                     ode::Vector& y);

  AppliedForces& applied_;
  HeldRows& rows_;
  impulse::RowSolver placing_solver_;
  double rate_removed_ = 0;
};

}  // namespace abut::integrate
