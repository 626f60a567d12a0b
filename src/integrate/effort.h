#pragma once
// What following an island from event to event costs, estimated from what it consists of: the same
// on every machine, so that a decision by it is too.

#include <cstddef>

namespace abut::integrate {

/// Milliseconds of an ordinary processor, rather too many.
using Effort = double;

/// Of a step of integration that is tried, with so many contacts: what each of them takes, and
/// systems of equations in which every one bears on every other.
inline Effort effort_of_step(std::size_t contacts) {
  const auto n = static_cast<double>(contacts);
  return 0.04 * n + 1.7e-5 * n * n * n;
}

/// Of an event.
inline Effort effort_of_event(std::size_t contacts) {
  const auto n = static_cast<double>(contacts);
  return 0.3 + 0.02 * n * n;
}

/// About a frame, s of simulated time, and what it may take to be worth following: some times as
/// long as it lasts.
inline constexpr double effort_window = 0.02;
inline constexpr Effort worthwhile_effort = 150;

}  // namespace abut::integrate
