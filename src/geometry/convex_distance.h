#pragma once
// The distance of two convex polyhedra, or the depth of their overlap, with a proof.

#include <optional>

#include "abut/types.h"
#include "geometry/feature_distance.h"
#include "geometry/gjk.h"

namespace abut::geometry {

/// In the frame of B's centre.
struct ConvexDistance {
  double gap = 0;               ///< m: > 0 distance, <= 0 minus the depth of the overlap
  Vec3 normal = Vec3::UnitZ();  ///< unit, from B to A
  Vec3 a = Vec3::Zero();        ///< nearest or deepest points
  Vec3 b = Vec3::Zero();
  Feature feature_a;
  Feature feature_b;
  bool converged = true;  ///< false: bounds of the gap disagree, and `gap` is the lower one
  SupportHints hints;     ///< vertices that are extreme along the normal
};

/// How a distance is searched for, and how much that took.
struct ConvexSearch {
  Simplex start;              ///< vertices that may be near, or nothing
  Vec3 guess = Vec3::Zero();  ///< a normal that may be right, or zero
  bool overlap_expected = false;
  int gjk_calls = 0;
  int gjk_iterations = 0;
};

/// The distance of the features, if that is proven to be the gap of the polyhedra: they do not
/// overlap by more than the agreement tolerance, and the planes through the features' nearest
/// points have the polyhedra on their far sides. `hints` starts and receives extreme vertices.
std::optional<ConvexDistance> proven_distance(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                                              const RelativePose& a_in_b, Feature feature_a,
                                              Feature feature_b, SupportHints& hints);

ConvexDistance convex_distance(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                               const RelativePose& a_in_b, ConvexSearch& search);

}  // namespace abut::geometry
