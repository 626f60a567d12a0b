#pragma once
// What contacts, joints and springs do to a body from kick to kick, and what of it goes on within a
// step.

#include "impulse/row_system.h"
#include "integrate/forces.h"

namespace abut::clock {

/// On average over a kick.
struct Push {
  integrate::Wrench on;
  double power = 0;  ///< of motors and of supports that move, W

  Push& add(const Vec3& force, const Vec3& torque) {
    on.force += force;
    on.torque += torque;
    return *this;
  }
};

/// How the momenta of a body change within a step: at its middle, and per second after it.
struct SteadyPush {
  integrate::Wrench middle, rate;
  double power = 0;  ///< W

  /// What the momenta gain in the time s after the middle.
  integrate::Wrench gained(double s) const {
    const double square = 0.5 * s * s;
    return {s * middle.force + square * rate.force, s * middle.torque + square * rate.torque};
  }
};

/// Of a body that moves with `twist` in the middle of a step of length h, is pushed in the kick
/// that begins it, and was in the one `ago` seconds before. What changes little goes on changing.
/// What strikes once is no part of it: there it is what both kicks share, but for what would do
/// work, since nothing but the momentum is known of an impulse.
SteadyPush steady_push(const impulse::Inertia& inertia, const impulse::Twist& twist,
                       const Push& now, const Push& before, double h, double ago);

}  // namespace abut::clock
