#pragma once
// What acts on the bodies of an island at an instant besides contacts and joints: weight, force
// laws, springs of contacts, motors that push.

#include <vector>

#include "integrate/contact_springs.h"
#include "integrate/forces.h"
#include "ode/system.h"

namespace abut::integrate {

/// The bodies of an island at an instant, by slot, and what acts on them.
struct IslandNow {
  IslandNow(std::size_t bodies, std::size_t supports);

  std::vector<MovingBody> bodies;
  std::vector<Wrench> wrenches;
  std::vector<double> loads;  ///< sizes of the forces in `wrenches`, N
  Balance rates;
  std::vector<body::RigidMotion> motions;
  std::vector<impulse::Support> supports;
  std::vector<impulse::Inertia> inertias;
  std::vector<impulse::Twist> free;  ///< accelerations without contacts and joints

  impulse::BodiesNow placed() const { return {motions, supports}; }
  impulse::RowSystem system(std::vector<impulse::SystemRow> rows) const {
    return {std::move(rows), inertias};
  }
  /// The force of a row, whose ends are at places of impulse::ConstraintSet.
  void push(const std::array<body::RowSide, 2>& sides, const std::array<int, 2>& places,
            double force);
};

class AppliedForces {
 public:
  AppliedForces(const model::Model& model, const Scripts& scripts, Island island);

  const model::Model& model() const { return *model_; }
  const Island& island() const { return island_; }
  impulse::ConstraintSet& constraints() { return constraints_; }
  const impulse::ConstraintSet& constraints() const { return constraints_; }
  ContactSprings& springs() { return springs_; }
  const ContactSprings& springs() const { return springs_; }
  int body_count() const { return static_cast<int>(bodies_.size()); }
  const model::Body& body(int slot) const { return *bodies_[slot]; }
  const body::Mass& mass(int slot) const { return bodies_[slot]->mass; }
  /// Whether no force laws of the scene act.
  bool has_no_laws() const { return laws_.empty(); }
  /// False only if the torque on the body is exactly zero whatever its state.
  bool exert_torque_on(int slot) const;
  /// The gap that a contact is kept at, m.
  double kept_gap(int contact) const;
  /// What the motor at a joint of the island gives, if it pushes.
  double push_at(int joint) const;
  /// What prescribes the motion of a body, or of the world; null: nothing.
  const motion::ScriptMotion* script(BodyIndex body) const;
  /// The motion frame of a body that does not yield.
  Pose support_pose(BodyIndex body, double t) const;

  /// The vector of the given states, by slot, with an empty balance.
  ode::Vector state_vector(const std::vector<body::RigidState>& states) const;
  int dimension() const;
  bool keeps_balance() const;
  /// The running balance in y; zero where none is kept.
  Balance balance(const ode::Vector& y) const;

  /// No point of a body is faster than this, m/s.
  double fastest(const ode::Vector& y) const;

  /// The motion is smooth until then: at that instant limits are taken from before.
  void set_smooth_until(double t) { smooth_until_ = t; }
  motion::Side side_at(double t) const {
    return t < smooth_until_ ? motion::Side::after : motion::Side::before;
  }

  /// Only where bodies are, and how they move.
  const IslandNow& observe(const ode::Vector& y);
  IslandNow& evaluate(double t, motion::Side side, const ode::Vector& y);
  IslandNow& evaluate(double t, const ode::Vector& y) { return evaluate(t, side_at(t), y); }
  /// As evaluated last.
  IslandNow& now() { return now_; }
  const IslandNow& now() const { return now_; }
  double elastic_energy(double t, motion::Side side) const;
  double potential_energy() const;

 private:
  void push(const impulse::MotorDrive& motor);
  double force_of(const impulse::MotorDrive& motor) const;

  const model::Model* model_;
  const Scripts* scripts_;
  Island island_;
  ForceLaws laws_;
  ContactSprings springs_;
  impulse::ConstraintSet constraints_;
  std::vector<const model::Body*> bodies_;
  double smooth_until_ = 0;
  IslandNow now_;
};

}  // namespace abut::integrate
