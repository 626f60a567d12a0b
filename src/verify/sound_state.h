#pragma once
// Whether a recorded state can be computed with at all.

#include "abut/types.h"

namespace abut::verify {

inline bool is_sound(const BodyState& s) {
  return s.position.allFinite() && s.orientation.coeffs().allFinite() &&
         s.orientation.squaredNorm() > 0 && s.velocity.allFinite() &&
         s.angular_velocity.allFinite() && s.centre_of_mass.allFinite() &&
         s.acceleration.allFinite() && s.angular_acceleration.allFinite();
}

}  // namespace abut::verify
