#include "impulse/row_system.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/stop.h"

namespace abut::impulse {
namespace {

// Up to this many rows a dense factorisation is faster than a sparse one.
constexpr int dense_rows = 48;

// Of least_change (dimensionless): rows are not held by moving bodies by more than about ten
// thousand times as much.
constexpr double leverage = 1e-9;
constexpr int change_rounds = 3;

}  // namespace

Inertia Inertia::of(const body::Mass& mass, const Quat& attitude) {
  const Mat3 r = attitude.normalized().toRotationMatrix();
  return {1 / mass.mass, r * mass.principal.cwiseInverse().asDiagonal() * r.transpose()};
}

RowSystem::RowSystem(std::vector<SystemRow> rows, const std::vector<Inertia>& inertias)
    : rows_(std::move(rows)), answers_(rows_.size()), slot_count_(inertias.size()) {
  for (int i = 0; i < size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = rows_[i].slots[side];
      if (slot == immovable) continue;
      const body::RowSide& on = rows_[i].push(side);
      answers_[i][side] = {inertias[slot].inverse_mass * on.linear,
                           inertias[slot].inverse_inertia * on.angular};
    }
}

bool RowSystem::is_symmetric() const {
  return std::none_of(rows_.begin(), rows_.end(),
                      [](const SystemRow& row) { return row.leaning.has_value(); });
}

RowSystem RowSystem::only(const std::vector<int>& rows) const {
  RowSystem some;
  some.slot_count_ = slot_count_;
  some.rows_.reserve(rows.size());
  some.answers_.reserve(rows.size());
  for (const int i : rows) {
    some.rows_.push_back(rows_[i]);
    some.answers_.push_back(answers_[i]);
  }
  return some;
}

double RowSystem::entry(int i, int j) const {
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    const int slot = rows_[i].slots[side];
    if (slot == immovable) continue;
    const body::RowSide& on = rows_[i].row.sides[side];
    for (int other = 0; other < 2; ++other)
      if (rows_[j].slots[other] == slot)
        sum += on(answers_[j][other].linear, answers_[j][other].angular);
  }
  return sum;
}

Matrix RowSystem::matrix() const {
  if (size() > dense_rows) {
    const Matrix lower(sparse_matrix());
    return lower.selfadjointView<Eigen::Lower>();
  }
  Matrix a(size(), size());
  for (int i = 0; i < size(); ++i)
    for (int j = 0; j <= i; ++j) a(i, j) = a(j, i) = entry(i, j);
  return a;
}

Matrix RowSystem::matrix(const std::vector<int>& rows, const std::vector<int>& columns) const {
  if (std::min(rows.size(), columns.size()) > dense_rows)
    return Matrix(sparse_matrix(rows, columns));
  Matrix a(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) a(i, j) = entry(rows[i], columns[j]);
  return a;
}

// The rows at each body of a system.
class RowSystem::RowsOfBodies {
 public:
  explicit RowsOfBodies(const RowSystem& system) : system_(system), rows_of_(system.slot_count_) {
    for (int i = 0; i < system.size(); ++i)
      for (const int slot : system[i].slots)
        if (slot != immovable && (rows_of_[slot].empty() || rows_of_[slot].back() != i))
          rows_of_[slot].push_back(i);
  }

  /// Rows that share a body with the given one, itself included, ascending.
  const std::vector<int>& neighbours(int row) {
    found_.clear();
    const std::vector<int>&one = at(system_[row].slots[0]), &other = at(system_[row].slots[1]);
    std::set_union(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(found_));
    return found_;
  }

 private:
  const std::vector<int>& at(int slot) const { return slot == immovable ? none_ : rows_of_[slot]; }

  const RowSystem& system_;
  std::vector<std::vector<int>> rows_of_;  // by slot, ascending
  const std::vector<int> none_ = {};
  std::vector<int> found_;
};

// Column by column, as it is kept.
Eigen::SparseMatrix<double> RowSystem::sparse_matrix(const std::vector<int>& rows,
                                                     const std::vector<int>& columns) const {
  std::vector<int> place(size(), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<int>(i);
  Eigen::SparseMatrix<double> a(static_cast<Eigen::Index>(rows.size()),
                                static_cast<Eigen::Index>(columns.size()));
  RowsOfBodies rows_of_bodies(*this);
  std::vector<int> places;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    places.clear();
    for (const int i : rows_of_bodies.neighbours(columns[j]))
      if (place[i] >= 0) places.push_back(place[i]);
    std::sort(places.begin(), places.end());
    a.startVec(static_cast<Eigen::Index>(j));
    for (const int i : places)
      a.insertBack(i, static_cast<Eigen::Index>(j)) = entry(rows[i], columns[j]);
  }
  a.finalize();
  return a;
}

Eigen::SparseMatrix<double> RowSystem::sparse_matrix() const {
  Eigen::SparseMatrix<double> lower(size(), size());
  RowsOfBodies rows_of_bodies(*this);
  for (int j = 0; j < size(); ++j) {
    lower.startVec(j);
    for (const int i : rows_of_bodies.neighbours(j))
      if (i >= j) lower.insertBack(i, j) = entry(i, j);
  }
  lower.finalize();
  return lower;
}

