#include "force/slip.h"

#include <algorithm>
#include <cmath>

namespace abut::force {
namespace {

// Slip that counts as none at least, m/s. Projection leaves a thousandth of it.
constexpr double least_slip = 1e-12;

// The same of slip that contacts are left with that stick (dimensionless, see still_speed).
constexpr double still_fraction = 1e-10;

// See allowed_guiding_angle: m/s and rad.
constexpr double guiding_drift = 1e-10;
constexpr double guiding_angle = 0.01;

}  // namespace

double allowed_guiding_angle(double speed) {
  return guiding_drift / std::max(speed, guiding_drift / guiding_angle);
}

Slip slip_of(const ConstraintSet& set, const BodiesNow& bodies, int contact,
             const impulse::SystemRow* tangents) {
  Slip slip;
  double terms = 0;
  for (int i = 0; i < 2; ++i) {
    const body::ConstraintRow& row = tangents[i].row;
    slip.velocity += row.rate * row.sides[0].linear;
    for (int side = 0; side < 2; ++side) {
      const body::RigidMotion& motion = set.motion_of_contact(bodies, contact, side);
      terms += std::abs(row.sides[side].linear.dot(motion.velocity)) +
               std::abs(row.sides[side].angular.dot(motion.angular_velocity));
    }
  }
  slip.none = std::max(least_slip, acceleration_rounding * terms);
  const double friction = set.contacts()[contact].friction.dynamic_coefficient;
  slip.still = std::max(still_speed, still_fraction * terms);
  slip.stopped = std::max(slip.still, creep_time * std::min(1.0, friction) * set.gravity().norm());
  return slip;
}

Vec3 continued_direction(const Slip& slip, const Vec3& before) {
  if (slip.is_still()) return before;
  return (slip.velocity.dot(before) < 0 ? -1 : 1) * slip.velocity.normalized();
}

Vec3 leftover_of(const Slip& slip, const Vec3& along) {
  return slip.is_over(along) ? slip.velocity : Vec3::Zero();
}

Vec3 direction_of(const Slip& slip, const Vec3& otherwise) {
  return slip.is_none() ? otherwise : slip.velocity.normalized();
}

void lean(impulse::SystemRow& normal, const impulse::SystemRow* tangents, const Vec3& along,
          double friction) {
  std::array<body::RowSide, 2> push = normal.row.sides;
  for (int i = 0; i < 2; ++i) {
    const double part = friction * along.dot(tangents[i].row.sides[0].linear);
    for (int side = 0; side < 2; ++side) {
      push[side].linear -= part * tangents[i].row.sides[side].linear;
      push[side].angular -= part * tangents[i].row.sides[side].angular;
    }
  }
  normal.leaning = push;
}

}  // namespace abut::force
