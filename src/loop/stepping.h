#pragma once
// The part of the scene that is stepped. Bodies pass to the step clock where what they do at an
// instant is undecided, or where one of its bodies comes near; they go back to paths of their own
// once nothing is near them.

#include <optional>
#include <string>
#include <vector>

#include "clock/step_clock.h"
#include "loop/contact_event.h"
#include "loop/detection.h"
#include "loop/paths.h"
#include "record/frame.h"

namespace abut::loop {

class Stepping {
 public:
  Stepping(const model::Model& model, const integrate::Scripts& scripts,
           const base::ThreadPool& pool, Paths& paths, Detection& detection,
           const std::vector<bool>& broken, const std::atomic<bool>* interrupt);

  /// Whole islands leave their paths at t, which is no later than the end of the last step: that
  /// ends there. `why`: for the record.
  void hand_over(const std::vector<BodyIndex>& bodies, double t, const std::string& why);
  /// Stepped bodies whose motion is not worth to be followed as a path, even where nothing is near.
  void keep(const std::vector<BodyIndex>& bodies) { clock_.keep(bodies); }
  /// Bodies that nothing is near to leave for paths of their own, unless they are kept. Returns
  /// them.
  std::vector<BodyIndex> release_lone();
  /// Takes one step, no farther than `limit`. Bodies on paths that could be met within it join
  /// first; returns them, ascending.
  std::vector<BodyIndex> advance(double limit);

  /// Up to where the stepped bodies are known; infinite where there are none.
  double end() const { return clock_.empty() ? infinity : clock_.time(); }
  bool contains(BodyIndex body) const { return clock_.contains(body); }
  void strike(const impulse::OutsideImpulse& outside) { clock_.strike(outside); }

  const clock::StepClock& clock() const { return clock_; }
  /// What the summary of a run that ended at t says about it.
  void sum_up(double t, record::Summary& summary) const;

 private:
  void take(const std::vector<BodyIndex>& bodies, const std::string& why);
  std::vector<clock::Outsider> outsiders(double h) const;

  const model::Model& model_;
  Paths& paths_;
  Detection& detection_;
  clock::StepClock clock_;
  std::optional<double> begin_;     // of the first step
  std::vector<SteppedSpan> spans_;  // when which bodies were stepped
  std::vector<int> open_;           // by body: its span that is not over, or -1
};

}  // namespace abut::loop
