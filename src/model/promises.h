#pragma once
// What the settings of a run promise of its result. A run that keeps less is suspect; the run
// itself and those who verify it judge by the same numbers.

#include <algorithm>

#include "model/settings.h"

namespace abut::model {

/// How much larger the error of energy and momentum over a run may be than that of a step
/// (dimensionless): the errors of thousands of steps add up, but not all in one direction.
inline constexpr double steps_that_add_up = 1000;

/// Between these, relative: below, contacts kept at small gaps and the rounding of forces between
/// bodies of very different mass decide; above, energy and momentum are not kept at all.
inline constexpr double smallest_promise = 1e-6;
inline constexpr double largest_promise = 1e-2;

/// The largest imbalance of the books of energy and of momentum, relative to the scale of each
/// (record/energy_audit.h, loop/audit.h), of a run in which bodies were stepped or not.
inline double promised_balance(const SolverSettings& solver, bool stepped) {
  // Cone steps are of first order where something slides or strikes within them.
  if (stepped) return largest_promise;
  return std::clamp(steps_that_add_up * solver.tolerance, smallest_promise, largest_promise);
}

/// The same of energy, as a fraction of its scale: what steps promise is a part of the energy that
/// is in motion or exchanged, `in_motion` of the scale at most.
inline double promised_energy(const SolverSettings& solver, bool stepped, double in_motion) {
  return promised_balance(solver, false) + (stepped ? largest_promise * in_motion : 0);
}

/// The largest error of forces and impulses in the laws of contact, relative: solvers stop far
/// below, and what is above moves bodies visibly.
inline constexpr double promised_residual = 1e-6;

/// How far a joint may be open or beyond its limits, as a fraction of the radius of its smaller
/// body or in rad: steps close joints to second order, motion from event to event to rounding.
inline constexpr double promised_joint_gap(bool stepped) {
  return stepped ? 1e-3 : 1e-6;
}

/// Positions are told to this fraction of the size of a body at least (dimensionless), or they mean
/// nothing.
inline constexpr double promised_position = 1e-6;

}  // namespace abut::model
