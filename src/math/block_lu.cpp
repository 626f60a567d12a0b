#include "math/block_lu.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace abut::math {
namespace {

// By approximate minimum degree: when each body is eliminated.
std::vector<int> places_of(int size, const std::vector<std::array<int, 2>>& couplings) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [a, b] : couplings) {
    entries.emplace_back(a, b, 1.0);
    entries.emplace_back(b, a, 1.0);
  }
  Eigen::SparseMatrix<double> pattern(size, size);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType order;
  Eigen::AMDOrdering<int>()(pattern, order);
  std::vector<int> places(size);
  for (int k = 0; k < size; ++k) places[order.indices()[k]] = k;
  return places;
}

}  // namespace

bool BlockPivot::factorise(const Block& block) {
  if (!block.allFinite()) return false;
  factors_ = block;
  std::iota(order_.begin(), order_.end(), 0);
  for (int k = 0; k < 6; ++k) {
    int largest = k;
    for (int i = k + 1; i < 6; ++i)
      if (std::abs(factors_(i, k)) > std::abs(factors_(largest, k))) largest = i;
    if (factors_(largest, k) == 0) return false;
    if (largest != k) {
      factors_.row(k).swap(factors_.row(largest));
      std::swap(order_[k], order_[largest]);
    }
    reciprocals_[k] = 1 / factors_(k, k);
    if (!std::isfinite(reciprocals_[k])) return false;
    for (int i = k + 1; i < 6; ++i) {
      const double factor = factors_(i, k) *= reciprocals_[k];
      for (int j = k + 1; j < 6; ++j) factors_(i, j) -= factor * factors_(k, j);
    }
  }
  return true;
}

// What a column has below the diagonal is what the matrix has there, and what the columns have that
// are eliminated into it: those whose first entry it is.
BlockLu::BlockLu(int size, const std::vector<std::array<int, 2>>& couplings)
    : place_of_(places_of(size, couplings)), columns_(size) {
  for (const auto& [a, b] : couplings) {
    if (a == b) continue;
    const auto [first, last] = std::minmax(place_of_[a], place_of_[b]);
    columns_[first].below.push_back(last);
  }
  for (Column& column : columns_) {
    std::vector<int>& below = column.below;
    std::sort(below.begin(), below.end());
    below.erase(std::unique(below.begin(), below.end()), below.end());
    if (!below.empty()) {
      std::vector<int>& next = columns_[below.front()].below;
      next.insert(next.end(), below.begin() + 1, below.end());
    }
    column.lower.resize(below.size());
    column.upper.resize(below.size());
  }
  clear();
}

void BlockLu::clear() {
  for (Column& column : columns_) {
    column.diagonal.setZero();
    for (Block& block : column.lower) block.setZero();
    for (Block& block : column.upper) block.setZero();
  }
}

std::size_t BlockLu::find(const Column& column, int place) {
  return static_cast<std::size_t>(
      std::lower_bound(column.below.begin(), column.below.end(), place) - column.below.begin());
}

BlockLu::Block& BlockLu::at(int row, int column) {
  const int i = place_of_[row], k = place_of_[column];
  if (i == k) return columns_[i].diagonal;
  Column& first = columns_[std::min(i, k)];
  return i > k ? first.lower[find(first, i)] : first.upper[find(first, k)];
}

bool BlockLu::factorise() {
  for (Column& column : columns_) {
    if (!column.pivot.factorise(column.diagonal)) return false;
    for (Block& block : column.upper) column.pivot.solve(block);
    for (std::size_t m = 0; m < column.below.size(); ++m) {
      Column& target = columns_[column.below[m]];
      target.diagonal.noalias() -= column.lower[m] * column.upper[m];
      for (std::size_t n = m + 1; n < column.below.size(); ++n) {
        const std::size_t at = find(target, column.below[n]);
        target.lower[at].noalias() -= column.lower[n] * column.upper[m];
        target.upper[at].noalias() -= column.lower[m] * column.upper[n];
      }
    }
  }
  return true;
}

void BlockLu::solve(std::vector<Part>& x) const {
  std::vector<Part> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[place_of_[i]] = x[i];
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Column& column = columns_[k];
    column.pivot.solve(y[k]);
    for (std::size_t m = 0; m < column.below.size(); ++m)
      y[column.below[m]].noalias() -= column.lower[m] * y[k];
  }
  for (std::size_t k = columns_.size(); k-- > 0;) {
    const Column& column = columns_[k];
    for (std::size_t m = 0; m < column.below.size(); ++m)
      y[k].noalias() -= column.upper[m] * y[column.below[m]];
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[place_of_[i]];
}

std::size_t BlockLu::fill() const {
  std::size_t sum = 0;
  for (const Column& column : columns_) sum += column.below.size() * column.below.size();
  return sum;
}

}  // namespace abut::math
