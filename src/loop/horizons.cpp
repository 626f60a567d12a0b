#include "loop/horizons.h"

#include <algorithm>

#include "base/limits.h"

namespace abut::loop {
namespace {

// Bodies are looked at for this many intervals between their last contact events, and where nothing
// happens for as long as all the time since again: for one long interval among short ones the
// search is taken up a few times.
constexpr double intervals_ahead = 2;
constexpr double stretching = 2;

// The least time to look ahead, s: a search must have room.
constexpr double least_reach = 1e-6;

// From one contact event to the next the interval shrinks to this part at most: several contact
// events at one instant are no rhythm.
constexpr double shrinking = 0.5;

}  // namespace

void Horizons::reach_end(double window_end) {
  window_end_ = window_end;
  near_.clear();
  for (Rhythm& rhythm : rhythms_) rhythm.horizon = infinity;
}

void Horizons::fall_short(const std::vector<BodyIndex>& bodies, double horizon) {
  for (const BodyIndex body : bodies) put(body, horizon);
}

void Horizons::forget(const std::vector<BodyIndex>& bodies) {
  for (const BodyIndex body : bodies) put(body, infinity);
}

double Horizons::after_contact_event(const std::vector<BodyIndex>& bodies, double t) {
  double interval = infinity;
  for (const BodyIndex body : bodies) {
    Rhythm& rhythm = rhythms_[body];
    rhythm.interval = std::max(t - rhythm.last_contact_event, shrinking * rhythm.interval);
    rhythm.last_contact_event = t;
    interval = std::min(interval, rhythm.interval);
  }
  const double horizon = t + std::max(least_reach, intervals_ahead * interval);
  for (const BodyIndex body : bodies) put(body, horizon);
  return std::min(horizon, window_end_);
}

std::vector<BodyIndex> Horizons::at_nearest() const {
  std::vector<BodyIndex> bodies;
  for (auto entry = near_.begin(); entry != near_.end() && entry->first <= nearest(); ++entry)
    bodies.push_back(entry->second);
  return bodies;
}

double Horizons::move_on(const std::vector<BodyIndex>& bodies) {
  double horizon = infinity;
  for (const BodyIndex body : bodies) {
    const Rhythm& rhythm = rhythms_[body];
    horizon = std::min(horizon, rhythm.last_contact_event +
                                    stretching * (rhythm.horizon - rhythm.last_contact_event));
  }
  for (const BodyIndex body : bodies) put(body, horizon);
  return std::min(horizon, window_end_);
}

void Horizons::put(BodyIndex body, double horizon) {
  double& known = rhythms_[body].horizon;
  near_.erase({known, body});
  known = horizon;
  if (known < window_end_) near_.emplace(known, body);
}

}  // namespace abut::loop
