#pragma once
// The solution of a step's problem with sheets, in the velocities of their nodes.
//
// A sheet has thousands of freedoms, of which a contact touches one to six nodes: what an impulse
// does to all of them is never asked for. Instead the unknowns are velocities v, and impulses x
// follow from them (proximal point, or augmented Lagrangian): with w = J v + b and a stiffness r
//     x+ = projection of x - r w on what the law allows,
//     M v = M v* + J^T x+.
// Where nothing changes between sliding, sticking and open this is linear in v,
//     (M + J^T D J) v = M v* + J^T (e - D b),      x+ = e - D w,
// a sparse positive definite matrix, solved by conjugate gradients from the velocities known so
// far; then x+ takes the place of x, until the law is met. Each round gains the factor by which
// contacts give way, 1 / (1 + r a) with a the answer of their rows. How far friction reaches is
// told by the normal impulse of the round before: so D is symmetric, and at the end the bound is
// that of Coulomb's cone. Within a round v is where a convex function is least whose slope is
// continuous, v . M (v / 2 - v*) and the sum of (|x+|^2 - |x|^2) / 2 r with x+ of v: steps of
// Newton's method with a line search lead there from anywhere.
//
// Freedoms come in parts of three: nodes, and of each slot its linear and its angular velocity.
// Blocks that act on one part only, as those of nodes on a fixed body, are added to its own block
// of the matrix; all blocks are part of the preconditioner.

#include "law/step_problem.h"

namespace abut::law {

/// As law::solve. Precondition: the problem has sheets.
StepSolution solve_with_sheets(StepProblem& problem, double accuracy, double enough);

/// Solves M v = momentum for a sheet alone, from v as it is, up to errors whose energy is that of
/// all of it at `accuracy` (m/s).
void solve_sheet(const math::NodeMatrix& matrix, double mass, double accuracy,
                 const math::NodeVector& momentum, math::NodeVector& v);

}  // namespace abut::law
