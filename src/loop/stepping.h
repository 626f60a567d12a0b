#pragma once
// The part of a run in which all bodies are stepped: scheduled impulses, joints that break, frames.

#include <optional>
#include <vector>

#include "clock/step_clock.h"
#include "loop/detection.h"
#include "loop/recorder.h"
#include "loop/timeline.h"

namespace abut::loop {

class Stepping {
 public:
  Stepping(const model::Model& model, const integrate::Scripts& scripts,
           const base::ThreadPool& pool, Detection& detection, Recorder& recorder,
           std::vector<bool>& broken, const std::atomic<bool>* interrupt);

  /// All bodies go on from here, dynamic ones in these states, in the order of the model.
  void begin(double t, const std::vector<body::RigidState>& states,
             const integrate::Balance& carried);

  /// Takes steps up to a stop and records it. False if it was interrupted before.
  bool pass(const Stop& stop, double next_scheduled);

  /// So that there is something to tell of the beginning.
  void take_first_step(double limit) { clock_.advance(std::min(limit, model_.duration)); }

  const clock::StepClock& clock() const { return clock_; }
  double begin_time() const { return begin_; }

 private:
  bool step_to(double t, double limit);
  void deal(const Stop& stop);
  void break_overloaded();
  void let_parted_touch();

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  Detection& detection_;
  Recorder& recorder_;
  std::vector<bool>& broken_;
  const std::atomic<bool>* interrupt_;
  clock::StepClock clock_;
  double begin_ = 0;
};

}  // namespace abut::loop
