#pragma once
// The equations of motion of a cluster, as the integrator sees them:
//
//     c' = v            q' = (0, omega) q / 2        omega = R I^-1 R^T L
//     v' = g + F / m    L' = T
//
// with F and T the sums of forces and of torques about the centre of mass. Angular momentum is a
// state of its own, so that without torque it is constant to the last bit.

#include <vector>

#include "integrate/forces.h"
#include "ode/system.h"

namespace abut::integrate {

class ClusterSystem final : public ode::System {
 public:
  ClusterSystem(const model::Model& model, const Scripts& scripts, Cluster cluster);

  int dimension() const override;
  void derivative(double t, const ode::Vector& y, ode::Vector& rate) override;
  double error_norm(const ode::Vector& y0, const ode::Vector& y1, const ode::Vector& error,
                    double h) const override;
  void project(const ode::Vector& y0, ode::Vector& y1) override;

  /// Says that the motion is smooth from the state y until `smooth_until`: at that instant the
  /// limits from before are taken. To be called whenever the state was changed from outside.
  void begin_smooth_motion(const ode::Vector& y, double smooth_until);

  const Cluster& cluster() const { return cluster_; }
  int body_count() const { return static_cast<int>(cluster_.bodies.size()); }
  const body::Mass& mass(int slot) const { return slots_[slot].body->mass; }
  bool keeps_balance() const { return !laws_.empty(); }

  ode::Vector initial_state() const;

  /// The running balance in y; zero where none is kept.
  Balance balance(const ode::Vector& y) const;
  /// Kinetic, potential and elastic energy; the book's other columns stay zero.
  Energy energy(double t, motion::Side side, const ode::Vector& y);
  /// Writes what is recorded of the cluster's bodies to their places in `bodies` (model order).
  void write_states(double t, motion::Side side, const ode::Vector& y,
                    std::vector<BodyState>& bodies);
  Momentum momentum(const ode::Vector& y) const;

 private:
  struct Slot {
    const model::Body* body = nullptr;
    bool torque_free = false;
    double rotational_energy = 0;  // of a torque-free body, constant while the motion is smooth
  };

  void restore_energy(const Slot& slot, body::RigidState& state) const;
  void observe(const ode::Vector& y);
  void evaluate_forces(double t, motion::Side side, const ode::Vector& y);

  Vec3 gravity_;
  double tolerance_;
  Cluster cluster_;
  ForceLaws laws_;
  std::vector<Slot> slots_;
  double smooth_until_ = 0;

  // Scratch of the last evaluation.
  std::vector<MovingBody> moving_;
  std::vector<Wrench> wrenches_;
  Balance rates_;
};

}  // namespace abut::integrate
