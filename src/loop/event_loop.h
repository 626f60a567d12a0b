#pragma once
// The event clock: every island integrates on its own, and the loop stops only where something
// happens or is to be recorded.

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "abut/diagnostics.h"
#include "base/parallel.h"
#include "loop/contact_event.h"
#include "loop/continuation.h"
#include "loop/detection.h"
#include "loop/horizons.h"
#include "loop/impact_limits.h"
#include "loop/paths.h"
#include "loop/recorder.h"
#include "loop/run.h"
#include "loop/stepping.h"
#include "loop/storm.h"
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

  const record::Frame& frame() const { return recorder_.frame(); }
  const record::Summary& summary() const { return summary_; }
  /// What comes after the last frame, as a model of its own.
  model::Model continued() const {
    return loop::continued(model_, frame(), broken_, detection_.exclusions().parting());
  }

 private:
  bool may_step() const;
  void begin();
  void refuse_unsupported();
  void refuse_overlap();
  bool pass_next_instant();
  void give_up(const std::vector<BodyIndex>& bodies, double t, const std::string& why);
  bool give_up_dragging(double t);
  void give_up_stiff(const std::vector<int>& numbers, std::set<BodyIndex>& concerned);
  bool give_up_unlawful(double t, motion::Side side, const std::vector<int>& numbers);
  std::vector<int> numbers_concerned(double t) const;
  void hand_over(const std::vector<BodyIndex>& bodies, double t, const std::string& why);
  void step_on();
  void open_window(double to);
  void look_farther();
  double cover(const std::vector<int>& numbers, double to);
  void look(double from, double to);
  void pass_sample(double t);
  void pass_events(double t);
  void open_instant(double t, bool whole);
  void forget_instant();
  void close(record::RunStatus status, const std::string& message);

  // What happens next, and to whom.
  double next_event_time() const;
  void enter(double t);
  void guard_progress(double t);
  std::set<BodyIndex> collect(double t);
  void collect_scheduled(double t, std::set<BodyIndex>& concerned);
  void collect_path_events(double t, std::set<BodyIndex>& concerned);
  void collect_touches(double t, std::set<BodyIndex>& concerned);
  void break_joint(JointIndex index, double t);

  // What is done about it.
  void meet_at(double t, const std::set<BodyIndex>& concerned);
  ContactEvent contact_event_of(BodyIndex body, double t);
  void settle_contact_event(ContactEvent contact_event);
  void step_instead(const ContactEvent& contact_event, const std::string& why);
  Outcome settled(ContactEvent& contact_event);
  void go_on(const ContactEvent& contact_event, const Outcome& outcome);
  double look_ahead(const std::vector<BodyIndex>& bodies, const std::vector<int>& numbers,
                    double t);

  const model::Model& model_;
  const RunOptions options_;
  const std::chrono::steady_clock::time_point started_;
  std::vector<bool> broken_;  // by joint
  const bool all_stepped_;    // and always: the scene says so, or something bends
  base::ThreadPool pool_;
  integrate::Scripts scripts_;
  Timeline timeline_;
  Paths paths_;
  Detection detection_;
  Horizons horizons_;
  Recorder recorder_;
  ImpactLimits impact_limits_;
  Storm storm_;
  Stepping stepping_;

  bool begun_ = false;
  double time_ = 0;
  std::optional<Stop> stop_;        // the next instant of the timeline; the window ends there
  long events_here_ = 0;            // within an implicit step,
  double here_since_ = 0;           // which began then
  Verdicts verdicts_;               // on contacts, since:
  double decided_since_ = 0;        // within what counts as no time
  std::vector<BodyIndex> renewed_;  // on paths that begin at the current instant
  std::vector<impulse::OutsideImpulse> outside_impulses_;  // of the current instant, not yet dealt
  std::string cramped_;  // who had too little room at the current time, and why
  bool contacts_held_ = false;
  record::Summary summary_;
  record::Summary before_instant_;  // the one that is open
};

}  // namespace abut::loop
