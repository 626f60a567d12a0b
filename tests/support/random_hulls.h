#pragma once
// Random convex polyhedra and random ways to place two of them, for tests of distances.

#include <random>
#include <string>
#include <vector>

#include "geometry/convex_hull.h"
#include "geometry/convex_polyhedron.h"
#include "geometry/gjk.h"

namespace abut::test {

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high);
Vec3 random_direction(Random& random);
Quat random_rotation(Random& random);

/// The hull of points on an ellipsoid: nearly all of them are its vertices.
geometry::PolygonMesh round_hull(Random& random, int points, const Vec3& radii);

/// A prism over a regular polygon: large faces and parallel edges.
geometry::PolygonMesh prism_hull(int sides, double height);

/// Hulls of about unit size with 4 to 200 vertices, some of them flat or long.
std::vector<geometry::PolygonMesh> hull_pool(Random& random, int count);

geometry::PolygonMesh scaled(geometry::PolygonMesh mesh, double factor);

struct PlacedPair {
  geometry::ConvexPolyhedron a;
  geometry::ConvexPolyhedron b;
  geometry::RelativePose a_in_b;
  const char* kind = "";
};

/// The pose that turns face `f` of a to face `g` of b, with their middles at a distance `gap`.
geometry::RelativePose face_to_face(const geometry::ConvexPolyhedron& a,
                                    const geometry::ConvexPolyhedron& b, int f, int g, double gap,
                                    const Quat& twist);

/// Sizes from 1 mm to 1 km; apart, touching, parallel, nearly parallel, overlapping and nested.
PlacedPair random_pair(Random& random, const std::vector<geometry::PolygonMesh>& pool);

}  // namespace abut::test
