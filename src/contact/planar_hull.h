#pragma once
// The convex hull of points in a plane, as far as a tolerance can tell.

#include <vector>

#include "contact/plane_vector.h"

namespace abut::contact {

/// The hull's dimension and its vertices, as indices into the points.
struct PlanarHull {
  int dimension = 0;          ///< 0, 1 or 2; -1 without points
  std::vector<int> vertices;  ///< one, two, or three and more in counter-clockwise order
};

/// Points no farther apart than the tolerance are one, and points no farther than that from a line
/// lie on it. Of equivalent points the first is taken.
PlanarHull planar_hull(const std::vector<Vec2>& points, double tolerance);

/// The first of each group of points that the tolerance cannot tell apart.
std::vector<int> distinct(const std::vector<Vec2>& points, double tolerance);

}  // namespace abut::contact