std::vector<Twist> RowSystem::response(const Vector& multipliers) const {
  std::vector<Twist> twists(slot_count_);
  for (int i = 0; i < size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = rows_[i].slots[side];
      if (slot == immovable) continue;
      twists[slot].linear += multipliers[i] * answers_[i][side].linear;
      twists[slot].angular += multipliers[i] * answers_[i][side].angular;
    }
  return twists;
}

Vector RowSystem::terms(const Vector& multipliers) const {
  std::vector<Twist> sizes(slot_count_);
  for (int i = 0; i < size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = rows_[i].slots[side];
      if (slot == immovable) continue;
      sizes[slot].linear += std::abs(multipliers[i]) * answers_[i][side].linear.cwiseAbs();
      sizes[slot].angular += std::abs(multipliers[i]) * answers_[i][side].angular.cwiseAbs();
    }
  Vector result = Vector::Zero(size());
  for (int i = 0; i < size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = rows_[i].slots[side];
      if (slot == immovable) continue;
      const body::RowSide& on = rows_[i].row.sides[side];
      result[i] += on.linear.cwiseAbs().dot(sizes[slot].linear) +
                   on.angular.cwiseAbs().dot(sizes[slot].angular);
    }
  return result;
}

Vector RowSystem::terms(const std::vector<int>& rows, const Vector& multipliers) const {
  RowsOfBodies rows_of_bodies(*this);
  Vector result = Vector::Zero(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const int k : rows_of_bodies.neighbours(rows[i]))
      result[static_cast<Eigen::Index>(i)] += std::abs(entry(rows[i], k) * multipliers[k]);
  return result;
}

Vector along(const std::vector<SystemRow>& rows, const std::vector<Twist>& twists) {
  Vector result = Vector::Zero(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = rows[i].slots[side];
      if (slot != immovable)
        result[static_cast<Eigen::Index>(i)] +=
            rows[i].row.sides[side](twists[slot].linear, twists[slot].angular);
    }
  return result;
}

struct RowSolver::Factors {
  bool is_dense = true;
  Eigen::LLT<Matrix> dense;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> sparse;
  Eigen::SparseMatrix<double> pattern;
};

bool RowSolver::factorise(const RowSystem& system) {
  base::stop_if_wished();
  if (!factors_) factors_ = std::make_shared<Factors>();
  Factors& f = *factors_;
  f.is_dense = system.size() <= dense_rows;
  independence_ = system.size() > 0 ? 0 : 1;
  if (f.is_dense) {
    const Matrix a = system.matrix();
    f.dense.compute(a);
    if (f.dense.info() != Eigen::Success) return false;
    const auto pivots = f.dense.matrixLLT().diagonal().array().square();
    if (system.size() > 0) independence_ = (pivots / a.diagonal().array()).minCoeff();
    return !(independence_ <= singular_fraction);  // forces that are no numbers are told of later
  }
  Eigen::SparseMatrix<double> a = system.sparse_matrix();
  const bool known =
      f.pattern.rows() == a.rows() && f.pattern.nonZeros() == a.nonZeros() &&
      std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1,
                 f.pattern.outerIndexPtr()) &&
      std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), f.pattern.innerIndexPtr());
  if (!known) {
    f.sparse.analyzePattern(a);
    f.pattern = a;
  }
  f.sparse.factorize(a);
  if (f.sparse.info() != Eigen::Success) return false;
  const Vector diagonal = f.sparse.permutationP() * Vector(a.diagonal());
  independence_ = f.sparse.vectorD().cwiseQuotient(diagonal).minCoeff();
  return !(independence_ <= singular_fraction);
}

Vector RowSolver::solve(const Vector& right_hand_side) const {
  if (right_hand_side.size() == 0) return right_hand_side;
  return factors_->is_dense ? Vector(factors_->dense.solve(right_hand_side))
                            : Vector(factors_->sparse.solve(right_hand_side));
}

// With rows scaled to the length 1, f += (A + e)^-1 (missing - A f), a few times: what combinations
// of rows with the singular value s^2 of A miss falls by e / (e + s^2) each time, and bodies change
// by missing / (2 sqrt(e)) at most.
Vector least_change(const RowSystem& system, const Vector& missing) {
  Eigen::SparseMatrix<double> a = system.sparse_matrix();
  const Vector scales =
      a.diagonal().unaryExpr([](double x) { return x > 0 ? 1 / std::sqrt(x) : 0; });
  a = scales.asDiagonal() * a * scales.asDiagonal();
  for (int i = 0; i < system.size(); ++i) a.coeffRef(i, i) += leverage;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(a);
  Vector multipliers = Vector::Zero(missing.size());
  for (int k = 0; k < change_rounds; ++k) {
    base::stop_if_wished();
    const Vector left = missing - system.along(system.response(multipliers));
    multipliers += scales.cwiseProduct(factors.solve(scales.cwiseProduct(left)));
  }
  return multipliers;
}

}  // namespace abut::impulse
