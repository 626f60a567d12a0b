#include "impulse/mixed_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "impulse/reduction.h"

namespace abut::impulse {
namespace {

double equality_residual(const MixedProblem& problem, const Vector& z) {
  const Vector w = problem.system->along(problem.system->response(z)) + problem.b;
  double worst = 0, scale = 0;
  for (const int i : problem.equalities) {
    worst = std::max(worst, std::abs(w[i]));
    scale = std::max(scale, std::abs(problem.b[i]));
  }
  return scale > 0 ? worst / scale : 0;
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
  const Reduction reduction(*problem.system, problem.unilaterals, problem.equalities, problem.b);
  Vector of_unilaterals;
  if (!problem.unilaterals.empty()) {
    const lcp::Problem small{reduction.matrix(), reduction.constant(), problem.lower,
                             problem.upper};
    lcp::Solution found = lcp::solve_psd(small, start);
    if (problem.holds_all && found.status == lcp::Status::solved) lcp::complete_basis(small, found);
    solution.status = found.status;
    solution.residual = found.residual;
    solution.pivots = found.pivots;
    for (std::size_t i = 0; i < problem.unilaterals.size(); ++i)
      if (found.places[i] == lcp::Place::between) solution.basis.push_back(problem.unilaterals[i]);
    of_unilaterals = std::move(found.z);
    solution.places = std::move(found.places);
  }
  solution.z = reduction.multipliers(of_unilaterals);
  const std::vector<int>& equalities = reduction.equalities();
  solution.basis.insert(solution.basis.end(), equalities.begin(), equalities.end());
  if (!equalities.empty()) solution.equality_residual = equality_residual(problem, solution.z);
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
  whole.b = problem.b(rows);
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
