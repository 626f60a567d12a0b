#pragma once
// Contact regions where one of the two parts is a cylinder or cone.
//
// Each part contributes the flat patch of its surface that lies in the plane of contact
// (flat_patch.h), and the region is where the two patches overlap, seen along the normal. A point
// gives a point; segments that cross give their crossing; a segment on a face or disc is clipped by
// its border to two ends; a disc on a face or another disc is bounded by arcs of rims, by straight
// borders, and by the places at which these cross. Arcs are represented by material points of the
// rim, evenly spaced, and told of as arcs besides, so that points can be added where the solution
// needs them.

#include "contact/contact_set.h"
#include "contact/flat_patch.h"

namespace abut::contact {

/// Material points by which a whole rim is represented.
inline constexpr int rim_samples = 8;

/// `origin` is that of the frame in which the parts are placed.
ContactRegion rim_region(const narrow::Separation& separation, const narrow::Placed& a,
                         const narrow::Placed& b, const Vec3& origin, double touching_distance);

}  // namespace abut::contact
