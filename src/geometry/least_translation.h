#pragma once
// How deep two convex polyhedra overlap, and which way out is shortest.

#include "abut/types.h"
#include "geometry/feature_distance.h"

namespace abut::geometry {

struct LeastTranslation {
  double gap = 0;               ///< the largest gap along any of the normals tried, m
  Vec3 normal = Vec3::UnitZ();  ///< unit, frame of B: A moved by -gap along it just touches
  Feature feature_a;            ///< the features whose normal it is
  Feature feature_b;
  Vec3 a = Vec3::Zero();  ///< a deepest point of one body and where it leaves the other's slab,
  Vec3 b = Vec3::Zero();  ///< frame of B; a - b = gap * normal
};

/// In the middle of the normals for which an edge is extreme, of any length: between those of its
/// two faces, or away from a polygon that has the same face on both sides.
Vec3 middle_normal(const ConvexPolyhedron& polyhedron, int edge);

/// Of overlapping polyhedra, exactly: the largest gap (the smallest depth) over all directions. Of
/// polyhedra that are apart, the largest gap along the normals of faces and of pairs of edges,
/// which is positive and at most their distance. `guess` is a direction that may be good, or zero:
/// it only saves time. Precondition: at least one polyhedron has faces.
LeastTranslation least_translation(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                                   const RelativePose& a_in_b, const Vec3& guess = Vec3::Zero());

}  // namespace abut::geometry
