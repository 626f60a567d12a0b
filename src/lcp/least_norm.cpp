// What can still be chosen once w is known: which rows are basic, and which of the solutions to
// report.

#include <cmath>

#include "lcp/accuracy.h"
#include "lcp/basis_factor.h"
#include "lcp/lcp.h"
#include "lcp/scaling.h"
#include "math/dense.h"

namespace abut::lcp {
namespace {

double without_noise(double value, double noise) {
  return std::abs(value) <= noise ? 0 : value;
}

/// Rows whose unknowns may differ between solutions: those with w = 0 that are not fixed.
std::vector<Index> undecided_rows(const Problem& problem, const Solution& solution) {
  const Vector z = solution.z.cwiseAbs();
  const Vector roots = problem.a.diagonal().cwiseAbs().cwiseSqrt();
  const Vector terms = problem.b.cwiseAbs() + problem.a.cwiseAbs() * z + roots * roots.dot(z);
  std::vector<Index> rows;
  for (Index i = 0; i < problem.size(); ++i) {
    if (problem.lower[i] == problem.upper[i]) continue;
    const Place place = solution.places[static_cast<std::size_t>(i)];
    const bool is_held = place == Place::lower || place == Place::upper;
    if (!is_held || std::abs(solution.w[i]) <= zero_motion * terms[i]) rows.push_back(i);
  }
  return rows;
}

/// An orthonormal basis of the range of A_TT: its columns in a largest independent subset of T span
/// it.
Matrix range_of(const Problem& problem, const std::vector<Index>& rows) {
  const Vector scales = balancing_scales(problem.a);
  const Problem balanced = scaled(problem, scales);
  BasisFactor basis(balanced.a);
  if (!basis.factor_all(rows, clear_independence)) basis.extend(rows);
  Matrix columns = problem.a(rows, basis.rows());
  for (Index k = 0; k < columns.cols(); ++k) {
    columns.col(k) *= scales[basis.rows()[static_cast<std::size_t>(k)]];
  }
  return math::orthonormal_basis(columns);
}

/// Bounds that may have to be enforced: unknown `row` of the undecided ones, `sign` +1 for its
/// lower bound and -1 for its upper one, `slack` its distance from the bound.
struct Side {
  Index row;
  double sign;
  double slack;
};

}  // namespace

void complete_basis(const Problem& problem, Solution& solution) {
  const Problem balanced = scaled(problem, balancing_scales(problem.a));
  std::vector<Index> basic, others;
  for (const Index i : undecided_rows(problem, solution)) {
    const bool is_basic = solution.places[static_cast<std::size_t>(i)] == Place::between;
    (is_basic ? basic : others).push_back(i);
  }
  BasisFactor basis(balanced.a);
  if (!basis.factor_all(basic, smallest_complement)) return;
  basis.extend(others);
  for (Index p = static_cast<Index>(basic.size()); p < basis.size(); ++p) {
    solution.places[static_cast<std::size_t>(basis.rows()[static_cast<std::size_t>(p)])] =
        Place::between;
    ++solution.pivots;
  }
}

/// Solutions differ by null vectors of A_TT, T being the undecided rows (A_TT v = 0 implies A_:T v
/// = 0). Let P be the orthogonal projector on these, and q = (1 - P) z_T. The conditions for the
/// least norm
///     minimise |z|^2 / 2   subject to   (1 - P) z = q,  lower <= z <= upper
/// with multipliers x >= 0 of the bounds are
///     z = q + P (x_lower - x_upper),   x_lower complementary to z - lower, x_upper to upper - z:
/// again a complementarity problem with a positive semidefinite matrix, whose w, hence z, is
/// unique.
Vector least_norm(const Problem& problem, const Solution& solution) {
  const std::vector<Index> rows = undecided_rows(problem, solution);
  const auto count = static_cast<Index>(rows.size());
  const Matrix range = range_of(problem, rows);
  if (count == range.cols()) return solution.z;
  Vector z = range * (range.transpose() * solution.z(rows));

  Matrix projector = -range * range.transpose();
  projector.diagonal().array() += 1;
  const double noise = cancellation * solution.z.cwiseAbs().maxCoeff();
  std::vector<Side> sides;
  bool is_within = true;
  for (Index k = 0; k < count; ++k) {
    const Index i = rows[static_cast<std::size_t>(k)];
    const double above = without_noise(z[k] - problem.lower[i], noise);
    const double below = without_noise(problem.upper[i] - z[k], noise);
    is_within = is_within && above >= 0 && below >= 0;
    if (projector(k, k) < dependence) continue;
    if (std::isfinite(above)) sides.push_back({k, 1, above});
    if (std::isfinite(below)) sides.push_back({k, -1, below});
  }
  if (!is_within) {
    const auto m = static_cast<Index>(sides.size());
    Matrix a(m, m);
    Vector b(m);
    for (Index k = 0; k < m; ++k) {
      const Side& side = sides[static_cast<std::size_t>(k)];
      b[k] = side.slack;
      for (Index i = 0; i < m; ++i) {
        const Side& other = sides[static_cast<std::size_t>(i)];
        a(i, k) = other.sign * side.sign * projector(other.row, side.row);
      }
    }
    const Solution multipliers = solve_psd(Problem::complementarity(std::move(a), std::move(b)));
    if (multipliers.status != Status::solved) return solution.z;
    for (Index k = 0; k < m; ++k) {
      const Side& side = sides[static_cast<std::size_t>(k)];
      z += side.sign * multipliers.z[k] * projector.col(side.row);
    }
  }
  Vector result = solution.z;
  for (Index k = 0; k < count; ++k) {
    const Index i = rows[static_cast<std::size_t>(k)];
    const double kept = without_noise(z[k], noise);
    result[i] = std::min(std::max(kept, problem.lower[i]), problem.upper[i]);
  }
  return result;
}

}  // namespace abut::lcp
