#pragma once
// First contact of moving points, edges and triangles whose corners move on straight lines at
// constant speed over the time [0, 1]. The answers are one-sided: "no contact" is proven for the
// doubles as they are, rounding included; "contact" may be needless where the gap is of the order
// of rounding errors.
//
// Degenerate input is taken as what it is: a triangle without area is a segment or a point.

#include <array>
#include <limits>

#include "abut/types.h"

namespace abut::geometry {

/// A point on its way: start + t (end - start), t in [0, 1].
struct MovingPoint {
  Vec3 start = Vec3::Zero();
  Vec3 end = Vec3::Zero();
};

struct MovingContact {
  bool hit = false;
  /// No contact happens before this time, which is infinite without a hit.
  double earliest = std::numeric_limits<double>::infinity();
  /// A contact happens by this time if it is proven; 1 otherwise. Infinite without a hit.
  double latest = std::numeric_limits<double>::infinity();
  /// The hit is not proven: the gap is within rounding errors of zero (as for every touch that
  /// does not lead through), the limit of work was reached, or the input is not finite.
  bool undecided = false;
  /// The number of time intervals examined.
  int intervals = 0;
};

/// Does the point come to lie on the closed triangle?
MovingContact point_meets_triangle(const MovingPoint& point,
                                   const std::array<MovingPoint, 3>& triangle);

/// Do the closed edges come to have a point in common?
MovingContact edge_meets_edge(const std::array<MovingPoint, 2>& a,
                              const std::array<MovingPoint, 2>& b);

}  // namespace abut::geometry
