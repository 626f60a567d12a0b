#pragma once
// Tells when events follow each other faster than they matter: then an island is undecided, and
// stepping it costs less than following each of them.

#include <vector>

#include "abut/types.h"

namespace abut::loop {

class Storm {
 public:
  explicit Storm(std::size_t bodies) : windows_(bodies) {}

  /// An event at t settled this many contacts of these bodies, after so many steps of integration
  /// since their last one. Whether one of them has been in so many events within a short time, and
  /// with so much work, that they are not worth following.
  bool note(const std::vector<BodyIndex>& bodies, double t, std::size_t contacts, long steps) {
    const auto count = static_cast<double>(contacts);
    const double work =
        event_work + pair_work * count * count + contact_work * count * static_cast<double>(steps);
    bool is_storm = false;
    for (const BodyIndex body : bodies) {
      Window& window = windows_[body];
      if (t - window.since > length) window = {t, 0, 0};
      ++window.events;
      window.work += work;
      is_storm = is_storm || (window.events > most_events && window.work > most_work);
    }
    return is_storm;
  }

 private:
  struct Window {
    double since = -1;  // s
    long events = 0;
    double work = 0;
  };

  /// s of simulated time: about a frame.
  static constexpr double length = 0.02;
  /// Of one event, of two contacts that bear on each other, and of a contact in a step of
  /// integration, in milliseconds of an ordinary processor: estimates, rather too high, and only
  /// good for the comparison with the next.
  static constexpr double event_work = 0.3, pair_work = 0.02, contact_work = 0.04;
  /// What a window may take, in the same unit: some times as long as it lasts.
  static constexpr double most_work = 150;
  /// Few events are no storm, however much work each of them is.
  static constexpr long most_events = 10;

  std::vector<Window> windows_;  // by body
};

}  // namespace abut::loop
