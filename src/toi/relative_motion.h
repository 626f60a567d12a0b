#pragma once
// One body as another one sees it: where its points are in the other's motion frame, and how far
// they can stray from straight lines there.

#include "motion/path.h"

namespace abut::toi {

/// The motion frame of a body at an instant, in the motion frame of another one.
struct RelativeMotion {
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();  ///< of the origin
  Vec3 angular_velocity = Vec3::Zero();

  Vec3 at(const Vec3& local) const { return position + rotation * local; }
  Vec3 velocity_of(const Vec3& local) const {
    return velocity + angular_velocity.cross(rotation * local);
  }
};
RelativeMotion relative_motion(const motion::BodyPath& of, const motion::BodyPath& seen_from,
                               double t);

/// How far points within `reach` of the origin can stray in s seconds: s^2/2 times a bound of the
/// acceleration from straight lines; or, where none is known (a formula with a kink), s times a
/// bound of the speed from where they are.
struct Straying {
  bool lines_hold = true;
  double acceleration = 0;  ///< m/s^2
  double speed = 0;         ///< m/s

  double over(double s) const {
    return lines_hold ? 0.5 * acceleration * s * s : (s > 0 ? speed * s : 0.0);
  }
};
/// Over [t, t + h].
Straying straying(const motion::BodyPath& of, const motion::BodyPath& seen_from, double reach,
                  double t, double h);

}  // namespace abut::toi
