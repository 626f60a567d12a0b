#pragma once
// For how long two moving convex parts certainly stay apart.
//
// Let n be a unit direction, fixed in the world, in which the parts are separated at time t. Over
// the next h seconds a point x_i of part A obeys, by Taylor's theorem,
//     n . x_i(t + s) >= n . x_i + s n . x_i' - s^2 A / 2,      0 <= s <= h,
// with A any bound on the acceleration of its points over [t, t + h]; likewise from above for B.
// The gap is at least the separation in any direction, so
//     gap(t + s) >= G(s) = min_i (n.x_i + s n.x_i') - max_j (n.y_j + s n.y_j') - radii - s^2 (A +
//     B)/2.
// G is concave: a minimum of linear functions less a maximum of linear functions less a parabola.
// Hence its chords lie below it, wherever it is above a level at both ends of an interval it is
// above it in between, and over an interval it is smallest at an end.
//
// Near contact this advances by the true closing speed, to second order, so the search converges
// quadratically and does not stall where bodies graze.

#include "motion/path.h"
#include "toi/core.h"

namespace abut::toi {

/// A convex part on its way.
struct MovingCore {
  const Core* core = nullptr;
  const motion::BodyPath* path = nullptr;
};

/// A half-space { x : normal . x <= offset } in its motion frame, on its way.
struct MovingHalfSpace {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;
  const motion::BodyPath* path = nullptr;
};

struct FreeInterval {
  double until = 0;      ///< the parts stay apart from t to here
  double gap_bound = 0;  ///< by at least this, m
};

/// The longest interval from t, at most to `limit`, over which the parts can be shown to stay more
/// than `clearance` apart in the direction n, which points from b to a.
FreeInterval free_interval(const MovingCore& a, const MovingCore& b, const Vec3& n, double t,
                           double limit, double clearance);

/// The same against a half-space, in the direction of its own normal.
FreeInterval free_interval(const MovingCore& a, const MovingHalfSpace& b, double t, double limit,
                           double clearance);

}  // namespace abut::toi
