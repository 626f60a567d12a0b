#pragma once
// Distances from a segment.

#include <optional>

#include "geometry/distance_feature.h"

namespace abut::geometry {

PairDistance distance_segment_segment(const Segment& first, const Segment& second);

PairDistance distance_segment_triangle(const Segment& segment, const Triangle& triangle);

/// Where the segment passes through the triangle's plane, from one side to the other, and how far
/// from the triangle that is: zero if it passes through the triangle. Nothing if the segment stays
/// on one side or the triangle has no area.
std::optional<PairDistance> crossing_of_segment_and_triangle(const Segment& segment,
                                                             const Triangle& triangle);

}  // namespace abut::geometry
