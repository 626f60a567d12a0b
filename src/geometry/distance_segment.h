#pragma once
// Distances from a segment.

#include <optional>

#include "geometry/distance_feature.h"

namespace abut::geometry {

PairDistance distance_segment_segment(const Segment& first, const Segment& second);

PairDistance distance_segment_triangle(const Segment& segment, const Triangle& triangle);

/// Where the segment passes through the triangle, from one side of its plane to the other. Nothing
/// if it only touches, lies in the plane or if the triangle has no area.
std::optional<Vec3> crossing_of_segment_and_triangle(const Segment& segment,
                                                     const Triangle& triangle);

}  // namespace abut::geometry
