#pragma once
// A plane that one part carries and another one stays above, kept from one search to the next.
//
// Bodies in a heap are held apart by the same face, step after step: to ask that plane first takes
// a small part of what it takes to find the features that are nearest. With the plane m.x = l in
// the motion frame of its carrier (origin c, attitude R, spin w), n = R m, the height of a point x
// of the other part obeys
//     h   = n.(x - c) - l,
//     h'  = n.(x' - c') + n'.(x - c),                       n' = w x n,
//     h'' = n.(x'' - c'') + 2 n'.(x' - c') + n''.(x - c),   |n'| <= |w|,  |n''| <= |w'| + |w|^2,
// and by Taylor's theorem h(t + s) >= h + s h' - s^2 K / 2 with any bound K of |h''|. That is
// concave in s, so what is above a clearance at both ends of a step is above it all through.

#include <optional>

#include "motion/path.h"
#include "toi/core.h"

namespace abut::toi {

struct StandingPlane {
  int carrier = 1;              ///< which of the two parts is below it
  Vec3 normal = Vec3::UnitZ();  ///< outward, in the carrier's motion frame
  double level = 0;             ///< m: all of the carrier is at or below it
};

/// The plane of this normal, in the carrier's motion frame, that touches the carrier.
StandingPlane plane_around(const Core& carrier, int side, const Vec3& normal);

/// The height above the plane, m, that a part certainly keeps over [from, to]: that at the
/// beginning, or as much less as it may come down. Minus infinity where no bound of the motion is
/// known.
struct CertainHeight {
  double now = 0;
  double least = 0;
};
CertainHeight certain_height(const StandingPlane& plane, const motion::BodyPath& carrier,
                             const Core& part, const motion::BodyPath& path, double from,
                             double to);

}  // namespace abut::toi
