#include "impulse/equalities.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "impulse/accuracy.h"

namespace abut::impulse {
namespace {

// Of a diagonal entry relative to what it was, and of a constant relative to the terms it is made
// of, independent rows of mechanisms and piles leave far more than rounding.
void forget_dependent_rows(Equalities::Reduced& small, const Vector& diagonal,
                           const Vector& terms) {
  for (Eigen::Index i = 0; i < small.b.size(); ++i) {
    if (std::abs(small.a(i, i)) > accuracy_of_many * diagonal[i]) continue;
    small.a.row(i).setZero();
    small.a.col(i).setZero();
    if (std::abs(small.b[i]) <= accuracy_of_many * terms[i]) small.b[i] = 0;
  }
}

}  // namespace

Vector gathered(const Vector& all, const std::vector<int>& indices) {
  Vector some(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) some[i] = all[indices[i]];
  return some;
}

Vector solve_rows(RowSolver& solver, const RowSystem& system, const Vector& target) {
  if (solver.factorise(system)) return solver.solve(target);
  const std::vector<int> independent = independent_rows(system, singular_fraction);
  RowSolver of_independent;
  of_independent.factorise(system.only(independent));
  const Vector solved = of_independent.solve(gathered(target, independent));
  Vector all = Vector::Zero(target.size());
  for (std::size_t i = 0; i < independent.size(); ++i)
    all[independent[i]] = solved[static_cast<Eigen::Index>(i)];
  return all;
}

Vector least_change(RowSolver& solver, const RowSystem& system, const Vector& missing) {
  return solver.factorise(system) ? solver.solve(missing) : least_change(system, missing);
}

Equalities::Equalities(const RowSystem& system, const std::vector<int>& rows)
    : system_(&system), wanted_(rows) {
  const RowSystem all = system.only(rows);
  const std::vector<int> independent =
      firm_rows(all, Vector::Constant(all.size(), dependent_fraction));
  for (const int i : independent) rows_.push_back(rows[i]);
  solver_.factorise(all.only(independent));
}

Equalities::Reduced Equalities::reduced(const std::vector<int>& others, const Vector& b) const {
  const bool symmetric = system_->is_symmetric();
  Reduced small{symmetric ? system_->only(others).matrix() : system_->matrix(others, others),
                gathered(b, others)};
  if (rows_.empty() || others.empty()) return small;
  const Matrix columns = system_->matrix(rows_, others);
  Matrix solved(columns.rows(), columns.cols());
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    base::stop_if_wished();
    solved.col(j) = solver_.solve(columns.col(j));
  }
  const Vector alone = small.a.diagonal().cwiseAbs();
  const Vector of_equalities = gathered(b, rows_);
  const Vector answers = solver_.solve(of_equalities);
  const Matrix rows = symmetric ? Matrix(columns.transpose()) : system_->matrix(others, rows_);
  const Vector terms = small.b.cwiseAbs() + rows.cwiseAbs() * answers.cwiseAbs();
  small.a -= rows * solved;
  if (symmetric) small.a = (0.5 * (small.a + small.a.transpose())).eval();
  small.b -= rows * answers;
  forget_dependent_rows(small, alone, terms);
  return small;
}

void Equalities::complete(const Vector& b, Vector& z) const {
  if (rows_.empty()) return;
  const Vector w = system_->along(system_->response(z)) + b;
  const Vector forces = solver_.solve(-gathered(w, rows_));
  for (std::size_t i = 0; i < rows_.size(); ++i) z[rows_[i]] = forces[static_cast<Eigen::Index>(i)];
}

Equalities::Residuals Equalities::residuals(const Vector& b, const Vector& z) const {
  const Vector w = system_->along(system_->response(z)) + b;
  const Vector terms = system_->terms(z);
  double worst = 0, scale = 0;
  for (const int i : wanted_) {
    worst = std::max(worst, std::abs(w[i]));
    scale = std::max(scale, std::abs(b[i]) + terms[i]);
  }
  return {worst, scale > 0 ? worst / scale : 0};
}

}  // namespace abut::impulse
