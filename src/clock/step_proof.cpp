// The proof that a step of an island is free of overlap, and what is done where it fails.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/diagnostics.h"
#include "base/limits.h"
#include "clock/step_attempt.h"

namespace abut::clock {

std::vector<StepIsland::Failure> StepIsland::unproven(Attempt& attempt) {
  std::vector<motion::BodyPath> paths;
  paths.reserve(slots_.size());
  for (const int slot : slots_)
    paths.push_back(scene_.bodies[slot].bent ? motion::BodyPath::resting(attempt.t, attempt.t, {})
                                             : path_of(attempt, scene_.bodies[slot].index));
  const auto path = [&](BodyIndex body) {
    const int place = place_of(body);
    return place >= 0 ? paths[place] : path_of(attempt, body);
  };
  attempt.gap_bound = infinity;
  std::vector<Failure> failures;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    NearPair& pair = *pairs_[p];
    const toi::SearchResult result =
        pair.prove(path(pair.a()), path(pair.b()), attempt.t, attempt.t + attempt.h);
    attempt.gap_bound = std::min(attempt.gap_bound, result.gap_bound);
    if (result.touch) failures.push_back({p, result.touch->time, {}});
  }
  prove_bent(attempt, failures);
  return failures;
}

// The place that came too near, as the bodies carry it, becomes a row. Its gap where the step
// begins, which is none below zero, is the one that the motion tried would have brought down to
// what was found.
void StepIsland::add_late_contacts(Attempt& attempt, const Failure& failure) {
  if (failure.pair >= pairs_.size()) return add_late_bent_contacts(attempt, failure);
  NearPair& pair = *pairs_[failure.pair];
  const Pose a = path_of(attempt, pair.a()).pose(failure.time);
  const Pose b = path_of(attempt, pair.b()).pose(failure.time);
  const Side side_a = side_of(attempt, pair.a()), side_b = side_of(attempt, pair.b());
  const double s = std::max(failure.time - attempt.t, shortest_part * attempt.h);
  ++statistics_.added;
  for (StepContact contact : pair.contacts_found(a, b, closed_fraction * pair.kept_gap())) {
    contact.kept = pair.least_kept();
    const double rate =
        contact.normal.dot(side_a.drift_at(contact.arms[0]) - side_b.drift_at(contact.arms[1]));
    contact.gap = std::max(0.0, contact.gap - s * rate);
    contact.within = s;
    contact.found_late = true;
    attempt.contacts[failure.pair].push_back(contact);
  }
}

// Standing still is free of overlap. What stands still may be in the way of others, which are
// stopped then too.
void StepIsland::stop_unproven(Attempt& attempt) {
  while (true) {
    const std::vector<Failure> failures = unproven(attempt);
    if (failures.empty()) return;
    bool any = false;
    for (const Failure& failure : failures)
      for (const BodyIndex body : touching(failure.pair).bodies()) {
        const int place = place_of(body);
        if (place < 0 || attempt.bodies[place].is_stopped) continue;
        AttemptBody& now = attempt.bodies[place];
        now.is_stopped = any = true;
        now.drift = now.moved = {};
        if (now.bent) now.bent->stop();
        ++statistics_.forced_stops;
      }
    if (any) continue;
    const TouchingPair& pair = touching(failures.front().pair);
    throw SimulationError(
        attempt.t,
        fmt::format("bodies {} and {} are left no room to move; they fit exactly where "
                    "contacts need a gap, a body whose motion is prescribed presses them together, "
                    "or they overlap at the start",
                    scene_.model.bodies[pair.a()].name, scene_.model.bodies[pair.b()].name));
  }
}

}  // namespace abut::clock
