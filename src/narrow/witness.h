#pragma once
// The distance of two convex polyhedra with a memory.
//
// Two convex polyhedra are apart or touch because of one pair of features: their distance is the
// distance of the bodies, and the plane between them separates. From one instant to the next this
// witness rarely changes, so it is tried first: its distance takes a few dozen operations, and
// climbing from its vertices proves or refutes that no other features are nearer. GJK is for the
// first question and for refuted witnesses. Overlapping polyhedra have a witness too, the features
// of the shortest way out, which tells the exhaustive search what it can leave out.

#include <optional>

#include "geometry/convex_distance.h"
#include "narrow/pair.h"

namespace abut::narrow {

class Witness {
 public:
  geometry::ConvexDistance distance(const geometry::ConvexPolyhedron& a,
                                    const geometry::ConvexPolyhedron& b,
                                    const geometry::RelativePose& a_in_b,
                                    PairStatistics& statistics);

  /// The gap along the normal of the remembered features: a lower bound, if there is a memory.
  std::optional<double> lower_bound(const geometry::ConvexPolyhedron& a,
                                    const geometry::ConvexPolyhedron& b,
                                    const geometry::RelativePose& a_in_b);

 private:
  bool known_ = false;
  geometry::ConvexDistance last_;
};

}  // namespace abut::narrow
