#pragma once
// A cluster with its own clock: the stretch of motion that is being looked at, and the means to
// extend it.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "integrate/held_gaps.h"
#include "integrate/path_events.h"
#include "integrate/spring_events.h"
#include "motion/path.h"
#include "ode/dormand_prince_853.h"

namespace abut::integrate {

/// Where a cluster begins its path.
struct PathStart {
  double time = 0;
  std::vector<body::RigidState> states;  ///< by slot
  Balance carried;                       ///< what came in before
  Coordinates coordinates;               ///< of the cluster's joints
};

/// As the model says, at time 0.
PathStart start_of(const model::Model& model, const Cluster& cluster);

/// What a frame tells of a cluster, but for the states of its bodies.
struct Snapshot {
  Energy energy;
  Momentum momentum;
  Balance balance;  ///< all energy and momentum that came in since time 0
  std::vector<ContactState> contacts;
  std::vector<JointState> joints;
};

class ClusterPath {
 public:
  /// `switches`: the times, ascending, at which something acts on the cluster that is not smooth.
  /// The path is extended no further than `end`.
  ClusterPath(const model::Model& model, const Scripts& scripts, Cluster cluster,
              const PathStart& start, std::vector<double> switches, double end);

  /// Extends the path until it covers `t`, step by step, or until an event of its own ends it.
  /// Ends early when as many steps are kept as may be: then some have to be forgotten before it
  /// goes on. Where the motion cannot be continued that is an event too: bodies may meet before it
  /// comes to that.
  void cover(double t, ode::Workspace& workspace);

  /// What ended the path, if something did: at end_time().
  const std::optional<PathEvent>& event() const { return event_; }
  /// Why the motion cannot be continued, where the event says that it cannot.
  const std::string& failure() const { return failure_; }

  /// Whether as many steps are kept as may be.
  bool is_full() const;
  /// Drops the steps that end at `t` or before.
  void forget_before(double t);

  /// Of a time within the steps that are kept. The states go where their bodies are in `bodies`.
  void take_snapshot(double t, motion::Side side, std::vector<BodyState>& bodies,
                     Snapshot& snapshot);
  /// Only the energies of that.
  Energy energy(double t, motion::Side side);
  /// All energy and momentum that came in since time 0.
  Balance balance(double t);

  /// The steps that are kept, and the path of one body over each, for collision detection.
  int step_count() const { return static_cast<int>(pieces_.size()); }
  motion::BodyPath body_path(BodyIndex body, int step) const;

  /// Of a time within the steps that are kept, brought back exactly onto contacts and joints.
  body::RigidState state_of(BodyIndex body, double t);
  Coordinates coordinates(double t);
  /// Whether a fixed or scripted body is tied to the cluster by a contact or joint.
  bool depends_on(BodyIndex support) const;
  /// The same, or by a force of the scene.
  bool is_tied_to(BodyIndex support) const;
  /// False where something acts on the cluster that is not smooth: there both sides count.
  bool is_smooth_at(double t) const;
  double begin_time() const { return begin_; }
  const force::ContactForces& first_forces() const { return equations_.rows().found(); }
  /// What friction does at the contacts, at the end of the path.
  const std::vector<force::ContactGrip>& grips() const { return equations_.rows().modes().all(); }

  /// The springs of its contacts, in their phases at t.
  std::vector<force::ContactSpring> springs(double t) const;
  /// The smallest gap of a spring from the last time that was asked for on, up to t, m; infinite
  /// without any.
  double least_spring_gap(double t);

  /// Pairs of bodies whose contacts were held before t without proof that they kept their gaps.
  /// What comes after is not going to happen where a path ends there.
  std::set<std::pair<BodyIndex, BodyIndex>> unproven(double t) const;

  double end_time() const { return cursor_.t; }
  const Cluster& cluster() const { return equations_.cluster(); }
  const ode::StepStatistics& statistics() const { return statistics_; }

 private:
  void restart();
  double next_limit() const;
  const ode::Vector& state_at(double t);
  void accept(const ode::Cursor& before, ode::Piece piece);
  bool rests();
  bool is_dragging() const;
  bool keeps_rates(bool is_shortest) const;
  void evaluate_anew(const ode::Cursor& at);
  bool shares_anew(const PathEvent& event, const ode::Piece& piece);
  void reach_pending();
  bool joints_go_on(const ode::Cursor& before, const ode::Piece& piece);
  Balance balance_of(double t, const ode::Vector& y) const;
  Balance fallen(double t) const;
  int slot_of(BodyIndex body) const;
  void follow_slip();
  void follow_slip_to(double end, const ode::Piece& piece);
  bool is_stiff_by_constraints() const;
  void fail(ode::StepStatus status);

  const model::Model* model_;
  Equations equations_;
  std::vector<double> switches_;
  double end_;
  double begin_;
  std::vector<body::RigidState> first_;  // where the path began, by slot
  double limit_ = 0;                     // up to here the motion is smooth
  std::optional<PathEvent> pending_;     // found, at or before limit_
  std::optional<PathEvent> event_;       // reached
  std::string failure_;
  int sharings_ = 0;         // since the step began that is tried
  Coordinates coordinates_;  // at the cursor
  ode::Cursor cursor_;
  std::vector<ode::Piece> pieces_;  // one per step, contiguous, the last ends at the cursor
  ode::StepStatistics statistics_;
  Balance carried_;                                             // what came in before this path
  double gaps_known_until_;                                     // of springs
  std::map<std::pair<BodyIndex, BodyIndex>, double> unproven_;  // from when on, s
  double known_time_ = -1;                                      // of the state in scratch_
  ode::Vector scratch_;
};

}  // namespace abut::integrate
