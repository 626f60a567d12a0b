#include "impulse/mixed_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace abut::impulse {
namespace {

// Dimensionless; independent rows of mechanisms and piles leave far more.
constexpr double dependence_rounding = 1e-12;

Vector gathered(const Vector& all, const std::vector<int>& indices) {
  Vector some(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) some[i] = all[indices[i]];
  return some;
}

// The equalities that are independent of each other, factorised.
struct Equalities {
  std::vector<int> rows;
  RowSystem system;
  RowSolver solver;

  explicit Equalities(const MixedProblem& problem) {
    const RowSystem all = problem.system->only(problem.equalities);
    std::vector<int> independent = independent_rows(all);
    for (const int i : independent) rows.push_back(problem.equalities[i]);
    system = all.only(independent);
    solver.factorise(system);
  }
};

// What is left of a row that the equalities decide is rounding: of its diagonal entry relative to
// the one before, and of its constant relative to the terms it is made of. Taken for real it could
// ask for what no multiplier can give.
void forget_dependent_rows(lcp::Problem& small, const Vector& diagonal, const Vector& terms) {
  for (Eigen::Index i = 0; i < small.size(); ++i) {
    if (small.a(i, i) > dependence_rounding * diagonal[i]) continue;
    small.a.row(i).setZero();
    small.a.col(i).setZero();
    if (std::abs(small.b[i]) <= dependence_rounding * terms[i]) small.b[i] = 0;
  }
}

// The unilateral rows with the equalities solved for: A' = A_uu - A_ue A_ee^-1 A_eu.
lcp::Problem reduced(const MixedProblem& problem, const Equalities& equalities) {
  const RowSystem& system = *problem.system;
  lcp::Problem small;
  small.a = system.only(problem.unilaterals).matrix();
  small.b = gathered(problem.b, problem.unilaterals);
  small.lower = problem.lower;
  small.upper = problem.upper;
  if (!equalities.rows.empty() && !problem.unilaterals.empty()) {
    const Matrix coupling = system.matrix(equalities.rows, problem.unilaterals);
    Matrix solved(coupling.rows(), coupling.cols());
    for (Eigen::Index j = 0; j < coupling.cols(); ++j)
      solved.col(j) = equalities.solver.solve(coupling.col(j));
    const Vector alone = small.a.diagonal();
    const Vector of_equalities = gathered(problem.b, equalities.rows);
    const Vector terms =
        small.b.cwiseAbs() + solved.cwiseAbs().transpose() * of_equalities.cwiseAbs();
    small.a -= coupling.transpose() * solved;
    small.a = (0.5 * (small.a + small.a.transpose())).eval();
    small.b -= solved.transpose() * of_equalities;
    forget_dependent_rows(small, alone, terms);
  }
  return small;
}

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
  solution.z = Vector::Zero(problem.system->size());
  const Equalities equalities(problem);
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
  if (!equalities.rows.empty()) {
    const Vector w = problem.system->along(problem.system->response(solution.z)) + problem.b;
    const Vector forces = equalities.solver.solve(-gathered(w, equalities.rows));
    for (std::size_t i = 0; i < equalities.rows.size(); ++i)
      solution.z[equalities.rows[i]] = forces[static_cast<Eigen::Index>(i)];
    solution.basis.insert(solution.basis.end(), equalities.rows.begin(), equalities.rows.end());
    solution.equality_residual = equality_residual(problem, solution.z);
  }
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
