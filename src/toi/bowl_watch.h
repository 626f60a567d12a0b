#pragma once
// Watches over things in bowls, one for corners and one for solids with a surface of their own.

#include "toi/close_watch.h"

namespace abut::toi {

/// A ball, or a capsule's two, or an ellipsoid, or a ring.
std::unique_ptr<CloseWatch> make_bowl_solid_watch(const CarriedSolid& bowl,
                                                  const CarriedSolid& inside);

}  // namespace abut::toi
