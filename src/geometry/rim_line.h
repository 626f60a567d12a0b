#pragma once
// The normal between a rim and a straight line.
//
// The places of the rim at which its distance from the line is stationary have the normal across
// the line and the rim's tangent. Where a disc lies on an edge, or nearly, the normal hardly
// differs from the disc's axis, and tells the two ends of the chord apart by its last digits only;
// the places are far apart and well determined. So the unknown is the place, not the normal.

#include <vector>

#include "geometry/extremal_normal.h"

namespace abut::geometry {

/// `rim_side` of the pair (0: a) has a circle, the other one a point of the line with this unit
/// direction. All places at which the rim comes nearest to the line, with normals on the side of
/// `start`, or along which they are apart if that is zero: two where the line is across the disc,
/// near its plane. None where the line runs along the rim.
std::vector<Extremum> rim_on_line(const AtomPair& atoms, int rim_side, const Vec3& line,
                                  const Vec3& start);

}  // namespace abut::geometry
