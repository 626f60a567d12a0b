#pragma once
// Tells when events follow each other faster than they matter: then an island is undecided, and
// stepping it costs less than following each of them.

#include <algorithm>
#include <vector>

#include "abut/types.h"
#include "integrate/effort.h"

namespace abut::loop {

class Storm {
 public:
  explicit Storm(std::size_t bodies) : counts_(bodies) {}

  /// An event at t settled this many contacts of these bodies, after so many steps of integration
  /// since their last one. Whether they are not worth following: one of them has been in many
  /// events within a short time, and all events of the scene within it were too much work.
  bool note(const std::vector<BodyIndex>& bodies, double t, std::size_t contacts, long steps) {
    if (t - since_ > integrate::effort_window) {
      since_ = t;
      effort_ = 0;
    }
    effort_ += integrate::effort_of_event(contacts) +
               static_cast<double>(steps) * integrate::effort_of_step(contacts);
    for (const BodyIndex body : bodies) {
      Count& count = counts_[body];
      if (t - count.since > integrate::effort_window) count = {t, 0};
      ++count.events;
    }
    return effort_ > integrate::worthwhile_effort && has_begun(bodies, t);
  }

  /// Whether one of the bodies has been in many events lately, whatever their work.
  bool has_begun(const std::vector<BodyIndex>& bodies, double t) const {
    return std::any_of(bodies.begin(), bodies.end(), [&](BodyIndex body) {
      const Count& count = counts_[body];
      return t - count.since <= integrate::effort_window && count.events > most_events;
    });
  }

 private:
  struct Count {
    double since = -1;  // s
    long events = 0;
  };

  /// Few events are no storm, however much work each of them is.
  static constexpr long most_events = 10;

  std::vector<Count> counts_;  // by body
  double since_ = -1;          // s
  integrate::Effort effort_ = 0;
};

}  // namespace abut::loop
