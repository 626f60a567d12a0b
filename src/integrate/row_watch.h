#pragma once
// Whether the rows that were chosen where a motion began still serve.

#include "integrate/equations.h"

namespace abut::integrate {

/// Rows less independent than this carry forces badly (dimensionless): others are looked for, and
/// where none are a dead centre is taken to be the reason why a motion cannot be continued.
inline constexpr double poor_independence = 1e-3;

/// How independent the rows that carry forces are (impulse::RowSolver::independence).
double independence(Equations& equations, double t, const ode::Vector& y);
/// Whether other rows than those chosen where the motion began would carry the forces far better by
/// now.
bool prefers_other_rows(Equations& equations, double t, const ode::Vector& y);
/// Whether rows of joints that the others implied where the motion began, such as some of a closed
/// loop of hinges, are not implied any more.
bool implied_rows_awake(Equations& equations, double t, const ode::Vector& y);
/// Whether the joints are closed and move as they must.
bool joints_hold(Equations& equations, double t, const ode::Vector& y);

}  // namespace abut::integrate
