#pragma once
// Impulses that the scene, or whoever watches it, gives to bodies.

#include <abut/types.h>

namespace abut::impulse {

struct OutsideImpulse {
  BodyIndex body = 0;
  Vec3 impulse = Vec3::Zero();  ///< N s
  Vec3 at = Vec3::Zero();       ///< world point
};

}  // namespace abut::impulse
