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
  /// Of a scene with so many bodies, some of which move.
  Storm(std::size_t bodies, std::size_t moving)
      : part_(std::min(good_part, 1.0 / static_cast<double>(std::max<std::size_t>(moving, 1)))),
        all_{integrate::worthwhile_rate},
        spent_(bodies, Spent{part_ / good_part * integrate::worthwhile_rate}) {}

  /// An event at t settled this many contacts of these bodies, after so many steps of integration
  /// since another time. Whether they are not worth following: all events of the scene took more
  /// work than it is worth, and a good part of it was spent on one of them.
  bool note(const std::vector<BodyIndex>& bodies, double t, std::size_t contacts, double steps,
            double since) {
    // Bodies that touch pass on to each other what is not known of them: the more there are, the
    // less exact digits are worth.
    const auto count = static_cast<double>(bodies.size());
    const integrate::Effort path = count * steps * integrate::effort_of_step(contacts);
    const integrate::Effort event = count * integrate::effort_of_event(contacts);
    all_.add(path, event, since, t);
    for (const BodyIndex body : bodies) spent_[body].add(path, event, since, t);
    const double few = std::max(1.0, many_events / static_cast<double>(all_.events));
    return all_.effort > few * integrate::worthwhile_effort && has_begun(bodies, t);
  }

 private:
  /// What was spent, less what the time since was worth.
  struct Spent {
    double rate = 0;  // that time is worth, per s
    double at = 0;    // s
    integrate::Effort effort = 0;
    long events = 0;

    integrate::Effort left(double t) const { return std::max(0.0, effort - rate * (t - at)); }
    void add(integrate::Effort path, integrate::Effort event, double since, double t) {
      if (at < since) *this = {rate, since, left(since), left(since) > 0 ? events : 0};
      effort += path;
      effort = left(t) + event;
      ++events;
      at = t;
    }
  };

  /// Whether such a part has been spent on one of the bodies.
  bool has_begun(const std::vector<BodyIndex>& bodies, double t) const {
    return std::any_of(bodies.begin(), bodies.end(), [&](BodyIndex body) {
      return spent_[body].left(t) > part_ * integrate::worthwhile_effort;
    });
  }

  /// A good part of what is worth it (dimensionless), of few bodies; of more than ten it is the
  /// share of one: a thousand balls that bounce are a storm though each of them is struck seldom.
  static constexpr double good_part = 0.1;

  /// Fewer events are worth as much as this many: a stack that begins to slip is no storm.
  static constexpr double many_events = 10;

  double part_;
  Spent all_;
  std::vector<Spent> spent_;  // by body
};

}  // namespace abut::loop
