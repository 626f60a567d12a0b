#pragma once
// The equations of motion of an island, as the integrator sees them:
//
//     c' = v            q' = (0, omega) q / 2        omega = R I^-1 R^T L
//     v' = g + F / m    L' = T
//
// with F and T the sums of forces and of torques about the centre of mass. Angular momentum is a
// state of its own, so that without torque it is constant to the last bit.

#include <optional>
#include <vector>

#include "integrate/holding.h"

namespace abut::integrate {

class Equations final : public ode::System {
 public:
  Equations(const model::Model& model, const Scripts& scripts, Island island);
  Equations(const Equations&) = delete;
  Equations& operator=(const Equations&) = delete;

  int dimension() const override { return applied_.dimension(); }
  void derivative(double t, const ode::Vector& y, ode::Vector& rate) override;
  double error_norm(const ode::Vector& y0, const ode::Vector& y1, const ode::Vector& error,
                    double h) const override;
  void project(double t0, const ode::Vector& y0, double t1, ode::Vector& y1) override;

  /// Says that the motion is smooth from the state y at t until `smooth_until`: at that instant the
  /// limits from before are taken. To be called whenever the state was changed from outside. Finds
  /// the rows that carry the forces of contacts and joints.
  void begin_smooth_motion(double t, const ode::Vector& y, double smooth_until);

  AppliedForces& applied() { return applied_; }
  const AppliedForces& applied() const { return applied_; }
  HeldRows& rows() { return rows_; }
  const HeldRows& rows() const { return rows_; }
  Holding& holding() { return holding_; }
  const Holding& holding() const { return holding_; }
  const model::Model& model() const { return applied_.model(); }
  const Island& island() const { return applied_.island(); }
  const impulse::ConstraintSet& constraints() const { return applied_.constraints(); }

 private:
  void restore_energy(int slot, body::RigidState& state) const;

  AppliedForces applied_;
  HeldRows rows_;
  Holding holding_;
  double tolerance_;
  bool touches_curved_ = false;
  /// By slot of a body without torque, constant while the motion is smooth; none: it has torque.
  std::vector<std::optional<double>> rotational_energies_;
};

}  // namespace abut::integrate
