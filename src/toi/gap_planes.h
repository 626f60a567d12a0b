#pragma once
// The planes between two parts that are apart: of a face that one of them carries, of rounded
// features, or the plane across the gap carried by either; of two edges see line_gap.h. Near
// contact a face that turns over an edge leaves no fixed direction that separates for long; a plane
// that moves along does.

#include <array>
#include <vector>

#include "narrow/body_shape.h"
#include "narrow/pair.h"
#include "toi/core.h"
#include "toi/held_plane.h"

namespace abut::toi {

/// One of the two parts at an instant.
struct GapSide {
  const Core* core = nullptr;
  const narrow::Solid* solid = nullptr;
  Pose frame;   ///< the motion frame in the body frame
  Pose motion;  ///< the motion frame in space
};

/// All that hold the parts apart at this instant, with every other point of the cores watched.
std::vector<HeldPlane> planes_between(const std::array<GapSide, 2>& sides,
                                      const narrow::Separation& now);

/// Those of faces beside the edges and corners that are nearest. Boxes with flush sides that lie on
/// each other are nearest at parallel edges, and no other plane stays between them while they turn.
std::vector<HeldPlane> planes_beside(const std::array<GapSide, 2>& sides,
                                     const narrow::Separation& now);

}  // namespace abut::toi
