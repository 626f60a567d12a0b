#pragma once
// A cluster with its own clock: the stretch of motion that is being looked at, and the means to
// extend it.

#include <atomic>
#include <memory>
#include <vector>

#include "integrate/cluster_system.h"
#include "motion/path.h"
#include "ode/dormand_prince_853.h"

namespace abut::integrate {

class ClusterPath {
 public:
  /// `switches`: the times, ascending, at which something acts on the cluster that is not smooth.
  /// The path is extended no further than `end`.
  ClusterPath(const model::Model& model, const Scripts& scripts, Cluster cluster,
              std::vector<double> switches, double end);

  /// Extends the path until it covers `t`, step by step. Ends early when `interrupt` (may be null)
  /// turns true. Throws SimulationError where the motion cannot be continued.
  void cover(double t, ode::Workspace& workspace, const std::atomic<bool>* interrupt = nullptr);

  /// Drops the steps that end at `t` or before.
  void forget_before(double t);

  /// Of a time within the steps that are kept.
  void write_states(double t, motion::Side side, std::vector<BodyState>& bodies);
  Energy energy(double t, motion::Side side);
  Momentum momentum(double t);
  /// All energy and momentum that came in since time 0.
  Balance balance(double t);

  /// The steps that are kept, and the path of one body over each, for collision detection.
  int step_count() const { return static_cast<int>(pieces_.size()); }
  motion::BodyPath body_path(BodyIndex body, int step) const;

  /// A blow at the current end of the path, at a world point. Returns the change of kinetic energy.
  double apply_impulse(BodyIndex body, const Vec3& impulse, const Vec3& at);
  /// Where the centre of mass of a body is at the current end of the path.
  Vec3 centre_at_end(BodyIndex body) const;

  double end_time() const { return cursor_.t; }
  const Cluster& cluster() const { return system_.cluster(); }
  const ode::StepStatistics& statistics() const { return statistics_; }

 private:
  void restart();
  double next_limit() const;
  const ode::Vector& state_at(double t);
  int slot_of(BodyIndex body) const;
  [[noreturn]] void fail(ode::StepStatus status) const;

  const model::Model* model_;
  ClusterSystem system_;
  std::vector<double> switches_;
  double end_;
  double limit_ = 0;  // up to here the motion is smooth
  ode::Cursor cursor_;
  std::vector<ode::Piece> pieces_;  // one per step, contiguous, the last ends at the cursor
  ode::StepStatistics statistics_;
  Balance applied_;  // by impulses
  ode::Vector scratch_;
};

}  // namespace abut::integrate
