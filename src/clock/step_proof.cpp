#include "clock/step_proof.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "abut/diagnostics.h"
#include "base/limits.h"
#include "clock/bent_rows.h"

namespace abut::clock {

std::vector<Failure> unproven(Attempt& attempt) {
  std::vector<motion::BodyPath> paths;
  paths.reserve(attempt.island.slots.size());
  for (const int slot : attempt.island.slots)
    paths.push_back(attempt.island.scene.bodies[slot].bent
                        ? motion::BodyPath::resting(attempt.t, attempt.t, {})
                        : attempt.path_of(attempt.island.scene.bodies[slot].index));
  const auto path = [&](BodyIndex body) {
    const int place = attempt.island.place_of(body);
    return place >= 0 ? paths[place] : attempt.path_of(body);
  };
  attempt.gap_bound = infinity;
  std::vector<Failure> failures;
  for (std::size_t p = 0; p < attempt.island.pairs.size(); ++p) {
    NearPair& pair = *attempt.island.pairs[p];
    const toi::SearchResult result =
        pair.prove(path(pair.a()), path(pair.b()), attempt.t, attempt.t + attempt.h);
    attempt.gap_bound = std::min(attempt.gap_bound, result.gap_bound);
    if (result.touch) failures.push_back({p, result.touch->time, {}});
  }
  prove_bent(attempt, failures);
  return failures;
}

void add_late_contacts(Attempt& attempt, const Failure& failure) {
  if (failure.pair >= attempt.island.pairs.size()) return add_late_bent_contacts(attempt, failure);
  NearPair& pair = *attempt.island.pairs[failure.pair];
  const Pose a = attempt.path_of(pair.a()).pose(failure.time);
  const Pose b = attempt.path_of(pair.b()).pose(failure.time);
  const Side side_a = attempt.side_of(pair.a()), side_b = attempt.side_of(pair.b());
  const double s = std::max(failure.time - attempt.t, shortest_part * attempt.h);
  ++attempt.account.statistics.added;
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

void stop_unproven(Attempt& attempt) {
  while (true) {
    const std::vector<Failure> failures = unproven(attempt);
    if (failures.empty()) return;
    bool any = false;
    for (const Failure& failure : failures)
      for (const BodyIndex body : attempt.island.touching(failure.pair).bodies()) {
        const int place = attempt.island.place_of(body);
        if (place < 0 || attempt.bodies[place].is_stopped) continue;
        AttemptBody& now = attempt.bodies[place];
        now.is_stopped = any = true;
        now.drift = now.moved = {};
        if (now.bent) now.bent->stop();
        ++attempt.account.statistics.forced_stops;
      }
    if (any) continue;
    const TouchingPair& pair = attempt.island.touching(failures.front().pair);
    throw SimulationError(
        attempt.t,
        fmt::format("bodies {} and {} are left no room to move; they fit exactly where "
                    "contacts need a gap, a body whose motion is prescribed presses them together, "
                    "or they overlap at the start",
                    attempt.model().bodies[pair.a()].name, attempt.model().bodies[pair.b()].name));
  }
}

}  // namespace abut::clock
