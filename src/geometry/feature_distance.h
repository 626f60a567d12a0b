#pragma once
// The distance of two features of convex polyhedra, and the proof that it is that of the polyhedra.
//
// GJK finds which features are nearest, but its last point v = a - b is a difference of nearby
// points, so the direction v / |v| of bodies that touch is noise. The features know better: a face
// has its normal, two edges have their cross product, an edge and a vertex span a plane in which
// the normal lies. Along such a normal n every pair of bodies obeys
//     min_A n.x - max_B n.x  <=  gap  <=  |a - b|,
// and where both sides agree the features are nearest, whatever search has found them.

#include <span>

#include "abut/types.h"
#include "geometry/convex_polyhedron.h"
#include "geometry/feature.h"
#include "geometry/gjk.h"

namespace abut::geometry {

/// Two features with their nearest points in the frame of B.
struct FeatureDistance {
  bool valid = false;           ///< the nearest points of the carriers lie within the features
  double distance = 0;          ///< n . (a - b), m; may be negative
  Vec3 normal = Vec3::UnitZ();  ///< n, unit, from B to A
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();
};

/// Bounds of a distance that differ by less than this part of rounding_scale() agree
/// (dimensionless). As wide as the corners of a hull's face may miss their plane (see
/// facet_tolerance), a few roundings included.
inline constexpr double agreement_tolerance = 2e-13;

/// Precondition: vertices, edges or faces; an edge or face against a face is never valid, since a
/// vertex or an edge of either is as near.
FeatureDistance feature_distance(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                                 const RelativePose& a_in_b, Feature feature_a, Feature feature_b);

/// Vertices to start the next climb from.
struct SupportHints {
  int a = -1;
  int b = -1;
};

/// min_A n.x - max_B n.x, in the frame of B: a lower bound of the gap for any unit n.
double gap_along(const ConvexPolyhedron& a, const ConvexPolyhedron& b, const RelativePose& a_in_b,
                 const Vec3& n, SupportHints& hints);

/// A vertex of the feature.
int vertex_of(const ConvexPolyhedron& polyhedron, Feature feature);

}  // namespace abut::geometry
