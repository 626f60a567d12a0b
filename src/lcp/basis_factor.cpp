#include "lcp/basis_factor.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/stop.h"
#include "lcp/accuracy.h"

namespace abut::lcp {
namespace {

// Up to this size, Eigen's blocked solution of triangular systems takes longer than plain loops.
constexpr Index smallest_blocked = 48;

using Factor = Eigen::Block<const Matrix>;

/// x := L^-1 x
void solve_forwards(const Factor& factor, Vector& x) {
  const Index m = factor.rows();
  if (m >= smallest_blocked) {
    factor.triangularView<Eigen::Lower>().solveInPlace(x);
    return;
  }
  for (Index k = 0; k < m; ++k) {
    const double* column = &factor.coeffRef(0, k);
    const double value = x[k] / column[k];
    x[k] = value;
    for (Index i = k + 1; i < m; ++i) x[i] -= value * column[i];
  }
}

/// x := L^-T x
void solve_backwards(const Factor& factor, Vector& x) {
  const Index m = factor.rows();
  if (m >= smallest_blocked) {
    factor.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
    return;
  }
  for (Index k = m - 1; k >= 0; --k) {
    const double* column = &factor.coeffRef(0, k);
    double value = x[k];
    for (Index i = k + 1; i < m; ++i) value -= column[i] * x[i];
    x[k] = value / column[k];
  }
}

}  // namespace

BasisFactor::BasisFactor(const Matrix& a) : a_(a) {}

bool BasisFactor::factor_all(std::span<const Index> candidates, double threshold) {
  rows_.clear();
  const auto m = static_cast<Index>(candidates.size());
  if (factor_.rows() < m) factor_.resize(m, m);
  for (Index k = 0; k < m; ++k) {
    const Index column = candidates[static_cast<std::size_t>(k)];
    for (Index i = k; i < m; ++i) {
      factor_(i, k) = a_(candidates[static_cast<std::size_t>(i)], column);
    }
  }
  if (m == 0) return true;
  Eigen::Ref<Matrix> block = factor_.topLeftCorner(m, m);
  const Eigen::LLT<Eigen::Ref<Matrix>> in_place(block);
  if (in_place.info() != Eigen::Success) return false;
  if (block.diagonal().cwiseAbs2().minCoeff() <= threshold) return false;
  rows_.assign(candidates.begin(), candidates.end());
  return true;
}

/// Cholesky with diagonal pivoting: of the remaining candidates the one with the largest Schur
/// complement comes next, until none is left above the threshold.
std::vector<Index> BasisFactor::extend(std::span<const Index> candidates) {
  if (candidates.empty()) return {};
  const auto count = static_cast<Index>(candidates.size());
  std::vector<Index> left(candidates.begin(), candidates.end());
  const Index old = size();
  const Index capacity = old + count;
  if (factor_.rows() < capacity) factor_.conservativeResize(capacity, capacity);

  // Row c of `borders` is the border l of left[c], as far as the basis has been built.
  Matrix borders(count, capacity);
  Vector complements(count);
  for (Index c = 0; c < count; ++c) {
    const Index row = left[static_cast<std::size_t>(c)];
    complements[c] = a_(row, row);
    for (Index k = 0; k < old; ++k) borders(c, k) = a_(row, rows_[static_cast<std::size_t>(k)]);
  }
  if (old > 0) {
    auto known = borders.leftCols(old);
    factor().transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(known);
    complements -= known.rowwise().squaredNorm();
  }

  Index remaining = count;
  while (remaining > 0) {
    base::stop_if_wished();
    Index best = 0;
    const double complement = complements.head(remaining).maxCoeff(&best);
    if (complement <= dependence) break;
    const Index m = size();
    const Index row = left[static_cast<std::size_t>(best)];
    const double diagonal = std::sqrt(complement);
    factor_.row(m).head(m) = borders.row(best).head(m);
    factor_(m, m) = diagonal;
    rows_.push_back(row);

    // The last candidate takes the place of the chosen one.
    --remaining;
    std::swap(left[static_cast<std::size_t>(best)], left[static_cast<std::size_t>(remaining)]);
    borders.row(best).head(m) = borders.row(remaining).head(m);
    complements[best] = complements[remaining];
    if (remaining == 0) break;

    Vector next = -borders.topLeftCorner(remaining, m) * factor_.row(m).head(m).transpose();
    for (Index c = 0; c < remaining; ++c) next[c] += a_(left[static_cast<std::size_t>(c)], row);
    next /= diagonal;
    borders.col(m).head(remaining) = next;
    complements.head(remaining) -= next.cwiseAbs2();
  }
  left.resize(static_cast<std::size_t>(remaining));
  return left;
}

void BasisFactor::border(Index j) {
  const Index m = size();
  border_.resize(m);
  for (Index k = 0; k < m; ++k) border_[k] = a_(rows_[static_cast<std::size_t>(k)], j);
  solve_forwards(factor(), border_);
  complement_ = a_(j, j) - border_.squaredNorm();
  coefficients_ = border_;
  solve_backwards(factor(), coefficients_);
}

/// With c = (-A_FF^-1 A_Fj, 1), s = c.A c. Cholesky's method factors a matrix A + E with |E_ik| of
/// a few epsilon exactly, hence an error c.E c.
double BasisFactor::complement_noise() const {
  constexpr double backward_error = 8 * std::numeric_limits<double>::epsilon();
  return backward_error * (1 + coefficients_.squaredNorm());
}

bool BasisFactor::is_independent() const {
  return complement_ > std::max(dependence, complement_noise());
}

void BasisFactor::append(Index j) {
  const Index m = size();
  if (factor_.rows() <= m) {
    const Index capacity = std::min(a_.rows(), 2 * m + 8);
    factor_.conservativeResize(capacity, capacity);
  }
  factor_.row(m).head(m) = border_.transpose();
  factor_(m, m) = std::sqrt(complement_);
  rows_.push_back(j);
}

void BasisFactor::remove(Index position) {
  const Index m = size();
  rows_.erase(rows_.begin() + position);
  // Move the rows below up by one; column k then reaches one above the diagonal for k > position.
  for (Index k = 0; k < m; ++k) {
    const Index first = std::max(k, position + 1);
    double* column = &factor_(0, k);
    std::copy(column + first, column + m, column + first - 1);
  }
  for (Index k = position; k + 1 < m; ++k) {
    const double length = std::hypot(factor_(k, k), factor_(k, k + 1));
    const double cosine = factor_(k, k) / length;
    const double sine = factor_(k, k + 1) / length;
    factor_(k, k) = length;
    double* left = &factor_(0, k);
    double* right = &factor_(0, k + 1);
    for (Index i = k + 1; i < m - 1; ++i) {
      const double rotated = cosine * left[i] + sine * right[i];
      right[i] = cosine * right[i] - sine * left[i];
      left[i] = rotated;
    }
  }
}

void BasisFactor::solve(Vector& x) const {
  solve_forwards(factor(), x);
  solve_backwards(factor(), x);
}

}  // namespace abut::lcp
