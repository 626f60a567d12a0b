#include "impulse/reduction.h"

#include <cmath>
#include <utility>

namespace abut::impulse {
namespace {

// Dimensionless; independent rows of mechanisms and piles leave far more.
constexpr double dependence_rounding = 1e-12;

}  // namespace

Reduction::Reduction(const RowSystem& system, std::vector<int> rows,
                     const std::vector<int>& equalities, Vector b)
    : system_(&system), rows_(std::move(rows)), b_(std::move(b)) {
  const RowSystem all = system.only(equalities);
  const std::vector<int> independent = independent_rows(all);
  for (const int i : independent) equalities_.push_back(equalities[i]);
  solver_.factorise(all.only(independent));
  matrix_ = system.only(rows_).matrix();
  constant_ = b_(rows_);
  if (!equalities_.empty() && !rows_.empty()) solve_for_equalities();
}

void Reduction::solve_for_equalities() {
  const Matrix coupling = system_->matrix(equalities_, rows_);
  Matrix solved(coupling.rows(), coupling.cols());
  for (Eigen::Index j = 0; j < coupling.cols(); ++j) solved.col(j) = solver_.solve(coupling.col(j));
  const Vector alone = matrix_.diagonal();
  const Vector of_equalities = b_(equalities_);
  const Vector terms =
      constant_.cwiseAbs() + solved.cwiseAbs().transpose() * of_equalities.cwiseAbs();
  matrix_ -= coupling.transpose() * solved;
  matrix_ = (0.5 * (matrix_ + matrix_.transpose())).eval();
  constant_ -= solved.transpose() * of_equalities;
  forget_dependent_rows(alone, terms);
}

// What is left of a row that the equalities decide is rounding: of its diagonal entry relative to
// the one before, and of its constant relative to the terms it is made of. Taken for real it could
// ask for what no multiplier can give.
void Reduction::forget_dependent_rows(const Vector& diagonal, const Vector& terms) {
  for (Eigen::Index i = 0; i < constant_.size(); ++i) {
    if (matrix_(i, i) > dependence_rounding * diagonal[i]) continue;
    matrix_.row(i).setZero();
    matrix_.col(i).setZero();
    if (std::abs(constant_[i]) <= dependence_rounding * terms[i]) constant_[i] = 0;
  }
}

Vector Reduction::multipliers(const Vector& of_rows) const {
  Vector z = Vector::Zero(system_->size());
  z(rows_) = of_rows;
  if (equalities_.empty()) return z;
  const Vector w = system_->along(system_->response(z)) + b_;
  z(equalities_) = solver_.solve(-w(equalities_));
  return z;
}

}  // namespace abut::impulse
