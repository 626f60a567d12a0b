#include "motion/steady_motion.h"

#include <limits>

#include "math/rotation.h"

namespace abut::motion {
namespace {

// A norm of three numbers is right to a few units; bounds are rounded up by more.
constexpr double rounded_up = 1 + 8 * std::numeric_limits<double>::epsilon();

}  // namespace

Pose SteadyMotion::pose(double t) const {
  const double s = t - begin;
  if (s == 0) return start;
  return {start.position + s * velocity,
          (math::rotation_exp(s * spin) * start.orientation).normalized()};
}

Kinematics SteadyMotion::kinematics(double t) const {
  Kinematics k;
  k.pose = pose(t);
  k.velocity = velocity;
  k.angular_velocity = spin;
  return k;
}

SpeedBound SteadyMotion::speed_bound() const {
  return {rounded_up * velocity.norm(), rounded_up * spin.norm()};
}

AccelerationBound SteadyMotion::acceleration_bound() const {
  return {0, 0, rounded_up * spin.norm()};
}

}  // namespace abut::motion
