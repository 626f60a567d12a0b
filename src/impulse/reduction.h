#pragma once
// Some rows of a system with others, the equalities, solved for: what a multiplier on the former
// meets through the joints.
//
// With w = A z + b, w_e = 0 for equalities e and any z_r for the rows r that are left,
//     w_r = A' z_r + b',   A' = A_rr - A_re A_ee^-1 A_er,   b' = b_r - A_re A_ee^-1 b_e,
//     z_e = -A_ee^-1 (A_er z_r + b_e).
// For one contact in normal and tangents, with velocities for b, A' is the collision matrix and b'
// the relative velocity before an impact. Equalities may be redundant: a largest independent set of
// them is used. All other rows of the system take no part.

#include <vector>

#include "impulse/row_system.h"

namespace abut::impulse {

class Reduction {
 public:
  /// Keeps a reference to the system. `b` is by row of the system.
  Reduction(const RowSystem& system, std::vector<int> rows, const std::vector<int>& equalities,
            Vector b);

  /// A' and b'. Rows that the equalities decide are zero.
  const Matrix& matrix() const { return matrix_; }
  const Vector& constant() const { return constant_; }

  /// Equalities that are independent of each other, and carry all multipliers.
  const std::vector<int>& equalities() const { return equalities_; }

  /// By row of the system: z_r as given, and z_e.
  Vector multipliers(const Vector& of_rows) const;

 private:
  void solve_for_equalities();
  void forget_dependent_rows(const Vector& diagonal, const Vector& terms);

  const RowSystem* system_;
  std::vector<int> rows_;
  std::vector<int> equalities_;
  Vector b_;
  RowSolver solver_;  // of the equalities
  Matrix matrix_;
  Vector constant_;
};

}  // namespace abut::impulse
