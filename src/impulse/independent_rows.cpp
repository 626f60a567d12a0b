// Which rows are independent of each other: the factors of A = J M^-1 J^T tell where they have the
// digits, and what is left of the row itself where they do not.

#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/limits.h"
#include "base/stop.h"
#include "impulse/row_system.h"

namespace abut::impulse {
namespace {

// Entries of a factor that are this small, relative to the roots of the diagonal entries of their
// rows, do not change anything but a thousandth of the last digit (dimensionless). Through a row of
// bodies that touch each other entries fall geometrically, and would fill the factor all the same.
constexpr double negligible = 1e-19;

// Rows of which others leave this much are chosen first (dimensionless, see dependent_fraction).
constexpr double firm_fraction = 1e-3;

// The rounding of an entry of A, in what it is computed from and by (dimensionless).
constexpr double pivot_rounding = 4 * epsilon;

// A pivot tells how much of a row is left if its rounding is less than this part of the least that
// counts, or of itself (dimensionless).
constexpr double told_by_rounding = 0.1;
constexpr double told_by_pivot = 1e-3;

// Rounds in which what is left of a row is freed of the rows before it: each leaves the rounding of
// the factors of what the one before left.
constexpr int rounds_of_remainder = 3;

// Cholesky in the given order, A = L D L^T: the pivot of a row is what earlier rows leave of its
// diagonal. A dependent row is left out by giving it a pivot of its own; its column then no longer
// matters.
//
// A pivot of which little was left has a large relative error, which l_jk^2 hands on. A link of a
// few millimetres has a thousandth of the inertia about its length, rows that turn it a thousand
// times the answer, and where these are taken out of each other the pivots have no digits left.
// There the row itself has: what is left of it,
//     c_j = J_j - x J_kept,   A_kept x = A_kept,j,
// is as small as the rounding of its terms where it depends on the others, and its pivot c_j M^-1
// c_j^T as small as the square of that. The factors give x, up to a part that the same factors take
// from what c_j still has of the rows (Bjorck 1987, corrected seminormal equations).
class FirmRows {
 public:
  explicit FirmRows(const RowSystem& system)
      : system_(system),
        a_(system.sparse_matrix()),
        columns_(system.size()),
        passed_(system.size(), 0),
        rows_(system.size()),
        pivots_(Vector::Zero(system.size())),
        noises_(Vector::Zero(system.size())),
        work_(Vector::Zero(system.size())),
        roots_(a_.diagonal().cwiseSqrt()) {}

  /// Rows are kept of which more than `firm` is left; others are dependent, by `fractions`, or
  /// neither.
  void find(const Vector& firm, const Vector& fractions) {
    for (int j = 0; j < system_.size(); ++j) {
      base::stop_if_wished();
      const double diagonal = a_.coeff(j, j);
      Left left = left_of(j, diagonal);
      if (!left.is_told(fractions[j] * diagonal)) left = remainder_of(j, kept_);
      if (!(left.pivot > std::max(firm[j] * diagonal, left.noise))) {
        if (left.pivot > std::max(fractions[j] * diagonal, left.noise)) unsettled_.push_back(j);
        continue;
      }
      if (left.response.empty())
        fill_work(j);
      else
        fill_work(j, left.response);
      kept_.push_back(j);
      pivots_[j] = left.pivot;
      noises_[j] = left.noise;
      add_column(j);
    }
  }
  const std::vector<int>& kept() const { return kept_; }
  const std::vector<int>& unsettled() const { return unsettled_; }  ///< neither

 private:
  /// What the rows before leave of one.
  struct Left {
    double pivot = 0;
    double noise = 0;             ///< by which rounding may have changed the pivot
    std::vector<Twist> response;  ///< M^-1 c^T, where c was found

    bool is_told(double least) const {
      return noise <= told_by_rounding * least || noise <= told_by_pivot * pivot;
    }
  };

  Left left_of(int j, double diagonal) const {
    Left left{diagonal, pivot_rounding * diagonal, {}};
    for (const auto& [k, ljk] : rows_[j]) {
      left.pivot -= ljk * ljk * pivots_[k];
      left.noise += ljk * ljk * noises_[k];
    }
    return left;
  }

  Left remainder_of(int j, const std::vector<int>& kept) {
    Vector combined = Vector::Zero(system_.size());  // -x, and 1 for the row itself
    for (const auto& [k, ljk] : rows_[j]) combined[k] = -ljk;
    solve_upper(kept, combined);
    combined[j] = 1;
    Left left;
    for (int round = 0; round < rounds_of_remainder; ++round) {
      left.response = system_.response(combined);
      const Vector along = system_.along(left.response);
      Vector shift = Vector::Zero(system_.size());
      for (const int k : kept) shift[k] = -along[k];
      solve_lower(kept, shift);
      for (const int k : kept) shift[k] /= pivots_[k];
      solve_upper(kept, shift);
      combined += shift;
    }
    left.response = system_.response(combined);
    left.pivot = power(combined, left.response);
    const double terms = pivot_rounding * combined.cwiseAbs().dot(roots_);
    left.noise = terms * terms;
    return left;
  }

  /// c x for the combination c of rows.
  double power(const Vector& combined, const std::vector<Twist>& x) const {
    std::vector<body::RowSide> pushes(x.size());
    for (int i = 0; i < system_.size(); ++i)
      for (int side = 0; side < 2; ++side) {
        const int slot = system_[i].slots[side];
        if (slot == immovable || combined[i] == 0) continue;
        pushes[slot].linear += combined[i] * system_[i].row.sides[side].linear;
        pushes[slot].angular += combined[i] * system_[i].row.sides[side].angular;
      }
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += pushes[i](x[i].linear, x[i].angular);
    return sum;
  }

