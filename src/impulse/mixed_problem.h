#pragma once
// Multipliers of rows of which some must stay zero and others must not go negative.
//
//     w = A z + b,   equalities: w = 0,   others: lower <= z <= upper, complementary to w
// Equalities (joints) are solved for first, sparsely: what remains is a complementarity problem in
// the Schur complement, whose size is the number of contacts, limits and motors.

#include <optional>
#include <vector>

#include "impulse/equalities.h"
#include "lcp/lcp.h"

namespace abut::impulse {

struct MixedProblem {
  const RowSystem* system = nullptr;
  Vector b;                      ///< by row
  std::vector<int> equalities;   ///< rows, ascending
  std::vector<int> unilaterals;  ///< the other rows, ascending
  Vector lower, upper;           ///< by unilateral
  /// Whether the basis is to hold all rows that have w = 0, those without force included: of a
  /// square table three legs, where two opposite ones would do to carry it.
  bool holds_all = false;

  /// With multipliers that push but do not pull, z >= 0, for `unilaterals`. Keeps a reference to
  /// the system.
  static MixedProblem pushing(const RowSystem& system, Vector b, std::vector<int> unilaterals,
                              std::vector<int> equalities);
};

/// The rows from `begin` up to, not including, `end`; without those of `left_out` (ascending).
std::vector<int> row_range(int begin, int end, const std::vector<int>& left_out = {});

struct MixedSolution {
  lcp::Status status = lcp::Status::solved;
  Vector z;                        ///< by row
  std::vector<int> basis;          ///< rows that carry the solution; independent of each other
  std::vector<lcp::Place> places;  ///< by unilateral, to start the next solution from
  double residual = 0;             ///< of the complementarity problem
  Equalities::Residuals equality_residuals = {};
  long pivots = 0;
};

/// `start`: the places of a similar problem, or nothing.
MixedSolution solve(const MixedProblem& problem, const std::vector<lcp::Place>* start = nullptr);

/// Multipliers by row, of least norm among all that solve the unilateral rows; those of redundant
/// equalities are of least norm too.
Vector solve_least_norm(const MixedProblem& problem);

}  // namespace abut::impulse
