#pragma once
// What paths, steps and scripts say of an instant, as frames tell it.

#include <map>
#include <vector>

#include "base/parallel.h"
#include "clock/step_clock.h"
#include "loop/paths.h"
#include "record/frame.h"

namespace abut::loop {

/// What the books keep of a whole frame.
struct WholeScene {
  Energy energy;
  integrate::Momentum momentum;
  integrate::Balance balance;
};

class Observer {
 public:
  Observer(const model::Model& model, const integrate::Scripts& scripts, const Paths& paths,
           const base::ThreadPool& pool);

  /// Bodies that are on no path are moved by this clock.
  void follow(const clock::StepClock& steps) { steps_ = &steps; }
  const clock::StepClock* steps() const { return steps_; }

  /// Bodies, contacts and joints of the whole scene at t. Paths must reach there.
  void tell_all(double t, motion::Side side, record::Frame& frame);
  /// The sums over the scene that was told last.
  WholeScene sum(const record::Frame& frame) const;

  /// The bodies of one path, and what else it tells.
  const integrate::Snapshot& tell_path(std::size_t number, double t, motion::Side side,
                                       record::Frame& frame);
  /// All bodies that are stepped, likewise; there must be a clock.
  const integrate::Snapshot& tell_stepped(double t, record::Frame& frame);
  /// A body that is fixed or scripted.
  BodyState prescribed(BodyIndex body, double t, motion::Side side) const;

  /// Those that scripts move, ascending.
  const std::vector<BodyIndex>& scripted() const { return scripted_; }
  bool is_scripted(BodyIndex body) const;

  /// Of the paths with these numbers, those whose forces at t do not obey the laws of contact.
  std::vector<int> unlawful(double t, motion::Side side, const std::vector<int>& numbers,
                            record::Frame& frame) const;
  /// The energies at t of all bodies but those whose states are given.
  std::vector<Energy> energies_without(const std::map<BodyIndex, BodyState>& told, double t) const;

 private:
  // What a path adds to a frame.
  struct PathRecord {
    long serial = 0;  // of the path
    double time = -1;
    integrate::Snapshot told;
  };

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  const Paths& paths_;
  const base::ThreadPool& pool_;
  const clock::StepClock* steps_ = nullptr;
  std::vector<BodyIndex> scripted_;
  std::vector<PathRecord> records_;  // by number of the path
  integrate::Snapshot stepped_;      // what is stepped adds to a frame
};

}  // namespace abut::loop