  /// L x = b and L^T x = b among the rows that are kept, in place.
  void solve_lower(const std::vector<int>& kept, Vector& x) const {
    for (const int k : kept)
      for (const auto& [j, ljk] : rows_[k]) x[k] -= ljk * x[j];
  }
  void solve_upper(const std::vector<int>& kept, Vector& x) const {
    for (std::size_t i = kept.size(); i-- > 0;)
      for (const auto& [k, lik] : rows_[kept[i]]) x[k] -= lik * x[kept[i]];
  }

  /// Column j of the Schur complement, below the diagonal.
  void fill_work(int j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(a_, j); it; ++it) {
      const int i = static_cast<int>(it.row());
      if (i <= j) continue;
      work_[i] += it.value();
      touched_.push_back(i);
    }
    for (const auto& [k, ljk] : rows_[j]) {
      const std::vector<std::pair<int, double>>& column = columns_[k];
      std::size_t& from = passed_[k];
      while (from < column.size() && column[from].first <= j) ++from;
      for (std::size_t at = from; at < column.size(); ++at) {
        const auto& [i, lik] = column[at];
        if (work_[i] == 0) touched_.push_back(i);
        work_[i] -= lik * ljk * pivots_[k];
      }
    }
  }
  void fill_work(int j, const std::vector<Twist>& response) {
    const Vector along = system_.along(response);
    for (int i = j + 1; i < system_.size(); ++i) {
      if (along[i] == 0) continue;
      work_[i] = along[i];
      touched_.push_back(i);
    }
  }

  void add_column(int j) {
    std::sort(touched_.begin(), touched_.end());
    const double least = negligible * roots_[j];
    for (const int i : touched_) {
      if (std::abs(work_[i]) > least * roots_[i]) {
        columns_[j].emplace_back(i, work_[i] / pivots_[j]);
        rows_[i].emplace_back(j, work_[i] / pivots_[j]);
      }
      work_[i] = 0;
    }
    touched_.clear();
  }

  const RowSystem& system_;
  std::vector<int> kept_, unsettled_;  // ascending
  Eigen::SparseMatrix<double> a_;
  // Of L, below the diagonal, ascending.
  std::vector<std::vector<std::pair<int, double>>> columns_;
  std::vector<std::size_t> passed_;  // of a column: entries in rows that are done
  std::vector<std::vector<std::pair<int, double>>> rows_;  // of L, left of the diagonal
  Vector pivots_, noises_;
  Vector work_;
  std::vector<int> touched_;
  Vector roots_;
};

// The rows between each two bodies, ascending.
std::vector<std::vector<int>> rows_of_pairs(const RowSystem& system) {
  std::map<std::array<int, 2>, std::vector<int>> pairs;
  for (int i = 0; i < system.size(); ++i) {
    std::array<int, 2> slots = system[i].slots;
    std::sort(slots.begin(), slots.end());
    pairs[slots].push_back(i);
  }
  std::vector<std::vector<int>> rows;
  for (auto& [slots, of_pair] : pairs) rows.push_back(std::move(of_pair));
  return rows;
}

// Two bodies have so many ways to move against each other.
constexpr std::size_t relative_freedoms = 6;

// Rows without those that depend on rows before them between the same two bodies: what depends on
// some rows depends on all. They are looked for where there must be some, as at a face that rests
// on another with twice as many rows as freedoms; others come out in the elimination of all.
std::vector<int> independent_in_pairs(const RowSystem& system, const Vector& firm,
                                      const Vector& fractions) {
  const std::vector<std::vector<int>> pairs = rows_of_pairs(system);
  if (pairs.size() == 1) return pairs.front();
  std::vector<int> independent;
  for (const std::vector<int>& rows : pairs) {
    if (rows.size() <= relative_freedoms) {
      independent.insert(independent.end(), rows.begin(), rows.end());
      continue;
    }
    const RowSystem pair = system.only(rows);
    FirmRows of_pair(pair);
    of_pair.find(firm(rows), fractions(rows));
    for (const std::vector<int>* list : {&of_pair.kept(), &of_pair.unsettled()})
      for (const int i : *list) independent.push_back(rows[i]);
  }
  std::sort(independent.begin(), independent.end());
  return independent;
}

struct Kept {
  std::vector<int> rows;
  bool others_depend = true;
};

Kept kept_rows(const RowSystem& system, const Vector& firm, const Vector& fractions) {
  const std::vector<int> rows = independent_in_pairs(system, firm, fractions);
  const RowSystem some = system.only(rows);
  FirmRows found(some);
  found.find(firm(rows), fractions(rows));
  Kept kept{{}, found.unsettled().empty()};
  for (const int i : found.kept()) kept.rows.push_back(rows[i]);
  return kept;
}

}  // namespace

std::vector<int> independent_rows(const RowSystem& system, const Vector& fractions) {
  return kept_rows(system, fractions, fractions).rows;
}

std::vector<int> firm_rows(const RowSystem& system, const Vector& fractions) {
  Kept firm = kept_rows(system, fractions.cwiseMax(firm_fraction), fractions);
  if (firm.others_depend) return std::move(firm.rows);
  std::vector<int> order = firm.rows;
  for (int i = 0; i < system.size(); ++i)
    if (!std::binary_search(firm.rows.begin(), firm.rows.end(), i)) order.push_back(i);
  std::vector<int> kept;
  for (const int i : independent_rows(system.only(order), fractions(order)))
    kept.push_back(order[i]);
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::vector<int> independent_rows(const RowSystem& system, double fraction) {
  return independent_rows(system, Vector(Vector::Constant(system.size(), fraction)));
}

}  // namespace abut::impulse
