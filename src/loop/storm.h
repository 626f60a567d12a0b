#pragma once
// Tells when events follow each other faster than they matter: then an island is undecided, and
// stepping it costs less than following each of them.

#include <cstddef>

namespace abut::loop {

class Storm {
 public:
  /// An event at t settled this many contacts, after so many steps of integration in the run.
  /// Whether there have been so many events within a short time, and so much work with them, that
  /// they are not worth following.
  bool note(double t, std::size_t contacts, long steps) {
    if (t - since_ > window) {
      since_ = t;
      events_ = 0;
      work_ = 0;
    }
    const auto count = static_cast<double>(contacts);
    ++events_;
    work_ += event_work + pair_work * count * count;
    work_ += contact_work * count * static_cast<double>(steps - steps_);
    steps_ = steps;
    return events_ > most_events && work_ > most_work;
  }

 private:
  /// s of simulated time: about a frame.
  static constexpr double window = 0.02;
  /// Of one event, of two contacts that bear on each other, and of a contact in a step of
  /// integration, in milliseconds of an ordinary processor: estimates, rather too high, and only
  /// good for the comparison with the next.
  static constexpr double event_work = 0.3, pair_work = 0.02, contact_work = 0.04;
  /// What a window may take, in the same unit: some times as long as it lasts.
  static constexpr double most_work = 150;
  /// Few events are no storm, however much work each of them is.
  static constexpr long most_events = 10;

  double since_ = -1;
  long events_ = 0;
  double work_ = 0;
  long steps_ = 0;
};

}  // namespace abut::loop
