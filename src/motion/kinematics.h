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

/// Upper bounds over an interval of time: of the acceleration of the frame's origin, of the angular
/// acceleration and of the angular speed. The acceleration of a point at distance r is
/// a + alpha x d + omega x (omega x d) with |d| = r, so it is never larger than
/// linear + (angular + spin^2) r.
struct AccelerationBound {
  double linear = 0;   ///< m/s^2
  double angular = 0;  ///< rad/s^2
  double spin = 0;     ///< rad/s

  double at_radius(double radius) const {
    return linear + (radius > 0 ? (angular + spin * spin) * radius : 0.0);
  }
};

}  // namespace abut::motion
