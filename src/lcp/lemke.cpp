#include "lcp/lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/stop.h"
#include "lcp/accuracy.h"
#include "math/dense.h"

namespace abut::lcp {
namespace {

// Ratios that differ by less than this fraction of the largest basic value are ties.
constexpr double tie = 1e-12;

// The inverse is computed afresh after this many pivots, each of which may lose some accuracy.
constexpr long refactoring_interval = 40;

// Pivots per unknown. Random problems take about one; the worst case is exponential.
constexpr long pivots_per_unknown = 50;
constexpr long fewest_pivots = 2000;

// Solutions that are this much larger than q are not excluded by a proof.
constexpr double excluded_reach = 1e6;

}  // namespace

bool proves_infeasibility(const Matrix& m, const Vector& q, const Vector& y) {
  const double sum = y.sum();
  if (!(sum > 0)) return false;
  const double contradiction = -q.dot(y) / (sum * q.cwiseAbs().maxCoeff());
  const double growth = (m.transpose() * y).maxCoeff() / sum;
  return contradiction > std::max(accepted, excluded_reach * growth);
}

Lemke::Lemke(const Matrix& m, const Vector& q) : m_(m), q_(q) {}

Vector Lemke::column(Index variable) const {
  if (variable < n()) return Vector::Unit(n(), variable);
  if (variable < 2 * n()) return -m_.col(variable - n());
  return covering_column_;
}

Lemke::End Lemke::run(const Vector& covering, const std::vector<Index>& start) {
  basis_.resize(at(n()));
  for (Index i = 0; i < n(); ++i) basis_[at(i)] = i;
  for (const Index i : start) basis_[at(i)] = partner(i);
  refactor();
  if (!inverse_.allFinite()) return End::other_ray;
  if (n() == 0 || values_.minCoeff() >= 0) return End::solution;
  covering_column_ = Vector::Zero(n());
  for (Index i = 0; i < n(); ++i) covering_column_ -= covering[i] * column(basis_[at(i)]);

  const Index t = 2 * n();
  Index row = first_row(covering);
  Index entering = t;
  Vector y = -covering;
  const long limit = pivots_ + std::max(fewest_pivots, pivots_per_unknown * n());
  while (pivots_ < limit) {
    base::stop_if_wished();
    const Index leaving = basis_[at(row)];
    pivot(row, entering, y);
    if (leaving == t) return End::solution;
    entering = partner(leaving);
    y = inverse_ * column(entering);
    row = leaving_row(y);
    if (row < 0) {
      const bool is_proof = proves_infeasibility(m_, q_, ray_direction(entering, y));
      return is_proof ? End::infeasible_ray : End::other_ray;
    }
  }
  return End::too_long;
}

/// Where t enters so that all values + d t become lexicographically positive: the least
/// (values, inverse)_i / d_i.
Index Lemke::first_row(const Vector& covering) const {
  Index best = 0;
  for (Index i = 1; i < n(); ++i) {
    double difference = values_[i] / covering[i] - values_[best] / covering[best];
    for (Index k = 0; k < n() && difference == 0; ++k) {
      difference = inverse_(i, k) / covering[i] - inverse_(best, k) / covering[best];
    }
    if (difference < 0) best = i;
  }
  return best;
}

/// The row with the lexicographically least (values, inverse)_i / y_i among y_i > 0; -1 if there is
/// none. If t can leave, it does.
Index Lemke::leaving_row(const Vector& y) const {
  const double threshold = dependence * y.cwiseAbs().maxCoeff();
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < n(); ++i) {
    if (y[i] > threshold) least = std::min(least, std::max(values_[i], 0.0) / y[i]);
  }
  const double slack = tie * std::max(values_.cwiseAbs().maxCoeff(), 1.0);
  std::vector<Index> ties;
  for (Index i = 0; i < n(); ++i) {
    if (y[i] <= threshold || std::max(values_[i], 0.0) - least * y[i] > slack) continue;
    if (basis_[at(i)] == 2 * n()) return i;
    ties.push_back(i);
  }
  for (Index k = 0; k < n() && ties.size() > 1; ++k) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const Index i : ties) smallest = std::min(smallest, inverse_(i, k) / y[i]);
    const double margin = tie * inverse_.col(k).cwiseAbs().maxCoeff();
    std::erase_if(ties, [&](Index i) { return inverse_(i, k) - smallest * y[i] > margin; });
  }
  return ties.empty() ? -1 : ties.front();
}

void Lemke::pivot(Index row, Index entering, const Vector& y) {
  basis_[at(row)] = entering;
  ++pivots_;
  if (++since_refactoring_ >= refactoring_interval) {
    refactor();
    return;
  }
  inverse_.row(row) /= y[row];
  values_[row] /= y[row];
  Vector others = y;
  others[row] = 0;
  const Eigen::RowVectorXd pivot_row = inverse_.row(row);
  inverse_.noalias() -= others * pivot_row;
  values_ -= others * values_[row];
}

void Lemke::refactor() {
  Matrix columns(n(), n());
  for (Index i = 0; i < n(); ++i) columns.col(i) = column(basis_[at(i)]);
  inverse_ = math::inverse(columns);
  values_ = inverse_ * q_;
  since_refactoring_ = 0;
}

/// The part of the ray in x.
Vector Lemke::ray_direction(Index entering, const Vector& y) const {
  Vector direction = Vector::Zero(n());
  if (entering >= n()) direction[entering - n()] = 1;
  for (Index i = 0; i < n(); ++i) {
    const Index variable = basis_[at(i)];
    if (variable >= n() && variable < 2 * n()) direction[variable - n()] = std::max(0.0, -y[i]);
  }
  return direction;
}

Vector Lemke::x() const {
  std::vector<Index> basic;
  for (const Index variable : basis_) {
    if (variable >= n() && variable < 2 * n()) basic.push_back(variable - n());
  }
  Vector result = Vector::Zero(n());
  if (basic.empty()) return result;
  const Matrix block = m_(basic, basic);
  const Vector right = -q_(basic);
  const math::Lu lu(block);
  Vector unknowns = lu.solve(right);
  unknowns += lu.solve(Vector(right - block * unknowns));
  if (!unknowns.allFinite()) unknowns = math::solve_by_complete_pivoting(block, right);
  result(basic) = unknowns.cwiseMax(0);
  return result;
}

}  // namespace abut::lcp
