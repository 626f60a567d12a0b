#pragma once
// Distances from a point.

#include <span>

#include "geometry/distance_feature.h"

namespace abut::geometry {

PointDistance distance_point_segment(const Vec3& point, const Segment& segment);

PointDistance distance_point_triangle(const Vec3& point, const Triangle& triangle);

/// The polygon is planar and simple, convex or not. One with fewer than three corners, or without
/// area, is the union of its sides. Precondition: at least one corner.
PointDistance distance_point_polygon(const Vec3& point, std::span<const Vec3> polygon);

}  // namespace abut::geometry
