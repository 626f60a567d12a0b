#include "clock/bent_matrix.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <set>

namespace abut::clock {
namespace {

using flexible::ColumnPair;
using flexible::Columns;

// Pairs of columns that the mass or the elasticity couples, first <= second.
std::vector<ColumnPair> coupled(const flexible::BendingBody& body) {
  std::set<std::pair<int, int>> found;
  for (const ColumnPair& pair : body.elasticity->pairs()) found.insert({pair.first, pair.second});
  for (int k = 0; k < body.columns(); ++k)
    for (int l = k; l < (body.mass.is_diagonal() ? k + 1 : body.columns()); ++l)
      found.insert({k, l});
  std::vector<ColumnPair> pairs;
  for (const auto& [first, second] : found) pairs.push_back({first, second});
  return pairs;
}

// By approximate minimum degree: when each column is eliminated.
std::vector<int> elimination_order(int columns, const std::vector<ColumnPair>& pairs) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const ColumnPair& pair : pairs) {
    entries.emplace_back(pair.first, pair.second, 1.0);
    if (pair.first != pair.second) entries.emplace_back(pair.second, pair.first, 1.0);
  }
  Eigen::SparseMatrix<double> pattern(columns, columns);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType order;
  Eigen::AMDOrdering<int>()(pattern, order);
  std::vector<int> places(columns);
  for (int k = 0; k < columns; ++k) places[order.indices()[k]] = k;
  return places;
}

}  // namespace

BentMatrix::BentMatrix(const flexible::BendingBody& body, const std::vector<bool>& held)
    : body_(body), held_(held), pairs_(coupled(body)) {
  place_ = elimination_order(body.columns(), pairs_);
  column_at_.resize(place_.size());
  for (std::size_t k = 0; k < place_.size(); ++k) column_at_[place_[k]] = static_cast<int>(k);
  lay_out(body.elasticity->pairs());
}

void BentMatrix::lay_out(const std::vector<ColumnPair>& pairs) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (const ColumnPair& pair : pairs_) {
    const auto [low, high] = std::minmax(place_[pair.first], place_[pair.second]);
    entries_.push_back({high, low, {}});
    for (int c = 0; c < 3; ++c)
      for (int r = low == high ? c : 0; r < 3; ++r)
        triplets.emplace_back(3 * high + r, 3 * low + c, 1.0);
    const auto same = [&](const ColumnPair& other) {
      return other.first == pair.first && other.second == pair.second;
    };
    const auto at = std::lower_bound(
        pairs.begin(), pairs.end(), pair, [](const ColumnPair& x, const ColumnPair& y) {
          return x.first != y.first ? x.first < y.first : x.second < y.second;
        });
    elastic_.push_back(at != pairs.end() && same(*at) ? static_cast<int>(at - pairs.begin()) : -1);
  }
  matrix_.resize(size(), size());
  matrix_.setFromTriplets(triplets.begin(), triplets.end());
  matrix_.makeCompressed();
  for (Entry& entry : entries_)
    for (int c = 0; c < 3; ++c) {
      const int column = 3 * entry.column + c;
      const int row = 3 * entry.row + (entry.row == entry.column ? c : 0);
      const int* begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column];
      const int* end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column + 1];
      entry.values[c] =
          static_cast<int>(std::lower_bound(begin, end, row) - matrix_.innerIndexPtr());
    }
  factors_.analyzePattern(matrix_);
}

// `block` is that at (first, second) of the pair, whose place in the lower triangle may be that of
// its transpose.
void BentMatrix::set(const Entry& entry, const Mat3& block) {
  double* values = matrix_.valuePtr();
  for (int c = 0; c < 3; ++c) {
    const int first = entry.row == entry.column ? c : 0;
    for (int r = first; r < 3; ++r) values[entry.values[c] + r - first] = block(r, c);
  }
}

