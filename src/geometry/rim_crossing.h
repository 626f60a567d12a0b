#pragma once
// Where the rims of two solids pass each other.
//
// With c the point of a circle at an angle, r its radius, t along it and e outward, the line
// between the points is across both circles:
//     (c_A - c_B) . t_A = 0,   (c_A - c_B) . t_B = 0,
// two equations for two angles. Unlike the support of a disc (extremal_normal.h), which has a kink
// where the normal is along its axis, they know no disc: a place on a rim goes on smoothly where
// the other rim comes to lie over the flat end.

#include <optional>

#include "geometry/circle_minima.h"
#include "geometry/extremal_normal.h"

namespace abut::geometry {

/// The circle of a rim.
PlacedCircle circle_of_rim(const PlacedAtom& rim);

/// Both atoms are circles. From where the support functions have found the normal; nothing if that
/// is not near the axis of one of them, or if the circles are as good as along each other. The
/// radii of curvature are left at zero.
std::optional<Extremum> rims_crossing(const AtomPair& pair, const Extremum& found);

}  // namespace abut::geometry
