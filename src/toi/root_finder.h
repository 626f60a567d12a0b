#pragma once
// The instant at which a gap closes, once it is known between which two instants.
//
// Baraff 1990, section 8, compares ways to predict it from a sample (chi, chi', chi'') at t0:
//   bisection      the middle of the bracket
//   regula falsi   the chord between the ends of the bracket
//   Newton         chi + chi' dt = 0                               (eq. 19)
//   quadratic      chi + chi' dt + chi'' dt^2 / 2 = 0              (eq. 21)
// Each falls back on bisection where its prediction leaves the bracket or the bracket shrinks too
// slowly, so all of them converge. Under constant acceleration the quadratic one needs a single
// iteration.

#include <functional>

namespace abut::toi {

enum class RootMethod { bisection, regula_falsi, newton, quadratic };

/// The gap and its derivatives at one instant. A prediction may use approximate derivatives.
struct GapSample {
  double time = 0;
  double gap = 0;           ///< m
  double rate = 0;          ///< m/s
  double acceleration = 0;  ///< m/s^2
};

using GapFunction = std::function<GapSample(double time)>;

/// Gaps that end the search, m.
struct GapBand {
  double lower = 0;
  double upper = 0;
  double target() const { return 0.5 * (lower + upper); }
  bool contains(double gap) const { return lower <= gap && gap <= upper; }
};

struct Root {
  GapSample sample;    ///< in the band if converged, otherwise the last one above it
  int iterations = 0;  ///< evaluations of the gap
  bool converged = false;
};

/// Precondition: open.gap > band.upper, closed.gap < band.lower, open.time < closed.time.
Root find_root(RootMethod method, const GapFunction& gap, GapSample open, GapSample closed,
               const GapBand& band);

/// The smallest positive dt with chi + chi' dt + chi'' dt^2 / 2 = target, by eq. 21, or by Newton's
/// step where there is none; NaN where that does not lead forwards either.
double predicted_step(const GapSample& sample, double target);

}  // namespace abut::toi
