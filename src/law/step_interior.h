#pragma once
// The exact solution of a step's problem, through the middle of its cones.
//
// The method is that of lcp/cone_interior.h (which says what x, y, W and tau are), with one
// difference: its linear systems are solved for the velocities of the bodies. With the rows of all
// blocks, scaled, in J, and velocities measured such that kinetic energy is |v|^2 / 2, the motions
// change by
//     dy = G J dv + r,   dv = J^T dx,
// where G adds the change of |w_T| to the normal's row. Together with dy = f - D dx, D = W^-2,
//     (1 + J^T K G J) dv = J^T K (f - r),      dx = K (f - r - G J dv),      K = D^-1.
// The matrix has a block of six rows per body, and couples bodies that touch: a tower of n bodies
// costs n, whatever their masses are and however many contacts they have, where sweeps need n^2 and
// more. Rows may depend on each other. The price is accuracy: K spans so many powers of ten that
// about four digits of the largest velocity are found, which is more than a step is worth.
//
//   equality   D = damping: the rest is left to the next step of the method
//   bounded    a half line from either bound that is finite

#include "base/limits.h"
#include "law/step_problem.h"

namespace abut::law {

struct InteriorResult {
  bool arrived = false;
  int steps = 0;
  double left = infinity;  ///< what velocities of rows are off by, m/s
};

/// Replaces impulses and velocities by those of the solution, or by the nearest to it that was
/// found. `accuracy` (m/s): what velocities of rows may be off by. Where following the speeds of
/// slip leaves more than `enough`, it is tried with given ones.
InteriorResult solve_from_inside(StepProblem& problem, double accuracy, double enough);
inline InteriorResult solve_from_inside(StepProblem& problem, double accuracy) {
  return solve_from_inside(problem, accuracy, accuracy);
}

}  // namespace abut::law
