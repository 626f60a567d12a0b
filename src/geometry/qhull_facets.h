#pragma once
// The facets of a convex hull as Qhull finds them. Keeps the C library out of all other files.

#include <string>
#include <vector>

#include "abut/types.h"

namespace abut::geometry {

/// A merged facet: the indices of its vertices in no order, and its outward unit normal.
struct HullFacet {
  std::vector<int> vertices;
  Vec3 normal = Vec3::Zero();
};

struct QhullResult {
  std::vector<HullFacet> facets;  ///< empty if Qhull failed
  std::string failure;            ///< what it said then
};

/// Facets that differ by no more than `roundoff`, the error of a distance to a plane, become one.
/// The points should be of unit size.
QhullResult qhull_facets(const std::vector<Vec3>& points, double roundoff);

}  // namespace abut::geometry
