#pragma once
// Joints are solved for first, sparsely. With e the equalities and u the other rows,
//     w_e = A_ee z_e + A_eu z_u + b_e = 0
// leaves for the others
//     w_u = (A_uu - A_ue A_ee^-1 A_eu) z_u + b_u - A_ue A_ee^-1 b_e.

#include <vector>

#include "impulse/row_system.h"

namespace abut::impulse {

class Equalities {
 public:
  /// Of the given rows (ascending) a largest set of independent ones is kept.
  Equalities(const RowSystem& system, const std::vector<int>& rows);

  const std::vector<int>& rows() const { return rows_; }

  struct Reduced {
    Matrix a;
    Vector b;
  };
  /// The problem that is left for other rows. What is left of a row that the equalities decide is
  /// rounding: taken for real it could ask for what no multiplier can give, so it is made zero.
  Reduced reduced(const std::vector<int>& others, const Vector& b) const;

  /// Gives the equalities the multipliers that go with those of the other rows.
  void complete(const Vector& b, Vector& z) const;

  /// The largest |w| of all rows that were to be equalities, and relative to the terms in it.
  struct Residuals {
    double largest = 0;
    double of_terms = 0;
  };
  Residuals residuals(const Vector& b, const Vector& z) const;

 private:
  const RowSystem* system_;
  std::vector<int> wanted_;
  std::vector<int> rows_;
  RowSolver solver_;
};

/// Some entries of a vector.
Vector gathered(const Vector& all, const std::vector<int>& indices);

/// The multipliers by which rows take targets. Where the motion has made rows depend on each other
/// that did not when it began, as in a dead centre, the independent ones carry the load.
Vector solve_rows(RowSolver& solver, const RowSystem& system, const Vector& target);

/// The same as the other least_change, by a factorisation where rows are independent.
Vector least_change(RowSolver& solver, const RowSystem& system, const Vector& missing);

}  // namespace abut::impulse
