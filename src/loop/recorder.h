#pragma once
// Writes down a run as it goes: frames and events, and the books of energy and momentum.

#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "clock/step_clock.h"
#include "loop/audit.h"
#include "loop/paths.h"
#include "record/frame.h"

namespace abut::loop {

class Recorder {
 public:
  Recorder(const model::Model& model, const integrate::Scripts& scripts, const Paths& paths,
           record::Sink& sink, const base::ThreadPool& pool);

  void begin() { sink_.begin(model_); }
  /// From here on all bodies are stepped.
  void follow(const clock::StepClock& steps) { steps_ = &steps; }
  /// Everything as it is at t. Paths must reach there.
  void record_frame(double t, record::FrameKind kind);
  void record_event(const Event& event);
  /// What joints transmitted at the current instant, for the next frame after events.
  void note_joint_impulses(const std::vector<JointState>& impulses);
  /// Adds what was counted and audited to the summary.
  void sum_up(record::Summary& summary) const;
  /// Ends the record.
  void end(const record::Summary& summary) { sink_.end(summary); }

  const record::Frame& frame() const { return frame_; }
  /// The last time that a frame holds what happened at, -1 before the first.
  double recorded_until() const { return recorded_until_; }

 private:
  // What a path adds to a frame.
  struct PathRecord {
    long serial = 0;  // of the path
    double time = -1;
    integrate::Snapshot told;
  };

  void write_moving_bodies(double t, motion::Side side);
  void write_path(std::size_t number, double t, motion::Side side);
  void write_prescribed_bodies(double t, motion::Side side);
  void refuse_what_is_not_finite() const;
  void note_rounding();
  void gather_contacts_and_joints();
  void add_bending(ExactSum& kinetic, ExactSum& elastic) const;
  void keep_books();

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  const Paths& paths_;
  record::Sink& sink_;
  const base::ThreadPool& pool_;
  const clock::StepClock* steps_ = nullptr;  // who moves the bodies, if paths do not

  bool bends_ = false;  // whether a body does
  record::Frame frame_;
  std::vector<PathRecord> records_;         // by number of the path
  std::vector<JointState> joint_impulses_;  // of the current instant
  double rubbed_ = 0;                       // by friction so far, J
  record::EnergyAudit energy_audit_;
  MomentumAudit momentum_audit_;
  double energy_initial_ = 0;  // J
  base::Hash hash_;
  double farthest_ = 0;  // coordinate of a dynamic body, m
  long events_ = 0;
  long contacts_max_ = 0;
  double recorded_until_ = -1;
  double seconds_ = 0;  // of wall time spent here
};

}  // namespace abut::loop
