#pragma once
// The motion of a body with constant velocity and constant angular velocity: what a cone step
// gives.

#include "motion/kinematics.h"

namespace abut::motion {

struct SteadyMotion {
  double begin = 0;
  double end = 0;
  Pose start;                    ///< at `begin`; the orientation has unit length
  Vec3 velocity = Vec3::Zero();  ///< of the frame's origin, m/s
  Vec3 spin = Vec3::Zero();      ///< rad/s

  Pose pose(double t) const;
  Kinematics kinematics(double t) const;
  SpeedBound speed_bound() const;
  AccelerationBound acceleration_bound() const;
};

}  // namespace abut::motion
