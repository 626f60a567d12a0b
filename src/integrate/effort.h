#pragma once
// What following an island from event to event costs, estimated from what it consists of: the same
// on every machine, so that a decision by it is too.

#include <cstddef>

namespace abut::integrate {

/// Milliseconds of an ordinary processor, rather too many.
using Effort = double;

/// Of a step of integration that is tried, with so many contacts: what each of them takes, and what
/// pairs of them do, which bear on each other. Measured in heaps of boxes with up to 40 contacts.
inline Effort effort_of_step(std::size_t contacts) {
  const auto n = static_cast<double>(contacts);
  return 0.05 * n + 0.01 * n * n;
}

/// Of one that so many bodies take although nothing in it turns much: what makes it short is
/// stiffness, of forces or of joints. Measured with single bodies beside a floor.
inline Effort effort_of_stiff_step(std::size_t bodies) {
  return 0.02 * static_cast<double>(bodies);
}

/// Steps of integration are about as long as this phase of what is stiff, rad.
inline constexpr double phase_of_step = 2;

/// What may turn in one of those, rad: motion that turns takes some two steps per radian, however
/// it is followed.
inline constexpr double little_turn = 0.1;

/// Of an event, measured in the same heaps.
inline Effort effort_of_event(std::size_t contacts) {
  const auto n = static_cast<double>(contacts);
  return 0.1 + 0.04 * n + 0.006 * n * n;
}

/// What is worth following at once, and what every second of simulated time adds to that: a short
/// while of many events, or a few times as long as it lasts for good.
inline constexpr Effort worthwhile_effort = 400;
inline constexpr Effort worthwhile_rate = 3000;  // per s

}  // namespace abut::integrate
