#include "impulse/mixed_problem.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "impulse/equalities.h"

namespace abut::impulse {
namespace {

lcp::Problem reduced(const MixedProblem& problem, const Equalities& equalities) {
  Equalities::Reduced small = equalities.reduced(problem.unilaterals, problem.b);
  return {std::move(small.a), std::move(small.b), problem.lower, problem.upper};
}

}  // namespace

MixedProblem MixedProblem::pushing(const RowSystem& system, Vector b, std::vector<int> unilaterals,
                                   std::vector<int> equalities) {
  MixedProblem problem;
  problem.system = &system;
  problem.b = std::move(b);
  const auto count = static_cast<Eigen::Index>(unilaterals.size());
  problem.lower = Vector::Zero(count);
  problem.upper = Vector::Constant(count, std::numeric_limits<double>::infinity());
  problem.unilaterals = std::move(unilaterals);
  problem.equalities = std::move(equalities);
  return problem;
}

std::vector<int> row_range(int begin, int end, const std::vector<int>& left_out) {
  std::vector<int> rows;
  for (int i = begin; i < end; ++i)
    if (!std::binary_search(left_out.begin(), left_out.end(), i)) rows.push_back(i);
  return rows;
}

MixedSolution solve(const MixedProblem& problem, const std::vector<lcp::Place>* start) {
  MixedSolution solution;
  solution.z = Vector::Zero(problem.system->size());
  const Equalities equalities(*problem.system, problem.equalities);
  if (!problem.unilaterals.empty()) {
    const lcp::Problem small = reduced(problem, equalities);
    lcp::Solution found = lcp::solve_psd(small, start);
    if (problem.holds_all && found.status == lcp::Status::solved) lcp::complete_basis(small, found);
    solution.status = found.status;
    solution.residual = found.residual;
    solution.pivots = found.pivots;
    for (std::size_t i = 0; i < problem.unilaterals.size(); ++i) {
      solution.z[problem.unilaterals[i]] = found.z[static_cast<Eigen::Index>(i)];
      if (found.places[i] == lcp::Place::between) solution.basis.push_back(problem.unilaterals[i]);
    }
    solution.places = std::move(found.places);
  }
  equalities.complete(problem.b, solution.z);
  solution.basis.insert(solution.basis.end(), equalities.rows().begin(), equalities.rows().end());
  if (!equalities.rows().empty())
    solution.equality_residuals = equalities.residuals(problem.b, solution.z);
  std::sort(solution.basis.begin(), solution.basis.end());
  return solution;
}

// With equalities the least norm is taken over all rows at once: the equalities enter the
// complementarity problem as rows without bounds. Rows that are neither take no part.
Vector solve_least_norm(const MixedProblem& problem) {
  std::vector<int> rows = problem.unilaterals;
  rows.insert(rows.end(), problem.equalities.begin(), problem.equalities.end());
  const auto bounded = static_cast<Eigen::Index>(problem.unilaterals.size());
  const auto free = static_cast<Eigen::Index>(problem.equalities.size());
  lcp::Problem whole;
  whole.a = problem.system->matrix(rows, rows);
  whole.b = gathered(problem.b, rows);
  whole.lower = Vector::Constant(bounded + free, -std::numeric_limits<double>::infinity());
  whole.upper = Vector::Constant(bounded + free, std::numeric_limits<double>::infinity());
  whole.lower.head(bounded) = problem.lower;
  whole.upper.head(bounded) = problem.upper;
  const Vector least = lcp::least_norm(whole, lcp::solve_psd(whole));
  Vector z = Vector::Zero(problem.system->size());
  for (std::size_t i = 0; i < rows.size(); ++i) z[rows[i]] = least[static_cast<Eigen::Index>(i)];
  return z;
}

}  // namespace abut::impulse
