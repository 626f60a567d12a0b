#include "geometry/distance_triangle.h"

#include "geometry/distance_point.h"
#include "geometry/distance_segment.h"

namespace abut::geometry {

namespace {

Segment side_of(const Triangle& t, int i) {
  return {t[static_cast<std::size_t>(i)], t[static_cast<std::size_t>((i + 1) % 3)]};
}

}  // namespace

// Unless the triangles cross, a closest pair is a corner and a triangle, or two sides. If they
// cross, a side of one passes through the other, or the closest pair found is at rounding distance.
PairDistance distance_triangle_triangle(const Triangle& first, const Triangle& second) {
  PairDistance best;
  for (int i = 0; i < 3; ++i) {
    PairDistance candidate = distance_segment_triangle(side_of(first, i), second);
    PointOnFeature& on = candidate.on_first;
    on.index = on.feature == SimplexFeature::vertex && on.index == 1 ? (i + 1) % 3 : i;
    if (i == 0 || candidate.distance < best.distance) best = candidate;
    if (best.distance == 0) return best;
  }
  for (int i = 0; i < 3; ++i) {
    const auto crossing = crossing_of_segment_and_triangle(side_of(second, i), first);
    if (crossing && crossing->distance < best.distance) {
      best = {crossing->distance, crossing->on_second, crossing->on_first};
      best.on_second.index = i;
    }
    const Vec3& corner = second[static_cast<std::size_t>(i)];
    const PointDistance d = distance_point_triangle(corner, first);
    if (d.distance < best.distance) {
      best = {d.distance, d.closest, {corner, SimplexFeature::vertex, i}};
    }
  }
  return best;
}

}  // namespace abut::geometry
