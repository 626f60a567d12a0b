#include "lcp/active_set.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/stop.h"
#include "lcp/accuracy.h"

namespace abut::lcp {
namespace {

// A w of the wrong sign counts if it exceeds this fraction of the terms that it is the sum of. A
// sum of 2,000 terms may lose 2,000 epsilon = 4e-13; a basis as badly conditioned as allowed a
// little more. So may rows that depend on the basis lose of the noise of many.
constexpr double smallest_tolerance = 1e-12;

// A row that depends on the basis and contradicts it by less than this fraction of its terms
// contradicts it by rounding errors in A and b: those of a threshold at 1e-14 for the square.
constexpr double contradiction_noise = 1e-7;

// Rounding errors of w that do not depend on its own terms, relative to the largest b and the sum
// of all |z|: those of Cholesky's method and of an A_ik or b_i that is 0 but for cancellation.
constexpr double absolute_noise = 16 * epsilon;

// Rounds per unknown before the tolerance is raised by `tolerance_growth`. Typical is one.
constexpr Index rounds_per_unknown = 10;
constexpr double tolerance_growth = 10;

bool is_fixed(const Problem& problem, Index i) {
  return problem.lower[i] == problem.upper[i];
}

bool is_equality(const Problem& problem, Index i) {
  return problem.lower[i] == -infinity && problem.upper[i] == infinity;
}

}  // namespace

ActiveSet::ActiveSet(const Problem& problem)
    : problem_(problem), basis_(problem.a), tolerance_(smallest_tolerance) {
  places_.assign(at(problem.size()), Place::lower);
  ignored_.assign(at(problem.size()), false);
  z_ = Vector::Zero(problem.size());
  w_ = problem.b;
}

// --- Starting
// --------------------------------------------------------------------------------------

void ActiveSet::start(const std::vector<Place>& places, double threshold) {
  for (Index i = 0; i < problem_.size(); ++i) hold(i, places[at(i)]);
  pivots_ += static_cast<long>(choose_basis(places, threshold).size());
  recompute_held_part();

  find_basis_minimum();
  const double noise = cancellation * target_.lpNorm<1>();
  for (Index p = basis_.size() - 1; p >= 0; --p) {
    const Index i = basis_.rows()[at(p)];
    z_[i] = std::clamp(target_[p], problem_.lower[i], problem_.upper[i]);
    if (std::abs(target_[p] - z_[i]) <= noise) continue;
    leave(p, target_[p] < z_[i] ? Place::lower : Place::upper);
  }
  at_minimum_ = pivots_ == 0;
}

void ActiveSet::start(const std::vector<Place>& places, const Vector& z) {
  for (Index i = 0; i < problem_.size(); ++i) hold(i, places[at(i)]);
  const std::vector<Index> dependent = choose_basis(places, clear_independence);
  for (const Index i : basis_.rows()) z_[i] = z[i];
  for (const Index i : dependent) z_[i] = z[i];
  for (const Index j : dependent) {
    const double from = z_[j];
    hold_at_nearest(j);
    const double way = z_[j] - from;
    z_[j] = from;
    if (way == 0) continue;
    basis_.border(j);
    const Move move = move_along_null_vector(j, way > 0 ? 1 : -1, std::abs(way));
    if (move != Move::basis_changed) hold_at_nearest(j);
  }
  recompute_held_part();
  at_minimum_ = false;
}

/// The rows `between`, equalities first, since these should not be left out in favour of contacts.
/// Returns those that depend on the others.
std::vector<Index> ActiveSet::choose_basis(const std::vector<Place>& places, double threshold) {
  std::vector<Index> candidates;
  for (Index i = 0; i < problem_.size(); ++i) {
    if (places[at(i)] == Place::between && is_equality(problem_, i)) candidates.push_back(i);
  }
  const auto equalities = static_cast<std::ptrdiff_t>(candidates.size());
  for (Index i = 0; i < problem_.size(); ++i) {
    if (places[at(i)] == Place::between && !is_equality(problem_, i)) candidates.push_back(i);
  }
  std::vector<Index> dependent;
  if (!basis_.factor_all(candidates, threshold)) {
    const auto middle = candidates.begin() + equalities;
    dependent = basis_.extend({candidates.begin(), middle});
    const std::vector<Index> more = basis_.extend({middle, candidates.end()});
    dependent.insert(dependent.end(), more.begin(), more.end());
  }
  for (const Index i : basis_.rows()) places_[at(i)] = Place::between;
  return dependent;
}

// --- Places
// ----------------------------------------------------------------------------------------

/// Puts an unknown that is not basic to the bound, or to the other one if that bound is infinite.
void ActiveSet::hold(Index i, Place place) {
  const double lower = problem_.lower[i], upper = problem_.upper[i];
  if (is_equality(problem_, i)) {
    places_[at(i)] = Place::redundant;
    z_[i] = 0;
  } else if ((place == Place::upper && upper != infinity) || lower == -infinity) {
    places_[at(i)] = Place::upper;
    z_[i] = upper;
  } else {
    places_[at(i)] = Place::lower;
    z_[i] = lower;
  }
}

void ActiveSet::hold_at_nearest(Index i) {
  const bool up = problem_.upper[i] - z_[i] < z_[i] - problem_.lower[i];
  hold(i, up ? Place::upper : Place::lower);
}

/// Enters a row for which the border of the basis was computed last.
void ActiveSet::enter(Index j) {
  basis_.append(j);
  places_[at(j)] = Place::between;
  if (z_[j] != 0) held_part_ -= z_[j] * problem_.a.col(j);
  ++pivots_;
}

void ActiveSet::leave(Index position, Place place) {
  const Index i = basis_.rows()[at(position)];
  basis_.remove(position);
  hold(i, place);
  if (z_[i] != 0) held_part_ += z_[i] * problem_.a.col(i);
  ++pivots_;
}

void ActiveSet::recompute_held_part() {
  held_part_ = problem_.b;
  for (Index i = 0; i < problem_.size(); ++i) {
    if (places_[at(i)] != Place::between && z_[i] != 0) held_part_ += z_[i] * problem_.a.col(i);
  }
}

// --- Step 1: the minimum over the basis
// --------------------------------------------------------------

void ActiveSet::find_basis_minimum() {
  target_.resize(basis_.size());
  for (Index p = 0; p < basis_.size(); ++p) target_[p] = -held_part_[basis_.rows()[at(p)]];
  basis_.solve(target_);
}

void ActiveSet::minimise_over_basis() {
  while (true) {
    base::stop_if_wished();
    find_basis_minimum();
    const double noise = cancellation * target_.lpNorm<1>();
    double step = 1;
    Index blocking = -1;
    for (Index p = 0; p < basis_.size(); ++p) {
      const Index i = basis_.rows()[at(p)];
      const double bound = std::clamp(target_[p], problem_.lower[i], problem_.upper[i]);
      if (std::abs(target_[p] - bound) <= noise) continue;
      const double fraction = (bound - z_[i]) / (target_[p] - z_[i]);
      if (fraction >= step) continue;
      step = fraction;
      blocking = p;
    }
    for (Index p = 0; p < basis_.size(); ++p) {
      const Index i = basis_.rows()[at(p)];
      const double moved = blocking < 0 ? target_[p] : z_[i] + step * (target_[p] - z_[i]);
      z_[i] = std::clamp(moved, problem_.lower[i], problem_.upper[i]);
    }
    if (blocking < 0) break;
    const Index i = basis_.rows()[at(blocking)];
    leave(blocking, target_[blocking] < z_[i] ? Place::lower : Place::upper);
  }
  at_minimum_ = true;
}

/// One refinement of the basic unknowns by their true w.
void ActiveSet::polish() {
  Vector correction(basis_.size());
  for (Index p = 0; p < basis_.size(); ++p) correction[p] = -w_[basis_.rows()[at(p)]];
  basis_.solve(correction);
  for (Index p = 0; p < basis_.size(); ++p) {
    const Index i = basis_.rows()[at(p)];
    z_[i] = std::clamp(z_[i] + correction[p], problem_.lower[i], problem_.upper[i]);
  }
  update_w();
}

// --- Step 2: who is wrong
// ----------------------------------------------------------------------------

void ActiveSet::update_w() {
  w_ = held_part_;
  for (const Index i : basis_.rows()) w_ += z_[i] * problem_.a.col(i);
}

/// The sum of the absolute values of the terms of w_i.
double ActiveSet::terms(Index i) const {
  return std::abs(problem_.b[i]) + problem_.a.col(i).cwiseAbs().dot(z_.cwiseAbs());
}

/// What absolute noise is relative to.
double ActiveSet::extent() const {
  return problem_.size() == 0 ? 0 : z_.lpNorm<1>() + problem_.b.cwiseAbs().maxCoeff();
}

/// How wrong each w may be.
Vector ActiveSet::allowances() const {
  Vector sums = problem_.b.cwiseAbs();
  for (Index i = 0; i < problem_.size(); ++i) {
    if (z_[i] != 0) sums += std::abs(z_[i]) * problem_.a.col(i).cwiseAbs();
  }
  return (tolerance_ * sums).array() + absolute_noise * extent();
}

double ActiveSet::wrongness(Index i) const {
  if (ignored_[at(i)] || is_fixed(problem_, i)) return 0;
  switch (places_[at(i)]) {
    case Place::between:
      return 0;
    case Place::lower:
      return -w_[i];
    case Place::upper:
      return w_[i];
    case Place::redundant:
      return std::abs(w_[i]);
  }
  return 0;
}

/// The row with the worst w, or -1. Row sums of |A z| cost as much as w itself, so they are bounded
/// from above first, by |A_ik|^2 <= A_ii A_kk, and computed only before the method ends.
Index ActiveSet::worst_row() {
  const double bound = (2 * tolerance_ + absolute_noise) * extent();
  Index worst = -1;
  double most = 0;
  for (Index i = 0; i < problem_.size(); ++i) {
    const double wrong = wrongness(i);
    if (wrong <= most || wrong <= bound) continue;
    worst = i;
    most = wrong;
  }
  if (worst >= 0) return worst;

  recompute_held_part();
  update_w();
  polish();
  const Vector allowed = allowances();
  for (Index i = 0; i < problem_.size(); ++i) {
    const double wrong = wrongness(i);
    if (wrong <= most || wrong <= allowed[i]) continue;
    worst = i;
    most = wrong;
  }
  return worst;
}

// --- Step 3: the basis changes
// -----------------------------------------------------------------------

/// False if nothing can be done about row j: a ray.
bool ActiveSet::bring_in(Index j) {
  const double direction = w_[j] < 0 ? 1 : -1;
  basis_.border(j);
  if (basis_.is_independent()) {
    enter(j);
    return true;
  }
  // The objective falls until its minimum along d, unless its curvature is noise.
  const double room = direction > 0 ? problem_.upper[j] - z_[j] : z_[j] - problem_.lower[j];
  const bool is_curved = basis_.complement() > basis_.complement_noise();
  const double to_minimum = is_curved ? std::abs(w_[j]) / basis_.complement() : infinity;
  switch (move_along_null_vector(j, direction, std::min(room, to_minimum))) {
    case Move::basis_changed:
      return true;
    case Move::limit_reached:
      if (room <= to_minimum) {
        hold(j, direction > 0 ? Place::upper : Place::lower);
      } else {
        enter(j);
      }
      return true;
    case Move::ray:
      break;
  }
  const double allowed = contradiction_noise * terms(j) + smallest_tolerance * extent();
  if (std::abs(w_[j]) > allowed) return false;
  ignored_[at(j)] = true;
  return true;
}

/// Moves z_j by at most `limit` and z_F with it, such that A z stays as it is, until a basic
/// unknown meets a bound and is exchanged for j. The border of the basis by j must have been
/// computed last; it is again so afterwards.
ActiveSet::Move ActiveSet::move_along_null_vector(Index j, double direction, double limit) {
  while (true) {
    base::stop_if_wished();
    const Vector d = -direction * basis_.coefficients();
    const double noise = dependence * std::max(1.0, d.size() == 0 ? 0 : d.cwiseAbs().maxCoeff());
    double step = limit;
    Index blocking = -1;
    for (Index p = 0; p < basis_.size(); ++p) {
      if (std::abs(d[p]) <= noise) continue;
      const Index i = basis_.rows()[at(p)];
      const double room = d[p] < 0 ? z_[i] - problem_.lower[i] : problem_.upper[i] - z_[i];
      const double reach = room / std::abs(d[p]);
      // Of several that meet their bounds together, the largest coefficient makes the best basis.
      const bool is_tie = blocking >= 0 && reach == step && std::abs(d[p]) > std::abs(d[blocking]);
      if (reach >= step && !is_tie) continue;
      step = reach;
      blocking = p;
    }
    if (step == infinity) return Move::ray;

    for (Index p = 0; p < basis_.size(); ++p) {
      const Index i = basis_.rows()[at(p)];
      z_[i] = std::clamp(z_[i] + step * d[p], problem_.lower[i], problem_.upper[i]);
    }
    z_[j] += step * direction;
    held_part_ += step * direction * problem_.a.col(j);
    limit -= step;
    if (blocking < 0) return Move::limit_reached;

    leave(blocking, d[blocking] < 0 ? Place::lower : Place::upper);
    basis_.border(j);
    if (basis_.is_independent()) {
      enter(j);
      return Move::basis_changed;
    }
  }
}

/// Joints that turned out independent of the final basis belong to it, though they carry no force
/// now.
void ActiveSet::admit_independent_equalities() {
  for (Index i = 0; i < problem_.size(); ++i) {
    if (places_[at(i)] != Place::redundant) continue;
    base::stop_if_wished();
    basis_.border(i);
    if (basis_.is_independent()) enter(i);
  }
}

Status ActiveSet::run() {
  Index rounds = 0;
  while (true) {
    base::stop_if_wished();
    if (!at_minimum_) minimise_over_basis();
    update_w();
    const Index j = worst_row();
    if (j < 0) break;
    if (!bring_in(j)) return Status::no_solution;
    at_minimum_ = false;
    if (++rounds < rounds_per_unknown * (problem_.size() + 10)) continue;
    rounds = 0;
    tolerance_ *= tolerance_growth;
    if (tolerance_ > contradiction_noise) return Status::not_converged;
  }
  admit_independent_equalities();
  return Status::solved;
}

}  // namespace abut::lcp
