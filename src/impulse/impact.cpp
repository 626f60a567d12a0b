#include "impulse/impact.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stop.h"
#include "impulse/accuracy.h"
#include "impulse/cone_impact.h"
#include "impulse/connected_impact.h"
#include "impulse/equalities.h"
#include "impulse/mixed_problem.h"
#include "impulse/rough_impact.h"

namespace abut::impulse {
namespace {

// The restitution of each row at the given rates.
Vector restitutions(const Impact& impact, const Vector& rates) {
  Vector e = Vector::Zero(rates.size());
  for (int i = 0; i < impact.set->contact_count(); ++i)
    if (rates[i] < -impact.rest_speed) e[i] = impact.set->contacts()[i].restitution;
  return e;
}

// Whether the rows that end with no rate are independent: then no other impulses do the same.
bool is_unique(const MixedProblem& problem, const MixedSolution& solution) {
  const RowSystem& system = *problem.system;
  const Vector w = system.along(system.response(solution.z)) + problem.b;
  const double none = accuracy_of_one * problem.b.lpNorm<Eigen::Infinity>();
  std::vector<int> rows = problem.equalities;
  for (const int row : problem.unilaterals)
    if (w[row] <= none) rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  return independent_rows(system.only(rows)).size() == rows.size();
}

// Of all impulses with the same effect those of least norm: the corners of a face that lands share
// alike. The others stand where rounding spoils the effect.
Vector shared(const MixedProblem& problem, const MixedSolution& solution) {
  if (is_unique(problem, solution)) return solution.z;
  const Vector least = solve_least_norm(problem);
  const RowSystem& system = *problem.system;
  const Vector change = system.along(system.response(least - solution.z));
  const double scale = problem.b.lpNorm<Eigen::Infinity>();
  return change.lpNorm<Eigen::Infinity>() <= accuracy_of_one * scale ? least : solution.z;
}

// The same with friction (cone_impact.h), which sees to it that no energy is gained.
Vector rough_jump(const Impact& impact, const Vector& rates, const Vector& restitution,
                  const std::vector<int>& unilaterals, ImpactResult& result) {
  const ConstraintSet& set = *impact.set;
  const Equalities equalities(*impact.system, row_range(set.first_equality(), set.first_tangent()));
  ConeImpact cones;
  cones.law = impact.law;
  cones.follows_slip = impact.follows_slip;
  std::vector<int> rows;
  for (const int row : unilaterals) {
    const int tangent = row < set.contact_count() ? set.tangent_of(row) : -1;
    rows.push_back(row);
    ConeImpactBlock block{lcp::ConeBlock::bounded(0, std::numeric_limits<double>::infinity()), 0,
                          restitution[row]};
    if (tangent >= 0) {
      const model::Friction& friction = set.contacts()[row].friction;
      block.law = lcp::ConeBlock::contact(friction.dynamic_coefficient);
      block.static_friction = friction.static_coefficient;
      rows.insert(rows.end(), {tangent, tangent + 1});
    }
    cones.blocks.push_back(block);
  }
  Equalities::Reduced small = equalities.reduced(rows, rates);
  cones.matrix = small.a.sparseView();
  cones.before = std::move(small.b);
  const ConeImpactResult hit = cone_impact(cones);
  if (hit.status != lcp::Status::solved) result.status = hit.status;
  result.residual = std::max(result.residual, hit.residual);
  result.pivots += hit.iterations;
  result.solves += hit.solves;
  for (std::size_t i = 0; i < unilaterals.size(); ++i)
    if (hit.restitution[i] < restitution[unilaterals[i]])
      result.limited.push_back({unilaterals[i], hit.restitution[i]});
  Vector impulses = Vector::Zero(rates.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    impulses[rows[i]] = hit.impulse[static_cast<Eigen::Index>(i)];
  equalities.complete(rates, impulses);
  return impulses;
}

bool is_rough(const Impact& impact) {
  return impact.set->has_friction() && !impact.is_smooth;
}

// Impulses of all joints and of the given contacts and limits, with every other contact ignored.
Vector jump(const Impact& impact, const Vector& rates, const Vector& restitution,
            const std::vector<int>& unilaterals, ImpactResult& result) {
  if (is_rough(impact)) return rough_jump(impact, rates, restitution, unilaterals, result);
  const MixedProblem problem =
      MixedProblem::pushing(*impact.system, rates + restitution.cwiseProduct(rates), unilaterals,
                            row_range(impact.set->first_equality(), impact.set->first_tangent()));
  const MixedSolution solution = solve(problem);
  if (solution.status != lcp::Status::solved) result.status = solution.status;
  result.residual = std::max(result.residual, solution.residual);
  result.pivots += solution.pivots;
  ++result.solves;
  return solution.status == lcp::Status::solved ? shared(problem, solution) : solution.z;
}

double energy_gained(const Vector& impulses, const Vector& before, const Vector& after) {
  return 0.5 * impulses.dot(before + after);
}

Vector rates_after(const RowSystem& system, const Vector& before, const Vector& impulses) {
  return before + system.along(system.response(impulses));
}

// See impact.h: the part of the way from `plain` (no restitution) to `full` that energy allows.
// Along the way the energy gained is a convex parabola g(s) with g(0) <= 0 < g(1).
Vector without_gain(const RowSystem& system, const Vector& before, const Vector& plain,
                    const Vector& full) {
  const auto gain = [&](double s) {
    const Vector impulses = plain + s * (full - plain);
    return energy_gained(impulses, before, rates_after(system, before, impulses));
  };
  const double at_0 = gain(0), at_half = gain(0.5), at_1 = gain(1);
  const double square = 2 * (at_1 + at_0 - 2 * at_half), linear = at_1 - at_0 - square;
  const double discriminant = std::max(0.0, linear * linear - 4 * square * at_0);
  const double root = linear + std::sqrt(discriminant);
  const double s = root > 0 ? std::clamp(-2 * at_0 / root, 0.0, 1.0) : 0.0;
  return plain + s * (full - plain);
}

bool gains_energy(const Impact& impact, const Vector& rates, const Vector& impulses) {
  const Vector after = rates_after(*impact.system, rates, impulses);
  const double exchanged = 0.5 * impulses.cwiseAbs().dot(rates.cwiseAbs() + after.cwiseAbs());
  return energy_gained(impulses, rates, after) > accuracy_of_many * exchanged;
}

// One simultaneous jump of some contacts, never with a gain of energy. A body that is jammed
// between others has nowhere to bounce to: restitution then asks for what is impossible.
Vector dissipative_jump(const Impact& impact, const Vector& rates,
                        const std::vector<int>& unilaterals, ImpactResult& result) {
  const Vector e = restitutions(impact, rates), none = Vector::Zero(rates.size());
  if (is_rough(impact)) return rough_jump(impact, rates, e, unilaterals, result);
  if (e.isZero(0)) return jump(impact, rates, none, unilaterals, result);
  ImpactResult bouncing = result;
  Vector full = jump(impact, rates, e, unilaterals, bouncing);
  if (bouncing.status != lcp::Status::solved) return jump(impact, rates, none, unilaterals, result);
  result = std::move(bouncing);
  if (!gains_energy(impact, rates, full)) return full;
  const Vector plain = jump(impact, rates, none, unilaterals, result);
  return without_gain(*impact.system, rates, plain, full);
}

void finish(const Impact& impact, const Vector& before, ImpactResult& result) {
  result.jumps = impact.system->response(result.impulses);
  result.energy_gained =
      energy_gained(result.impulses, before, before + impact.system->along(result.jumps));
}

// Approach that counts as none.
double settled_rate(const Vector& before) {
  return accuracy_of_one * before.lpNorm<Eigen::Infinity>();
}

// Lets the rows that `next` names collide, round after round, until it names none or the rounds are
// over. Returns the rates that are left.
template <class Next>
Vector collide_in_rounds(const Impact& impact, long rounds, const Next& next,
                         ImpactResult& result) {
  const Vector before = rates_of(*impact.system);
  result.impulses = Vector::Zero(before.size());
  Vector rates = before;
  for (long round = 0; round < rounds; ++round) {
    base::stop_if_wished();
    const std::vector<int> rows = next(rates);
    if (rows.empty()) break;
    result.impulses += dissipative_jump(impact, rates, rows, result);
    rates = rates_after(*impact.system, before, result.impulses);
  }
  return rates;
}

// What is left after rounds: all contacts at once, without restitution.
void settle_rest(const Impact& impact, const Vector& rates, ImpactResult& result) {
  result.impulses += jump(impact, rates, Vector::Zero(rates.size()),
                          row_range(0, impact.set->first_motor()), result);
}

// The contacts between the same two bodies as the one that approaches fastest; empty if none does.
std::vector<int> fastest_group(const Impact& impact, const Vector& rates, double settled) {
  int fastest = -1;
  for (int i = 0; i < impact.set->first_motor(); ++i)
    if (rates[i] < -settled && (fastest < 0 || rates[i] < rates[fastest])) fastest = i;
  std::vector<int> group;
  if (fastest < 0) return group;
  if (fastest >= impact.set->contact_count()) return {fastest};
  const auto& contacts = impact.set->contacts();
  for (int i = 0; i < impact.set->contact_count(); ++i)
    if (contacts[i].bodies == contacts[fastest].bodies) group.push_back(i);
  return group;
}

// Approaches that an impulse still bounces off, relative to its fastest (dimensionless): what is
// left of it after many passages would be passed to and fro for long, to no visible effect.
constexpr double passed_fraction = 1e-2;

// Rounds per contact that an impulse may take: half of a row of a hundred balls that meets the
// other half takes 25. Bodies that are wedged between others never end.
constexpr long passages_per_contact = 30;

// Contacts beyond which they all collide at once: every round is a cone problem of its own, and
// those of parts of a heap are the hardest there are.
constexpr int most_passing = 48;

// The rows of a round of pass_on(): those that approach, and those that do not bounce. Empty if
// nothing approaches fast enough to bounce.
std::vector<int> struck_rows(const Impact& impact, const Vector& rates, double settled,
                             double slow) {
  std::vector<int> rows;
  bool bounces = false;
  for (int i = 0; i < impact.set->first_motor(); ++i) {
    const double e = i < impact.set->contact_count() ? impact.set->contacts()[i].restitution : 0;
    if (e == 0 || rates[i] < -settled) rows.push_back(i);
    if (e > 0 && rates[i] < -slow) bounces = true;
  }
  return bounces ? rows : std::vector<int>();
}

}  // namespace

Vector rates_of(const RowSystem& system) {
  Vector rates(system.size());
  for (int i = 0; i < system.size(); ++i) rates[i] = system[i].row.rate;
  return rates;
}

ImpactResult no_impact(const Impact& impact) {
  ImpactResult result;
  result.impulses = Vector::Zero(impact.system->size());
  finish(impact, rates_of(*impact.system), result);
  return result;
}

ImpactResult newton(const Impact& impact) {
  ImpactResult result;
  const Vector before = rates_of(*impact.system);
  Impact all_at_once = impact;
  all_at_once.law = model::RestitutionLaw::newton;
  all_at_once.follows_slip = false;
  result.impulses =
      dissipative_jump(all_at_once, before, row_range(0, impact.set->first_motor()), result);
  finish(impact, before, result);
  return result;
}

ImpactResult pass_on(const Impact& impact) {
  if (impact.set->contact_count() > most_passing) return newton(impact);
  const Vector before = rates_of(*impact.system);
  const int bounded = impact.set->first_motor();
  const double settled = settled_rate(before);
  const double fastest = bounded > 0 ? std::max(0.0, -before.head(bounded).minCoeff()) : 0;
  const double slow = std::max({settled, impact.rest_speed, passed_fraction * fastest});
  ImpactResult result;
  const Vector rates = collide_in_rounds(
      impact, passages_per_contact * bounded,
      [&](const Vector& now) { return struck_rows(impact, now, settled, slow); }, result);
  // Where nothing bounces this is the impact.
  if (result.impulses.isZero(0) || rates.head(bounded).minCoeff() < -settled)
    settle_rest(impact, rates, result);
  finish(impact, before, result);
  return result;
}

ImpactResult sequential(const Impact& impact) {
  const Vector before = rates_of(*impact.system);
  const int bounded = impact.set->first_motor();
  const double settled = settled_rate(before);
  ImpactResult result;
  const Vector rates = collide_in_rounds(
      impact, rounds_per_contact * bounded,
      [&](const Vector& now) { return fastest_group(impact, now, settled); }, result);
  if (bounded > 0 && rates.head(bounded).minCoeff() < -settled) settle_rest(impact, rates, result);
  finish(impact, before, result);
  return result;
}

ImpactResult settle_at_once(const Impact& impact, const Vector& rates) {
  ImpactResult result;
  result.impulses = Vector::Zero(rates.size());
  settle_rest(impact, rates, result);
  return result;
}

ImpactResult come_to_rest(const Impact& impact, const std::vector<int>& rows) {
  ImpactResult result;
  const Vector before = rates_of(*impact.system);
  std::vector<int> equalities = rows;
  for (const int row : row_range(impact.set->first_equality(), impact.set->first_tangent()))
    equalities.push_back(row);
  const MixedSolution solution = solve(MixedProblem::pushing(
      *impact.system, before, row_range(0, impact.set->first_motor(), rows), equalities));
  result.status = solution.status;
  result.residual = solution.residual;
  result.pivots = solution.pivots;
  result.solves = 1;
  result.impulses = solution.z;
  finish(impact, before, result);
  return result;
}

}  // namespace abut::impulse
