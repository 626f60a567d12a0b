#pragma once
// The event clock: every cluster integrates on its own, and the loop stops only where something
// happens or is to be recorded.

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "integrate/cluster_path.h"
#include "loop/audit.h"
#include "loop/detection.h"
#include "loop/meeting.h"
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
  void begin();
  bool pass_next_instant();
  void open_window(double to);
  void pass_events(double t);
  void close(record::RunStatus status, const std::string& message);

  // What happens next, and what is done about it.
  double next_event_time() const;
  void collect_path_events(double t, std::set<BodyIndex>& concerned);
  void collect_touches(double t, std::set<BodyIndex>& concerned);
  void collect_scheduled(double t, std::set<BodyIndex>& concerned);
  void collect_rests(double t);
  void note_blow(const model::Impulse& impulse, double t);
  void report_blows(const Meeting& meeting, const Outcome& outcome);
  void meet_at(double t, const std::set<BodyIndex>& concerned);
  Meeting meeting_of(double t, const std::set<BodyIndex>& concerned);
  void add_touching(double t, std::set<BodyIndex>& bodies, std::vector<contact::Contact>& contacts);
  void add_cluster_of(BodyIndex body, std::set<BodyIndex>& bodies) const;
  bool stop_at_friction(const Meeting& meeting);
  void settle_meeting(const Meeting& meeting);
  void report(const Meeting& meeting, const Outcome& outcome);
  void replace_paths(const Meeting& meeting, const Outcome& outcome);
  void hold_contacts(const Meeting& meeting, const Outcome& outcome);
  bool is_pressed(const contact::Contact& contact) const;
  integrate::Balance retire_paths(const Meeting& meeting);
  body::RigidState state_of(BodyIndex body, double t) const;
  body::RigidMotion motion_of(BodyIndex body, double t) const;
  void guard_progress(double t);
  void send(const Event& event);

  // Recording.
  void record_frame(double t, record::FrameKind kind);
  void write_moving_bodies(double t, motion::Side side);
  void write_prescribed_bodies(double t, motion::Side side);
  void sum_up();

  const model::Model& model_;
  record::Sink& sink_;
  const RunOptions options_;
  base::ThreadPool pool_;

  integrate::Scripts scripts_;
  std::vector<std::unique_ptr<integrate::ClusterPath>> paths_;  // null: not in use
  std::vector<int> free_paths_;                                 // indices not in use, descending
  std::vector<int> path_of_;  // by body; -1 for bodies that are not dynamic
  std::vector<bool> broken_;  // by joint
  Timeline timeline_;
  Detection detection_;
  std::optional<Stop> stop_;  // the next instant of the timeline; the window ends there
  std::vector<contact::Contact> released_;  // contacts whose force fell to zero at the current time
  std::vector<LastImpact> last_impacts_;    // whose limits lie ahead, ascending
  std::vector<Blow> blows_;                 // of the current instant, not yet dealt

  record::Frame frame_;
  std::vector<Energy> energies_;                     // by path
  std::vector<integrate::Momentum> momenta_;         // by path
  std::vector<integrate::Balance> balances_;         // by path
  std::vector<std::vector<ContactState>> contacts_;  // by path
  std::vector<std::vector<JointState>> joints_;      // by path
  std::vector<JointState> joint_impulses_;           // of the current instant
  EnergyAudit energy_audit_;
  MomentumAudit momentum_audit_;
  base::Hash hash_;
  long events_ = 0;
  long events_here_ = 0;  // at the current time
  std::string unsolved_;  // why the run cannot go on, though nothing is wrong
  double time_ = 0;
  double recorded_until_ = -1;
  bool contacts_held_ = false;
  ode::StepStatistics retired_;
  record::Summary summary_;
  bool begun_ = false;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace abut::loop
