#pragma once
// Whether a recorded state can be computed with at all.

#include "abut/types.h"
#include "record/frame.h"

namespace abut::verify {

inline bool is_sound(const BodyState& s) {
  return s.position.allFinite() && s.orientation.coeffs().allFinite() &&
         s.orientation.squaredNorm() > 0 && s.velocity.allFinite() &&
         s.angular_velocity.allFinite() && s.centre_of_mass.allFinite() &&
         s.acceleration.allFinite() && s.angular_acceleration.allFinite();
}

/// Whether all states can that a frame tells.
inline bool are_sound(const record::Frame& frame) {
  for (std::size_t i = 0; i < frame.told_count(); ++i)
    if (!is_sound(frame.bodies[frame.told(i)])) return false;
  return true;
}

}  // namespace abut::verify
