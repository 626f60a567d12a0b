#pragma once
// The distance of two triangles.

#include "geometry/distance_feature.h"

namespace abut::geometry {

PairDistance distance_triangle_triangle(const Triangle& first, const Triangle& second);

}  // namespace abut::geometry
