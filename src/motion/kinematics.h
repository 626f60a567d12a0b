#pragma once
// Position, velocity and acceleration of a moving frame at one instant.

#include "abut/types.h"

namespace abut::motion {

struct Kinematics {
  Pose pose;
  Vec3 velocity = Vec3::Zero();  ///< of the frame's origin
  Vec3 angular_velocity = Vec3::Zero();
  Vec3 acceleration = Vec3::Zero();  ///< of the frame's origin
  Vec3 angular_acceleration = Vec3::Zero();
};

/// Velocity and acceleration of the point `local` that the frame carries, with its frame moved
/// there: the orientation and the rotation rates stay.
Kinematics carried(const Kinematics& frame, const Vec3& local);

/// Upper bounds over an interval of time: of the speed of the frame's origin, and of its angular
/// speed. A point at distance r from the origin is never faster than linear + angular * r,
/// because its velocity is v + omega x d with |d| = r.
struct SpeedBound {
  double linear = 0;   ///< m/s
  double angular = 0;  ///< rad/s

  double at_radius(double radius) const { return linear + (radius > 0 ? angular * radius : 0.0); }
};

}  // namespace abut::motion
