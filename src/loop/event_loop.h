#pragma once
// The event clock: every cluster integrates on its own, and the loop stops only where something
// happens or is to be recorded.

#include <chrono>
#include <memory>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "integrate/cluster_path.h"
#include "loop/audit.h"
#include "loop/detection.h"
#include "loop/run.h"
#include "loop/timeline.h"

namespace abut::loop {

class EventLoop {
 public:
  EventLoop(const model::Model& model, record::Sink& sink, const RunOptions& options);

  /// From time 0 to the end, to an interrupt, or to a failure (which is thrown after the record
  /// has been closed).
  record::Summary run();

  /// The same in portions: the first call begins the record, each one goes on to the next instant
  /// that is recorded, and the last one closes the record and returns false.
  bool advance();

  const record::Frame& frame() const { return frame_; }
  const record::Summary& summary() const { return summary_; }

 private:
  bool interrupted() const;
  bool pass_next_stop();
  void close(record::RunStatus status, const std::string& message);
  void extend_paths(double t);
  /// True if there was one; then the run has been closed.
  bool stop_at_touch(double from, double to);
  void record_frame(double t, record::FrameKind kind);
  void write_moving_bodies(double t, motion::Side side);
  void write_prescribed_bodies(double t, motion::Side side);
  void sum_energies();
  void resolve(const Scheduled& scheduled, double t);
  Event strike(const model::Impulse& impulse);

  const model::Model& model_;
  record::Sink& sink_;
  const RunOptions options_;
  base::ThreadPool pool_;

  integrate::Scripts scripts_;
  std::vector<std::unique_ptr<integrate::ClusterPath>> paths_;
  std::vector<int> path_of_;  // by body; -1 for bodies that are not dynamic
  Timeline timeline_;
  Detection detection_;

  record::Frame frame_;
  std::vector<Energy> energies_;  // by path
  EnergyAudit energy_audit_;
  std::vector<MomentumAudit> momentum_audits_;  // by path
  base::Hash hash_;
  long events_ = 0;
  double time_ = 0;
  record::Summary summary_;
  bool begun_ = false;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace abut::loop
