#pragma once
// An island with its own clock: the stretch of motion that is being looked at, and the means to
// extend it.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "integrate/integration.h"
#include "integrate/spring_events.h"
#include "motion/path.h"

namespace abut::integrate {

/// Where an island begins its path.
struct PathStart {
  double time = 0;
  std::vector<body::RigidState> states;  ///< by slot
  Balance carried;                       ///< what came in before
  Coordinates coordinates;               ///< of the island's joints
};

/// As the model says, at time 0.
PathStart start_of(const model::Model& model, const Island& island);

/// What a frame tells of an island, but for the states of its bodies.
struct Snapshot {
  Energy energy;
  Momentum momentum;
  Balance balance;  ///< all energy and momentum that came in since time 0
  std::vector<ContactState> contacts;
  std::vector<JointState> joints;
};

class IslandPath {
 public:
  /// `switches`: the times, ascending, at which something acts on the island that is not smooth.
  /// The path is extended no further than `end`.
  IslandPath(const model::Model& model, const Scripts& scripts, Island island,
             const PathStart& start, std::vector<double> switches, double end);

  /// Extends the path until it covers `t`, step by step, or until an event of its own ends it.
  /// Ends early when as many steps are kept as may be: then some have to be forgotten before it
  /// goes on. Where the motion cannot be continued that is an event too: bodies may meet before it
  /// comes to that.
  void cover(double t, ode::Workspace& workspace);

  /// What ended the path, if something did: at end_time().
  const std::optional<PathEvent>& event() const { return integration_.event(); }
  /// Why the motion cannot be continued, where the event says that it cannot.
  const std::string& failure() const { return integration_.failure(); }

  /// Whether as many steps are kept as may be.
  bool is_full() const;
  bool is_too_stiff() const { return integration_.is_too_stiff(); }
  /// Drops the steps that end at `t` or before.
  void forget_before(double t);

  /// Of a time within the steps that are kept. The states go where their bodies are in `bodies`.
  void take_snapshot(double t, motion::Side side, std::vector<BodyState>& bodies,
                     Snapshot& snapshot);
  /// Only the energies of that. Where only gravity acts the state is not asked for, but where the
  /// path began: what happens elsewhere costs a body in flight next to nothing.
  Energy energy(double t, motion::Side side);
  /// All energy and momentum that came in since time 0.
  Balance balance(double t);

  /// The steps that are kept, and the path of one body over each, for collision detection.
  int step_count() const { return static_cast<int>(pieces_.size()); }
  motion::BodyPath body_path(BodyIndex body, int step) const;

  /// Of a time within the steps that are kept, brought back exactly onto contacts and joints.
  body::RigidState state_of(BodyIndex body, double t);
  Coordinates coordinates(double t);
  /// Whether a fixed or scripted body is tied to the island by a contact or joint.
  bool depends_on(BodyIndex support) const;
  /// The same, or by a force of the scene.
  bool is_tied_to(BodyIndex support) const;
  /// Whether nothing moves from one time to another, within the steps that are kept.
  bool rests(double from, double to) const;
  /// False where something acts on the island that is not smooth: there both sides count.
  bool is_smooth_at(double t) const { return integration_.is_smooth_at(t); }
  double begin_time() const { return begin_; }
  const force::ContactForces& first_forces() const { return equations_.rows().found(); }
  /// What friction does at the contacts, at the end of the path.
  const std::vector<force::ContactMode>& modes() const { return equations_.rows().modes().all(); }

  /// The springs of its contacts, in their phases at t.
  std::vector<force::ContactSpring> springs(double t) const;
  /// The smallest gap of a spring from the last time that was asked for on, up to t, m; infinite
  /// without any.
  double least_spring_gap(double t);

  /// Pairs of bodies whose contacts were held before t without proof that they kept their gaps.
  /// What comes after is not going to happen where a path ends there.
  std::set<std::pair<BodyIndex, BodyIndex>> unproven(double t) const;

  double end_time() const { return integration_.cursor().t; }
  const Island& island() const { return equations_.island(); }
  const ode::StepStatistics& statistics() const { return integration_.statistics(); }

 private:
  // Of bodies on which only gravity acts, s seconds after the path began: the kinetic energy is
  // kinetic + rate s + growth s^2, and the potential energy less by what it gained.
  struct Fall {
    double kinetic = 0, potential = 0;  // J
    double rate = 0;                    // W
    double growth = 0;                  // W/s
  };

  const ode::Piece* piece_at(double t) const;
  const ode::Vector& state_at(double t);
  Fall fall() const;
  Energy energy_of(double t, motion::Side side, const ode::Vector& y);
  Balance balance_of(double t, const ode::Vector& y) const;
  Balance fallen(double t) const;
  int slot_of(BodyIndex body) const;

  Equations equations_;
  std::vector<ode::Piece> pieces_;
  Integration integration_;
  double begin_;
  std::vector<body::RigidState> first_;  // where the path began, by slot
  Fall fall_;                            // from there
  Balance carried_;                      // what came in before this path
  double gaps_known_until_;              // of springs
  double known_time_ = -1;               // of the state in known_
  ode::Vector known_;
};

}  // namespace abut::integrate