bool BentMatrix::factorise(const Columns& columns, double stiff, double damp) {
  body_.elasticity->stiffness(columns, stiffness_, true);
  body_.elasticity->damping(columns, damping_);
  blocks_.resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto& [k, l] = pairs_[i];
    Mat3 block = body_.mass(k, l) * Mat3::Identity();
    if (elastic_[i] >= 0) block += stiff * stiffness_[elastic_[i]] + damp * damping_[elastic_[i]];
    blocks_[i] = block;
    if (held_[k] || held_[l]) block = k == l ? Mat3(Mat3::Identity()) : Mat3(Mat3::Zero());
    set(entries_[i], place_[k] >= place_[l] ? block : Mat3(block.transpose()));
  }
  known_.assign(place_.size(), {});
  factors_.factorize(matrix_);
  return factors_.info() == Eigen::Success;
}

Columns BentMatrix::times(const Columns& x) const {
  Columns y = Columns::Zero(3, x.cols());
  flexible::add_product(pairs_, blocks_, 1, x, y);
  return y;
}

Columns BentMatrix::stiffness_times(const Columns& x) const {
  Columns y = Columns::Zero(3, x.cols());
  flexible::add_product(body_.elasticity->pairs(), stiffness_, 1, x, y);
  return y;
}

Eigen::VectorXd BentMatrix::scaled(const Columns& force) const {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(6 * slots());
  for (std::size_t k = 0; k < place_.size(); ++k)
    if (!held_[k]) u.segment<3>(3 * place_[k]) = force.col(static_cast<int>(k));
  Eigen::VectorXd inner = u.head(size());
  factors_.matrixL().solveInPlace(inner);
  u.head(size()) = inner;
  return u;
}

Columns BentMatrix::rates(const Eigen::VectorXd& u) const {
  Eigen::VectorXd v = u.head(size());
  factors_.matrixU().solveInPlace(v);
  Columns found(3, static_cast<int>(place_.size()));
  for (std::size_t k = 0; k < place_.size(); ++k)
    found.col(static_cast<int>(k)) =
        held_[k] ? Vec3(Vec3::Zero()) : Vec3(v.segment<3>(3 * place_[k]));
  return found;
}

// Substitution with L, in which only what depends on the column is other than zero.
const std::vector<BentMatrix::SlotRows>& BentMatrix::rows_of(int column) const {
  std::vector<SlotRows>& found = known_[column];
  if (!found.empty() || held_[column]) return found;
  using Triples = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
  Triples x = Triples::Zero(6 * slots(), 3);
  const int first = 3 * place_[column];
  x.middleRows<3>(first) = Mat3::Identity();
  const Sparse& lower = factors_.matrixL().nestedExpression();
  for (int k = first; k < size(); ++k) {
    if (x.row(k).isZero(0)) continue;
    Sparse::InnerIterator it(lower, k);
    x.row(k) /= it.value();
    const Eigen::RowVector3d now = x.row(k);
    for (++it; it; ++it) x.row(it.index()) -= it.value() * now;
  }
  for (int slot = first / 6; slot < slots(); ++slot) {
    const Eigen::Matrix<double, 6, 3> j = x.middleRows<6>(6 * slot);
    if (!j.isZero(0)) found.push_back({slot, j});
  }
  return found;
}

// Columns are mostly asked for by several points.
std::vector<BentMatrix::SlotRows> BentMatrix::rows_of(flexible::Weights weights) const {
  std::vector<SlotRows> sum, merged;
  for (const flexible::ColumnWeight& w : weights) {
    merged.clear();
    auto from = sum.begin();
    for (const SlotRows& rows : rows_of(w.column)) {
      while (from != sum.end() && from->slot < rows.slot) merged.push_back(*from++);
      merged.push_back({rows.slot, w.weight * rows.j});
      if (from != sum.end() && from->slot == rows.slot) merged.back().j += (from++)->j;
    }
    merged.insert(merged.end(), from, sum.end());
    std::swap(sum, merged);
  }
  return sum;
}

}  // namespace abut::clock
