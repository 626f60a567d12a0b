#pragma once
// Rows of constraints over the bodies of an island: J, and what it does through the mass matrix.
//
// Contact forces, joint forces and impulses all ask the same things of the same rows: the matrix
//     A = J M^-1 P^T,
// by which a multiplier of one row (a force or an impulse) changes the acceleration or velocity
// along another, and the response M^-1 P^T f of the bodies to multipliers f. A row pushes along
// itself, P = J, and A is symmetric, but for contacts that slide: their force leans back against
// the slip (Baraff 1993, section 5), while it is still the gap that must not close.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "body/constraint.h"
#include "body/mass.h"
#include "body/rigid.h"

namespace abut::impulse {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Inverse mass and inertia of a body, world axes.
struct Inertia {
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::Zero();

  static Inertia of(const body::Mass& mass, const Quat& attitude);
};

/// Change of velocity, or acceleration, of a body.
struct Twist {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
};

/// A row and the places of its two bodies in the island; `immovable` for what does not yield.
inline constexpr int immovable = -1;
struct SystemRow {
  std::array<int, 2> slots = {immovable, immovable};
  body::ConstraintRow row;
  std::optional<std::array<body::RowSide, 2>> leaning = {};  ///< P, where it is not J

  const body::RowSide& push(int side) const { return leaning ? (*leaning)[side] : row.sides[side]; }
};

/// J x for changes x of the bodies that yield, by slot.
Vector along(const std::vector<SystemRow>& rows, const std::vector<Twist>& twists);

class RowSystem {
 public:
  RowSystem() = default;
  RowSystem(std::vector<SystemRow> rows, const std::vector<Inertia>& inertias);

  int size() const { return static_cast<int>(rows_.size()); }
  const SystemRow& operator[](int i) const { return rows_[i]; }
  /// How many bodies yield; and what a unit of a row's multiplier does to one of its two.
  int slot_count() const { return static_cast<int>(slot_count_); }
  const Twist& answer(int i, int side) const { return answers_[i][side]; }

  /// Whether all rows push along themselves.
  bool is_symmetric() const;

  /// The system of some of the rows.
  RowSystem only(const std::vector<int>& rows) const;

  /// Of rows that push along themselves: J M^-1 J^T; the sparse one has its lower half only.
  Matrix matrix() const;
  Eigen::SparseMatrix<double> sparse_matrix() const;
  /// An entry, or those between two lists of rows, of any push.
  double entry(int i, int j) const;
  Matrix matrix(const std::vector<int>& rows, const std::vector<int>& columns) const;
  Eigen::SparseMatrix<double> sparse_matrix(const std::vector<int>& rows,
                                            const std::vector<int>& columns) const;

  /// M^-1 P^T f, by slot.
  std::vector<Twist> response(const Vector& multipliers) const;
  /// What the terms of J M^-1 P^T f come to if none cancels another: A f is known to a rounding of
  /// these.
  Vector terms(const Vector& multipliers) const;
  /// The same for some rows if the terms of an entry of A may cancel each other: |A| |f|.
  Vector terms(const std::vector<int>& rows, const Vector& multipliers) const;
  /// J x for changes x of the bodies that yield.
  Vector along(const std::vector<Twist>& twists) const { return impulse::along(rows_, twists); }

 private:
  class RowsOfBodies;

  std::vector<SystemRow> rows_;
  std::vector<std::array<Twist, 2>> answers_;  // M^-1 P^T, by row and side
  std::size_t slot_count_ = 0;
};

/// Solves with A for rows that are independent of each other.
class RowSolver {
 public:
  /// Factorises; false if the rows are not independent (by singular_fraction).
  bool factorise(const RowSystem& system);
  Vector solve(const Vector& right_hand_side) const;
  /// Of the rows factorised last: the least part of a row's own answer that the others leave it,
  /// 1 where rows do not meet and 0 where one depends on others (dimensionless).
  double independence() const { return independence_; }

 private:
  struct Factors;
  std::shared_ptr<Factors> factors_;  // kept from call to call: the sparsity seldom changes
  double independence_ = 1;
};

/// The multipliers whose response takes what is missing out of rows, with as little change to the
/// bodies as that takes. Where rows are nearly dependent, so that bodies would have to change by
/// far more than is missing, something is left.
Vector least_change(const RowSystem& system, const Vector& missing);

/// A row counts as dependent on others if what they leave of its own diagonal entry is less than a
/// fraction (dimensionless). Rounding leaves about 1e-15 of a dependent row; a mechanism 1e-5 rad
/// from a dead centre still has 1e-10. Where rows are chosen to carry forces for a while, the first
/// holds; where those chosen pass a dead centre, the second: as little as rounding allows, since
/// what is left out there is missing.
inline constexpr double dependent_fraction = 1e-11;
inline constexpr double singular_fraction = 1e-13;

/// The indices of a largest set of rows that are independent, earlier ones first.
std::vector<int> independent_rows(const RowSystem& system, double fraction = dependent_fraction);
/// The same with a fraction for each row.
std::vector<int> independent_rows(const RowSystem& system, const Vector& fractions);

/// The same, but rows that others leave little of come last, so that the set is well conditioned
/// where one is. Ascending.
std::vector<int> firm_rows(const RowSystem& system, const Vector& fractions);

}  // namespace abut::impulse
