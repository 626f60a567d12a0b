#pragma once
// For how long two parts that are nearest to each other along lines stay apart: edges, the axes of
// capsules, the lines of the sides of cylinders and cones, or the tangents of rims.
//
// Where lines cross, the plane across the gap contains both. A plane that one body carries is left
// at once by the other body's line, which tilts against it. The direction
//     n = e_a x e_b / |e_a x e_b|
// with lines that each body carries stays across both. For any n that depends on time, and any
// point q that b carries,
//     gap >= min over A of n.(x - q) + min over B of n.(q - y).
// With n'' bounded each term is above h + s h' - K s^2 / 2 (held_plane.h); h + s h' is linear in
// the point, so that its smallest value over a part is a concave function of s.

#include "toi/gap_planes.h"

namespace abut::toi {

/// The longest interval from t, at most to `limit`, over which the parts stay more than `clearance`
/// apart by this; none where they have no lines, or parallel ones.
FreeInterval free_between_lines(const std::array<GapSide, 2>& sides, const narrow::Separation& now,
                                const motion::BodyPath& a, const motion::BodyPath& b, double t,
                                double limit, double clearance);

}  // namespace abut::toi
