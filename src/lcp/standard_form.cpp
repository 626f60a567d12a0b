#include "lcp/standard_form.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "lcp/accuracy.h"
#include "math/dense.h"

namespace abut::lcp {
namespace {

// Pivots of the equations without bounds below this fraction of the largest are 0: A is scaled, and
// its entries are right to 1e-16.
constexpr double rank_threshold = 1e-12;

// Rounds of dividing rows and columns by the square roots of their largest entries; they converge
// fast.
constexpr int equilibration_rounds = 4;

double near_power_of_two(double x) {
  return x > 0 ? std::exp2(std::round(std::log2(x))) : 1;
}

}  // namespace

StandardForm::StandardForm(const Problem& problem) {
  equilibrate(problem);
  Reduced reduced = eliminate_free_unknowns();
  clear_rounding_errors(reduced);
  drop_empty_equations(reduced);
  if (contradictory_) return;
  combine_left_equations(reduced);
  assemble(reduced);
}

Vector StandardForm::z(const Vector& x) const {
  return column_scales_.cwiseProduct(z_by_x_ * x + z_constant_);
}

void StandardForm::equilibrate(const Problem& problem) {
  scaled_ = problem;
  Vector row_scales = Vector::Ones(problem.size());
  column_scales_ = Vector::Ones(problem.size());
  for (int round = 0; round < equilibration_rounds; ++round) {
    for (Index i = 0; i < problem.size(); ++i) {
      const double scale = 1 / near_power_of_two(std::sqrt(scaled_.a.row(i).cwiseAbs().maxCoeff()));
      scaled_.a.row(i) *= scale;
      row_scales[i] *= scale;
    }
    for (Index k = 0; k < problem.size(); ++k) {
      const double scale = 1 / near_power_of_two(std::sqrt(scaled_.a.col(k).cwiseAbs().maxCoeff()));
      scaled_.a.col(k) *= scale;
      column_scales_[k] *= scale;
    }
  }
  scaled_.b = problem.b.cwiseProduct(row_scales);
  scaled_.lower = problem.lower.cwiseQuotient(column_scales_);
  scaled_.upper = problem.upper.cwiseQuotient(column_scales_);
}

/// Gauss elimination with complete pivoting on the block of free unknowns f: rows R and columns C
/// of the largest regular part give z_C = -A_RC^-1 (b_R + A_Ru u).
StandardForm::Reduced StandardForm::eliminate_free_unknowns() const {
  Reduced reduced;
  std::vector<Index> free_rows;
  for (Index i = 0; i < scaled_.size(); ++i) {
    const bool is_free = scaled_.lower[i] == -infinity && scaled_.upper[i] == infinity;
    (is_free ? free_rows : reduced.bounded).push_back(i);
  }
  std::vector<Index> solved_equations, solved_unknowns;
  if (!free_rows.empty()) {
    const math::CompletePivoting pivots =
        math::complete_pivoting(scaled_.a(free_rows, free_rows), rank_threshold);
    for (std::size_t k = 0; k < free_rows.size(); ++k) {
      const bool row_solved = pivots.row_places[static_cast<Index>(k)] < pivots.rank;
      (row_solved ? solved_equations : reduced.left_equations).push_back(free_rows[k]);
      const Index unknown =
          free_rows[static_cast<std::size_t>(pivots.column_order[static_cast<Index>(k)])];
      const bool unknown_solved = static_cast<Index>(k) < pivots.rank;
      (unknown_solved ? solved_unknowns : reduced.left_unknowns).push_back(unknown);
    }
  }

  std::vector<Index> u = reduced.bounded;
  u.insert(u.end(), reduced.left_unknowns.begin(), reduced.left_unknowns.end());
  const auto u_count = static_cast<Index>(u.size());
  reduced.z_by_u = Matrix::Zero(scaled_.size(), u_count);
  reduced.z_constant = Vector::Zero(scaled_.size());
  for (Index k = 0; k < u_count; ++k) reduced.z_by_u(u[static_cast<std::size_t>(k)], k) = 1;
  if (!solved_unknowns.empty()) {
    const math::Lu lu(scaled_.a(solved_equations, solved_unknowns));
    reduced.z_by_u(solved_unknowns, Eigen::all) = -lu.solve(Matrix(scaled_.a(solved_equations, u)));
    reduced.z_constant(solved_unknowns) = -lu.solve(Vector(scaled_.b(solved_equations)));
  }
  reduced.w_by_u = scaled_.a * reduced.z_by_u;
  reduced.w_constant = scaled_.a * reduced.z_constant + scaled_.b;
  return reduced;
}

/// Sets to 0 what is 0 but for rounding. Its terms may have cancelled before: a coefficient is
/// compared with 1 too, to which A is scaled, and a constant with the largest b.
void StandardForm::clear_rounding_errors(Reduced& reduced) const {
  const Matrix terms = (scaled_.a.cwiseAbs() * reduced.z_by_u.cwiseAbs()).array() + 1;
  const Vector constant_terms = (scaled_.a.cwiseAbs() * reduced.z_constant.cwiseAbs()).array() +
                                (scaled_.size() == 0 ? 0 : scaled_.b.cwiseAbs().maxCoeff());
  const auto clear = [&](const std::vector<Index>& rows, double threshold) {
    for (const Index i : rows) {
      for (Index k = 0; k < reduced.w_by_u.cols(); ++k) {
        if (std::abs(reduced.w_by_u(i, k)) <= threshold * terms(i, k)) reduced.w_by_u(i, k) = 0;
      }
      double& constant = reduced.w_constant[i];
      if (std::abs(constant) <= threshold * constant_terms[i]) constant = 0;
    }
  };
  clear(reduced.bounded, cancellation);
  clear(reduced.left_equations, dependence);
}

/// Of the equations and unknowns that are left, those without coefficients go: the unknowns are 0.
void StandardForm::drop_empty_equations(Reduced& reduced) {
  const auto bounded = static_cast<Index>(reduced.bounded.size());
  const auto equation_is_empty = [&](Index i) { return reduced.w_by_u.row(i).isZero(0); };
  const auto unknown_is_empty = [&](Index i) {
    const auto place = std::find(reduced.left_unknowns.begin(), reduced.left_unknowns.end(), i);
    return reduced.w_by_u.col(bounded + (place - reduced.left_unknowns.begin())).isZero(dependence);
  };
  for (const Index i : reduced.left_equations) {
    if (equation_is_empty(i) && reduced.w_constant[i] != 0) contradictory_ = true;
  }
  std::vector<Index> equations = reduced.left_equations;
  std::stable_partition(equations.begin(), equations.end(),
                        [&](Index i) { return !equation_is_empty(i); });
  std::vector<Index> unknowns = reduced.left_unknowns;
  std::stable_partition(unknowns.begin(), unknowns.end(),
                        [&](Index i) { return !unknown_is_empty(i); });
  std::size_t kept = equations.size();
  while (kept > 0 && equation_is_empty(equations[kept - 1]) &&
         unknown_is_empty(unknowns[kept - 1])) {
    --kept;
  }
  equations.resize(kept);

  // The columns of the unknowns that stay, in their new order.
  std::vector<Index> columns;
  for (Index k = 0; k < bounded; ++k) columns.push_back(k);
  for (std::size_t k = 0; k < kept; ++k) {
    const auto place =
        std::find(reduced.left_unknowns.begin(), reduced.left_unknowns.end(), unknowns[k]);
    columns.push_back(bounded + (place - reduced.left_unknowns.begin()));
  }
  unknowns.resize(kept);
  reduced.z_by_u = Matrix(reduced.z_by_u(Eigen::all, columns));
  reduced.w_by_u = Matrix(reduced.w_by_u(Eigen::all, columns));
  reduced.left_equations = std::move(equations);
  reduced.left_unknowns = std::move(unknowns);
}

/// With N the columns of the unknowns that are left in the bounded rows, and K the left equations'
/// coefficients of bounded unknowns, (. N; K 0) is positive semidefinite if the first block is and
/// N = -K^T. Any regular combination T K of the equations will do as well as K: T = -N^T K^+ comes
/// nearest. Signs of bounded unknowns that have upper bounds do not matter: they turn rows and
/// columns.
void StandardForm::combine_left_equations(Reduced& reduced) const {
  const auto left = static_cast<Index>(reduced.left_unknowns.size());
  if (left == 0) return;
  const auto bounded = static_cast<Index>(reduced.bounded.size());
  const Matrix n = reduced.w_by_u(reduced.bounded, Eigen::seqN(bounded, left));
  const Matrix k = reduced.w_by_u(reduced.left_equations, Eigen::seqN(0, bounded));
  const Matrix t = -math::least_norm_solutions(k.transpose(), n).transpose();
  if (math::rank(t) < left) return;
  reduced.w_by_u(reduced.left_equations, Eigen::all) =
      t * Matrix(reduced.w_by_u(reduced.left_equations, Eigen::all));
  reduced.w_constant(reduced.left_equations) =
      t * Vector(reduced.w_constant(reduced.left_equations));
}

/// u = u_by_x x + u_constant and v = v_by_w w + (multipliers and bounds), row by row.
void StandardForm::assemble(const Reduced& reduced) {
  const auto bounded = static_cast<Index>(reduced.bounded.size());
  const auto left = static_cast<Index>(reduced.left_unknowns.size());
  std::vector<Index> two_sided;  // places in `bounded`
  for (Index k = 0; k < bounded; ++k) {
    const Index i = reduced.bounded[static_cast<std::size_t>(k)];
    if (std::isfinite(scaled_.lower[i]) && std::isfinite(scaled_.upper[i])) two_sided.push_back(k);
  }
  const auto boxes = static_cast<Index>(two_sided.size());
  const Index count = bounded + 2 * left + boxes;

  Matrix u_by_x = Matrix::Zero(bounded + left, count);
  Vector u_constant = Vector::Zero(bounded + left);
  Matrix v_by_w = Matrix::Zero(count, scaled_.size());
  for (Index k = 0; k < bounded; ++k) {
    const Index i = reduced.bounded[static_cast<std::size_t>(k)];
    const bool from_below = std::isfinite(scaled_.lower[i]);
    u_by_x(k, k) = v_by_w(k, i) = from_below ? 1 : -1;
    u_constant[k] = from_below ? scaled_.lower[i] : scaled_.upper[i];
  }
  for (Index k = 0; k < left; ++k) {
    const Index i = reduced.left_equations[static_cast<std::size_t>(k)];
    const Index plus = bounded + 2 * k, minus = plus + 1;
    u_by_x(bounded + k, plus) = v_by_w(plus, i) = 1;
    u_by_x(bounded + k, minus) = v_by_w(minus, i) = -1;
  }
  m_ = v_by_w * (reduced.w_by_u * u_by_x);
  q_ = v_by_w * (reduced.w_constant + reduced.w_by_u * u_constant);
  for (Index k = 0; k < boxes; ++k) {
    const Index place = two_sided[static_cast<std::size_t>(k)];
    const Index i = reduced.bounded[static_cast<std::size_t>(place)];
    const Index multiplier = bounded + 2 * left + k;
    m_(place, multiplier) = 1;
    m_(multiplier, place) = -1;
    q_[multiplier] = scaled_.upper[i] - scaled_.lower[i];
  }
  z_by_x_ = reduced.z_by_u * u_by_x;
  z_constant_ = reduced.z_constant + reduced.z_by_u * u_constant;
}

}  // namespace abut::lcp
