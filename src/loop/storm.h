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
  explicit Storm(std::size_t bodies) : spent_(bodies) {}

  /// An event at t settled this many contacts of these bodies, after so many steps of integration
  /// since their last one. Whether they are not worth following: all events of the scene within a
  /// short time were too much work, and a good part of it was spent on one of them.
  bool note(const std::vector<BodyIndex>& bodies, double t, std::size_t contacts, double steps) {
    // Bodies that touch pass on to each other what is not known of them: the more there are, the
    // less exact digits are worth.
    const integrate::Effort effort =
        static_cast<double>(bodies.size()) *
        (integrate::effort_of_event(contacts) + steps * integrate::effort_of_step(contacts));
    all_.add(effort, t);
    for (const BodyIndex body : bodies) spent_[body].add(effort, t);
    const double few = std::max(1.0, many_events / static_cast<double>(all_.events));
    return all_.effort > few * integrate::worthwhile_effort && has_begun(bodies, t);
  }

  /// Whether such a part has been spent on one of the bodies lately.
  bool has_begun(const std::vector<BodyIndex>& bodies, double t) const {
    return std::any_of(bodies.begin(), bodies.end(), [&](BodyIndex body) {
      const Spent& spent = spent_[body];
      return t - spent.since <= integrate::effort_window &&
             spent.effort > good_part * integrate::worthwhile_effort;
    });
  }

 private:
  struct Spent {
    double since = -1;  // s
    integrate::Effort effort = 0;
    long events = 0;

    void add(integrate::Effort more, double t) {
      if (t - since > integrate::effort_window) *this = {t, 0, 0};
      effort += more;
      ++events;
    }
  };

  static constexpr double good_part = 0.1;  // dimensionless

  /// Fewer events are worth as much as this many: a stack that begins to slip is no storm.
  static constexpr double many_events = 10;

  Spent all_;
  std::vector<Spent> spent_;  // by body
};

}  // namespace abut::loop
