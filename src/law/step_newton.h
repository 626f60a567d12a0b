#pragma once
// The exact solution of a step's problem from one that is near, by Newton's method.
//
// With x the impulse of a contact and w its motion, in the units of law/scaled_problem.h, Coulomb's
// law is (Alart and Curnier, 1991)
//     x_n = max(0, x_n - w_n),      x_T = projection of x_T - w_T on the disc of radius x_n.
// Where nothing changes between these cases the equations are smooth, and Newton's method meets
// them all at once; where something does, the next step has other cases. With t = x_T - w_T,
// d = t / |t|, P = 1 - d d^T and b = x_n / |t| their derivatives are
//     open       dx = -x
//     sticks     w + dw = 0
//     slides     w_n + dw_n = 0,   dx_T = d (x_n + dx_n - d.x_T) - P (x_T + b dw_T) / (1 - b).
// Together with dw = J dv and dv = J^T dx the unknowns are the velocities of the bodies, in the
// sparse matrix of law/step_interior.h. Rows that are held give way: dx = -(w + dw) / give, which
// is the proximal point method for the rows that are held, and comes to w = 0 step by step.
//
// Joints may hold more than there is to be held, and rows that depend on each other may then pull
// against each other in vain. Whatever they began with in that direction would stay, and grow from
// step to step of the clock as the directions turn. The first step is therefore taken towards
// x = -w / give of their rows: from no impulses, though cases are told apart with those of before.

#include "base/limits.h"
#include "law/step_problem.h"

namespace abut::law {

/// Replaces impulses and velocities by those of the solution, if it is found from the impulses that
/// the problem has; velocities are to be those without impulses. Returns what velocities of rows
/// are off by, m/s; infinite where nothing better than `accuracy` was found.
double solve_from_near(StepProblem& problem, double accuracy);

}  // namespace abut::law
