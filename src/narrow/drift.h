#pragma once
// How bodies move against each other, and where that brings them nearer.
//
// How fast bodies approach is a matter of the place: two gears are fast everywhere but where their
// teeth meet, and there they hardly move against each other. With the velocity fields v_a and v_b,
//     v_a(p) - v_b(q) = (v_a - v_b)(p) + omega_b x (p - q),
// so the distance of a point p of a to a point q of b falls, per unit of time, by no more than the
// relative velocity where p is and |omega_b| times the distance itself.

#include <array>

#include "abut/types.h"

namespace abut::narrow {

/// How two bodies move for some time, as fields of velocity in the frame in which they are placed.
struct Drift {
  double duration = 0;                                          ///< s
  std::array<Vec3, 2> velocity = {Vec3::Zero(), Vec3::Zero()};  ///< of points at the origin, m/s
  std::array<Vec3, 2> spin = {Vec3::Zero(), Vec3::Zero()};      ///< rad/s
  double stray = 0;  ///< how far points of a and b get from straight lines, together, m

  /// By how much what is within `radius` (m) of `centre` on this side can come nearer to something
  /// of the other side that is `distance` (m) off.
  double approach(int side, const Vec3& centre, double radius, double distance) const;
  /// How far off things may be to come within `distance` (m) of what is there.
  double farthest(int side, const Vec3& centre, double radius, double distance) const;
  /// The same with a and b in the other order.
  Drift swapped() const;

 private:
  double way(const Vec3& centre, double radius) const;
};

/// What is asked for ahead of time: places that come within `within` (m) of each other in a drift,
/// and if that is not known of places, all that are within `reach` (m) now.
struct Ahead {
  Drift drift;
  double within = 0;
  double reach = 0;
};

}  // namespace abut::narrow
