#pragma once
// What distance kernels return: the closest points and the features they lie on.
//
// All kernels follow one principle. They collect candidates, each a point of the object computed as
// a convex combination of its corners, and keep the best. So a result is never shorter than the
// true distance by more than rounding, whatever the shape of the input, and input without length or
// area only has fewer candidates. Ties go to the lower feature: vertex, then edge, then interior.

#include <array>

#include "abut/types.h"
#include "geometry/exact_predicates.h"

namespace abut::geometry {

using Segment = std::array<Vec3, 2>;

enum class SimplexFeature { vertex, edge, interior };

/// A point of a segment, triangle or polygon and where on it the point lies. Edge i runs from
/// corner i to the next; the inside of a segment is edge 0; the interior has index 0.
struct PointOnFeature {
  Vec3 point = Vec3::Zero();
  SimplexFeature feature = SimplexFeature::vertex;
  int index = 0;
};

/// The distance from a point, and the closest point.
struct PointDistance {
  double distance = 0;
  PointOnFeature closest;
};

/// The distance of two objects, and a pair of points at that distance.
struct PairDistance {
  double distance = 0;
  PointOnFeature on_first;
  PointOnFeature on_second;
};

}  // namespace abut::geometry
