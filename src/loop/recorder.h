#pragma once
// Writes down a run as it goes: frames and events, and the books of energy and momentum.

#include <map>
#include <optional>
#include <vector>

#include "loop/books.h"
#include "loop/observer.h"

namespace abut::loop {

/// What is known of an instant whose frames do not tell of all bodies. They are written when all
/// is known of whom it concerns.
struct RecordedInstant {
  double time = 0;
  bool is_whole = false;                  // the frame before is written
  std::map<BodyIndex, BodyState> before;  // of those it concerns
  integrate::Snapshot told;               // of these, before
  std::vector<Energy> energies;           // of their paths, before
  std::vector<Event> events;              // told once all is known, between the frames
};

class Recorder {
 public:
  /// With `whole_frames` the frames of every instant hold the whole scene, as all samples do.
  Recorder(const model::Model& model, const integrate::Scripts& scripts, const Paths& paths,
           record::Sink& sink, const base::ThreadPool& pool, bool whole_frames = true);

  void begin() { sink_.begin(model_); }
  /// Bodies that are on no path are moved by this clock.
  void follow(const clock::StepClock& steps) { observer_.follow(steps); }
  /// Of the paths with these numbers, those whose forces at t do not obey the laws of contact.
  std::vector<int> unlawful(double t, motion::Side side, const std::vector<int>& numbers);
  /// Everything as it is at t. Paths must reach there.
  void record_frame(double t, record::FrameKind kind);
  void record_event(const Event& event);

  /// Something happens at t, up to close_instant(). The frames before and after it tell of all
  /// bodies (`whole`), or of those that it concerns.
  void open_instant(double t, bool whole);
  /// Said before anything happens to these bodies; all that are on paths with them are concerned.
  void concern(const std::vector<BodyIndex>& bodies);
  void concern_all();
  /// Sorted bodies are given up to steps at the open instant: which contacts begin to stick or to
  /// slip there is for the step to say.
  void withdraw_modes(const std::vector<BodyIndex>& bodies);
  void close_instant();
  /// As if it had not been opened; what was recorded of it stays.
  void forget_instant();
  /// Records the beginning of an instant that was not got over, if there is one.
  void break_off();
  bool is_instant_open() const { return instant_.has_value(); }

  /// What joints transmitted at the current instant, for the next frame after events.
  void note_joint_impulses(const std::vector<JointState>& impulses);
  /// Adds what was counted and audited to the summary.
  void sum_up(record::Summary& summary) const;
  /// The largest gap that a joint was recorded with, as a fraction of its size.
  double widest_joint() const { return books_.widest_joint(); }
  const record::EnergyAudit& energy() const { return books_.energy(); }
  /// Ends the record.
  void end(const record::Summary& summary) { sink_.end(summary); }

  const record::Frame& frame() const { return frame_; }
  long frame_count() const { return books_.frame_count(); }
  /// The last time that a frame holds what happened at, -1 before the first.
  double recorded_until() const { return recorded_until_; }

 private:
  void pass_on(const Event& event);
  void pass_on_events();
  void tell_support(BodyIndex body);
  void tell_stepped();
  void tell_supports_of(const integrate::IslandPath& path);
  void write_before(const std::vector<Energy>& others);
  void write_after(const std::vector<Energy>& others);
  void add_joint_impulses();
  void finish_frame();

  const model::Model& model_;
  const Paths& paths_;
  record::Sink& sink_;
  const bool whole_frames_;
  Observer observer_;
  record::Frame frame_;
  std::optional<RecordedInstant> instant_;
  std::vector<JointState> joint_impulses_;  // of the current instant
  Books books_;
  long events_ = 0;
  double recorded_until_ = -1;
  double seconds_ = 0;  // of wall time spent here
};

}  // namespace abut::loop
