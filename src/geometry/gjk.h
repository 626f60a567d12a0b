#pragma once
// The distance of two convex polyhedra by the algorithm of Gilbert, Johnson and Keerthi: the point
// nearest to the origin in the Minkowski difference A - B = { a - b }, approached by simplices of
// its vertices.
//
// Everything happens in the frame of B's centre, so the place of the bodies in the world does not
// matter. With v the nearest point of the simplex so far and w the vertex of A - B that is lowest
// along v,
//     w . v / |v|  <=  distance  <=  |v|,
// the left side because all of A - B lies above the plane through w normal to v.

#include <array>
#include <utility>

#include "abut/types.h"
#include "geometry/convex_polyhedron.h"

namespace abut::geometry {

/// A's coordinates in B's frame: x_b = rotation * x_a + translation.
struct RelativePose {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();

  Vec3 operator*(const Vec3& x) const { return rotation * x + translation; }
  RelativePose inverse() const {
    return {rotation.transpose(), -(rotation.transpose() * translation)};
  }
};

/// Up to four vertices of A - B, each as the difference of a vertex of A and one of B.
struct Simplex {
  struct Corner {
    Vec3 w = Vec3::Zero();
    int a = 0;
    int b = 0;
  };
  int count = 0;
  std::array<Corner, 4> corners;
  std::array<double, 4> weights = {};  ///< of the nearest point to the origin, adding up to 1

  Vec3 nearest() const;
};

/// Reduces the simplex to the smallest face that contains its point nearest to the origin, and
/// sets the weights. All four corners remain if the origin is inside.
void reduce_to_nearest(Simplex& simplex);

/// The unit vector from the origin to the nearest point of a reduced simplex. Near contact that
/// point is the small difference of large weighted corners, and its direction is lost; but it is
/// perpendicular to the simplex, and that direction is not.
Vec3 direction_to(const Simplex& simplex, const Vec3& nearest);

enum class GjkStatus {
  apart,    ///< the simplex holds the nearest point, as far as double precision can tell
  overlap,  ///< the origin is in A - B, or within rounding of it
  limit,    ///< too many iterations; the bounds hold all the same
};

struct GjkResult {
  GjkStatus status = GjkStatus::limit;
  double lower = 0;  ///< m, bounds of the distance; not positive if the bodies may touch
  double upper = 0;
  Simplex simplex;
  int iterations = 0;
};

/// A length to which rounding errors are proportional: how far coordinates reach (m).
double rounding_scale(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                      const RelativePose& a_in_b);

/// `start` holds the corners of an earlier simplex, of which only the vertex numbers matter, or
/// nothing.
GjkResult gjk(const ConvexPolyhedron& a, const ConvexPolyhedron& b, const RelativePose& a_in_b,
              const Simplex& start = {});

}  // namespace abut::geometry
