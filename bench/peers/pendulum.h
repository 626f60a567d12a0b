#pragma once
// The reference for the double pendulum: its two angles, integrated finely.

#include "scene.h"

namespace peers {

/// Where the free end of the lower rod is at `time`.
Vec3 exact_tip(const Scene& scene, double time);

}  // namespace peers
