#include "geometry/moving_contact.h"

#include "geometry/moving_polygon.h"

namespace abut::geometry {

// Both questions ask when a moving polygon contains the origin. Differences of doubles are rounded
// once, which MovingPolygon allows for.

MovingContact point_meets_triangle(const MovingPoint& point,
                                   const std::array<MovingPoint, 3>& triangle) {
  MovingPolygon<3> polygon;
  for (std::size_t i = 0; i < 3; ++i) {
    polygon.start[i] = triangle[i].start - point.start;
    polygon.end[i] = triangle[i].end - point.end;
  }
  return first_contact_with_origin(polygon);
}

// The differences of all points of two edges fill a parallelogram with the corners a_i - b_j.
MovingContact edge_meets_edge(const std::array<MovingPoint, 2>& a,
                              const std::array<MovingPoint, 2>& b) {
  constexpr std::array<std::array<std::size_t, 2>, 4> corners{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  MovingPolygon<4> polygon;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto [i, j] = corners[k];
    polygon.start[k] = a[i].start - b[j].start;
    polygon.end[k] = a[i].end - b[j].end;
  }
  return first_contact_with_origin(polygon);
}

}  // namespace abut::geometry
