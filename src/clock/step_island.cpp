#include "clock/step_island.h"

#include <algorithm>

#include "clock/bent_rows.h"
#include "clock/implicit_forces.h"
#include "clock/step_acceptance.h"
#include "clock/step_attempt.h"
#include "clock/step_flight.h"
#include "clock/step_gaps.h"
#include "clock/step_prediction.h"
#include "clock/step_proof.h"
#include "clock/step_rows.h"
#include "clock/step_solution.h"

namespace abut::clock {
namespace {

// How often a step is solved again with rows where its proof failed, before it is shortened.
constexpr int most_rounds = 3;

// Solves, proves, adds what the proof shows to be missing, and so on.
bool solve_and_prove(Attempt& attempt) {
  for (int round = 0; round < most_rounds; ++round) {
    state_problem(attempt);
    if (!solve_problem(attempt)) return false;
    open_gaps(attempt);
    if (is_inside_out(attempt)) return false;
    const std::vector<Failure> failures = unproven(attempt);
    if (failures.empty()) return true;
    for (const Failure& failure : failures) add_late_contacts(attempt, failure);
  }
  return false;
}

// Ends the step where something arrives within it: whether there is such a thing.
bool end_at_arrival(Attempt& attempt) {
  const double arrival = first_arrival(attempt);
  if (!(arrival < attempt.h)) return false;
  shorten(attempt, arrival);
  return true;
}

}  // namespace

void StepIsland::advance(double from, double to,
                         const std::vector<impulse::OutsideImpulse>& outside_impulses) {
  members_.shortest = shortest_part * (to - from);
  members_.outside_impulses = outside_impulses;
  double t = from;
  double h = std::min(to - from, longest_step(to - from));
  while (t < to) {
    if (members_.scene.interrupt != nullptr && members_.scene.interrupt->load()) return;
    // The last two steps share what is left, so that none is too short to be told.
    const double left = to - t;
    const Taken taken = take_step(t, h >= left ? left : std::min(h, 0.5 * left));
    t = taken.time >= left ? to : t + taken.time;
    for (const int slot : members_.slots)
      members_.scene.bodies[slot].longest_step = 0.5 * taken.next;
    h = taken.next;
  }
}

// What was proven lately, twice as long: the next try may be wrong.
double StepIsland::longest_step(double h) const {
  double longest = h;
  for (const int slot : members_.slots) {
    const SteppedBody& body = members_.scene.bodies[slot];
    if (body.longest_step > 0) longest = std::min(longest, 2 * body.longest_step);
  }
  for (const int index : members_.explicit_forces.forces) {
    const double rate = integrate::force_rate(members_.model(), members_.model().forces[index]);
    if (rate > 0) longest = std::min(longest, followed_phase / rate);
  }
  return std::max(longest, members_.shortest);
}

// One step from t, of length h or less.
StepIsland::Taken StepIsland::take_step(double t, double h) {
  if (take_flight(members_, account_, t, h)) {
    members_.outside_impulses.clear();
    return {h, 2 * h};
  }
  Attempt attempt(members_, account_, t, h);
  double uncut = 0;  // as long as nothing but an arrival has shortened it
  predict(attempt);
  collect_contacts(attempt);
  if (end_at_arrival(attempt)) uncut = h;
  while (!solve_and_prove(attempt)) {
    if (attempt.h <= members_.shortest) {
      stop_unproven(attempt);
      break;
    }
    ++account_.statistics.shortened;
    uncut = 0;
    const bool looked_past = attempt.looks_past_any();
    shorten(attempt, std::max(0.5 * attempt.h, members_.shortest));
    // What is no longer passed may arrive.
    if (looked_past) end_at_arrival(attempt);
  }
  accept(attempt);
  members_.outside_impulses.clear();
  return {attempt.h, std::max(2 * attempt.h, uncut)};
}

}  // namespace abut::clock
