#include "loop/gaps.h"

#include <algorithm>
#include <cmath>

#include "impulse/mixed_problem.h"

namespace abut::loop {
namespace {

using impulse::MixedSolution;
using impulse::Vector;

// Newton steps that restore gaps: they are off by a contact distance at most.
constexpr int gap_rounds = 3;

// By how much contacts may contradict each other that are all to be at the rest gap, relative to
// that or to what they lack (dimensionless): rounding of positions far from the origin.
constexpr double gap_contradiction = 1e-2;

// What rows lack, with `equal` contacts brought there exactly and others at least there.
impulse::MixedProblem gap_problem(const EventBodies& bodies, const Vector& missing,
                                  const std::vector<int>& equal) {
  const impulse::ConstraintSet& set = bodies.set();
  std::vector<int> equalities = equal;
  for (int i = set.first_equality(); i < set.first_tangent(); ++i) equalities.push_back(i);
  return impulse::MixedProblem::pushing(bodies.system(), missing,
                                        impulse::row_range(0, set.first_equality(), equal),
                                        std::move(equalities));
}

bool contradict(const EventBodies& bodies, const Vector& missing, const MixedSolution& found) {
  const double scale =
      std::max(model::rest_gap(bodies.model().solver), missing.lpNorm<Eigen::Infinity>());
  return found.status != lcp::Status::solved ||
         found.equality_residuals.largest > gap_contradiction * scale;
}

// How far these multipliers move a point of a body by turning it, m.
double turning_distance(const EventBodies& bodies, const Vector& multipliers) {
  double farthest = 0;
  const std::vector<impulse::Twist> shifts = bodies.system().response(multipliers);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const BodyIndex body = bodies.contact_event().bodies[i];
    farthest =
        std::max(farthest, shifts[i].angular.norm() * bodies.model().bodies[body].bounding_radius);
  }
  return farthest;
}

// Contacts that are too near come to the rest gap all alike, so that what lies flat stays flat: the
// least a body can do to clear its supports would be to tilt, and then it slides. Where they
// contradict each other, or lie so near to each other that a body would have to turn for it, they
// only have to clear it.
Vector restoring_shifts(const EventBodies& bodies, const Vector& missing,
                        const std::vector<int>& too_near) {
  const MixedSolution alike = impulse::solve(gap_problem(bodies, missing, too_near));
  if (!contradict(bodies, missing, alike) &&
      turning_distance(bodies, alike.z) <= model::rest_gap(bodies.model().solver))
    return alike.z;
  return impulse::solve(gap_problem(bodies, missing, {})).z;
}

// How much of the shifts is made: bodies turn by no more than the rest gap.
double allowed_part(const EventBodies& bodies, const Vector& multipliers) {
  const double rest_gap = model::rest_gap(bodies.model().solver);
  const double turning = turning_distance(bodies, multipliers);
  return turning > rest_gap ? rest_gap / turning : 1;
}

void approach_rest_gap(EventBodies& bodies, const std::vector<bool>& lasts) {
  const double rest_gap = model::rest_gap(bodies.model().solver);
  const int contacts = bodies.set().contact_count();
  std::vector<int> lasting;
  for (int i = 0; i < contacts; ++i)
    if (lasts[i]) lasting.push_back(i);
  for (int round = 0; round < gap_rounds; ++round) {
    bodies.observe();
    const impulse::RowSystem& system = bodies.system();
    Vector missing = Vector::Zero(system.size());
    double farthest = 0;
    for (int i = 0; i < system.size(); ++i) {
      missing[i] = system[i].row.value;
      if (i >= contacts) continue;
      missing[i] -= lasts[i] ? rest_gap : std::min(rest_gap, system[i].row.value);
      if (lasts[i]) farthest = std::max(farthest, std::abs(missing[i]));
    }
    if (farthest <= gap_contradiction * rest_gap) return;
    const MixedSolution found = impulse::solve(gap_problem(bodies, missing, lasting));
    if (contradict(bodies, missing, found)) return;
    const double part = allowed_part(bodies, found.z);
    bodies.shift(part * found.z);
    if (part < 1) return;
  }
}

// Those that came to the rest gap are kept there, and those that are too near strive for it.
double kept_gap(const EventBodies& bodies, int contact) {
  const double gap = bodies.system()[contact].row.value;
  const double rest_gap = model::rest_gap(bodies.model().solver);
  return gap <= (1 + gap_contradiction) * rest_gap ? rest_gap : gap;
}

}  // namespace

void restore_gaps(EventBodies& bodies) {
  const impulse::ConstraintSet& set = bodies.set();
  const double rest_gap = model::rest_gap(bodies.model().solver);
  for (int round = 0; round < gap_rounds; ++round) {
    const impulse::RowSystem& system = bodies.system();
    Vector missing(system.size());
    for (int i = 0; i < system.size(); ++i)
      missing[i] = system[i].row.value - (i < set.contact_count() ? rest_gap : 0);
    std::vector<int> too_near;
    for (int i = 0; i < set.contact_count(); ++i)
      if (missing[i] < 0) too_near.push_back(i);
    const int bounded = set.first_equality();
    if (bounded > 0 && missing.head(bounded).minCoeff() >= 0 && bounded == set.first_tangent())
      break;
    bodies.shift(restoring_shifts(bodies, missing, too_near));
    bodies.observe();
  }
}

void close_up(EventBodies& bodies, const std::vector<bool>& lasts,
              std::vector<contact::Contact>& lasting) {
  if (lasting.empty()) return;
  approach_rest_gap(bodies, lasts);
  bodies.observe();
  const impulse::ConstraintSet& set = bodies.set();
  for (contact::Contact& contact : lasting)
    for (int i = 0; i < set.contact_count(); ++i)
      if (set.contacts()[i].is_same_place(contact)) contact.kept_gap = kept_gap(bodies, i);
}

}  // namespace abut::loop
