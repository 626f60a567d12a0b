#pragma once
// How far ahead bodies are looked at.
//
// Paths and touches are needed up to the next instant at which anything happens. Which one that is
// turns out only by looking; and what was seen beyond it of the bodies that meet there was seen in
// vain. Bodies that meet often are therefore looked at a few of their own intervals ahead, and
// again as far if nothing has happened by then: where a heap collapses most of the time would go
// into futures that never come. Bodies that do not meet are looked at up to the end of the window
// at once: whoever is left alone costs nothing at the events of others.

#include <set>
#include <utility>
#include <vector>

#include "abut/types.h"

namespace abut::loop {

class Horizons {
 public:
  explicit Horizons(std::size_t bodies) : rhythms_(bodies) {}

  /// Everything is known up to the end of a window.
  void reach_end(double window_end);
  /// Some bodies are known only up to a time before that.
  void fall_short(const std::vector<BodyIndex>& bodies, double horizon);
  /// Some bodies are not looked at any more.
  void forget(const std::vector<BodyIndex>& bodies);
  /// Some bodies meet. Returns the horizon up to which they are to be looked at.
  double after_contact_event(const std::vector<BodyIndex>& bodies, double t);

  /// Up to where all bodies are known.
  double nearest() const { return near_.empty() ? window_end_ : near_.begin()->first; }
  /// The bodies that are known no farther, ascending.
  std::vector<BodyIndex> at_nearest() const;
  /// Moves their horizon on, and returns it.
  double move_on(const std::vector<BodyIndex>& bodies);

 private:
  struct Rhythm {
    double last_contact_event = 0;
    double interval = 0;  // between contact events, lately, s
    double horizon = 0;
  };
  void put(BodyIndex body, double horizon);

  double window_end_ = 0;
  std::vector<Rhythm> rhythms_;                  // by body
  std::set<std::pair<double, BodyIndex>> near_;  // horizons before the end of the window
};

}  // namespace abut::loop
