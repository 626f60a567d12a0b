#pragma once
// The springs of an island's contacts (force/contact_spring.h) as forces on its bodies.

#include <utility>
#include <vector>

#include "abut/types.h"
#include "force/contact_spring.h"
#include "integrate/placed_contact.h"

namespace abut::integrate {

class ContactSprings {
 public:
  ContactSprings(const model::Model& model, const Scripts& scripts, const Island& island);

  bool empty() const { return springs_.empty(); }
  int size() const { return static_cast<int>(springs_.size()); }
  const force::ContactSpring& operator[](int i) const { return springs_[i].spring; }
  /// A spring changes its phase at t. Phases are remembered, so that forces can be told of times
  /// before.
  void turn(int i, double t, force::SpringPhase phase);
  force::SpringPhase phase_at(int i, double t) const;

  /// A spring at an instant. The bodies are those of the island, by slot.
  struct Now {
    contact::ContactNow contact;
    Vec3 place = Vec3::Zero();  ///< where the forces act: halfway between the surfaces
    Vec3 slip = Vec3::Zero();   ///< of the first body against the second there, across the normal
    force::SpringForce force;
  };
  Now at(int i, double t, motion::Side side, const std::vector<MovingBody>& bodies) const;

  /// Adds what the springs do: to the wrenches, by slot, and to the rates of the balance.
  void add(double t, motion::Side side, const std::vector<MovingBody>& bodies,
           std::vector<Wrench>& wrenches, Balance& rates) const;
  double elastic_energy(double t, motion::Side side, const std::vector<MovingBody>& bodies) const;
  void report(double t, motion::Side side, const std::vector<MovingBody>& bodies,
              std::vector<ContactState>& contacts) const;
  /// The second derivative of a spring's gap, given the accelerations of the bodies, by slot;
  /// supports are taken at their own.
  double gap_acceleration(int i, const Now& now, double t, motion::Side side,
                          const std::vector<impulse::Twist>& accelerations) const;
  /// Rates of gaps that count as zero where a phase ends or begins, m/s.
  double zero_rate() const { return rate_rounding * creep_; }
  /// Whether a spring acts on the body in the slot.
  bool act_on(int slot) const;

 private:
  // As a fraction of the creep speed (dimensionless): far more than rounding leaves of the rates of
  // points that come to rest together, far less than anything that creeps.
  static constexpr double rate_rounding = 1e-6;

  struct Placed {
    force::ContactSpring spring;
    PlacedContact placed;
    std::vector<std::pair<double, force::SpringPhase>> turns;  // by time
  };

  std::array<body::RigidMotion, 2> motions(const Placed& placed, double t, motion::Side side,
                                           const std::vector<MovingBody>& bodies) const;

  const model::Model* model_;
  const Scripts* scripts_;
  double creep_;
  std::vector<Placed> springs_;
};

}  // namespace abut::integrate
