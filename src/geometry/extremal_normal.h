#pragma once
// The normal along which two smooth convex solids are farthest apart.
//
// For a unit vector n from B to A let
//     g(n) = -h_A(-n) - h_B(n) = n . (x - y),   x = x_A(-n),  y = x_B(n),
// the width of the empty slab across n. It is a lower bound of the distance whatever n is, and the
// distance is its maximum. There x - y is along n, and (x, y) are the extremal points of Baraff
// 1990 (eq. 9, 42, 56): the surface normals are opposite, and so is the line between the points.
// For small turns dn across n,
//     d(x - y) = -(W_A + W_B) dn,   so that the residual F = (x - y) - g n changes by
//     dF = -(W_A + W_B + g) dn:
// Newton's step solves a 2 x 2 system of radii of curvature. Where the solids are apart g is
// positive and concave up to its length, so Newton's method with a line search on g finds the
// maximum from anywhere.
//
// Flat spots are passed as geometry/normal_search.h says.
//
// A line on one of the surfaces binds n to a circle of normals, two lines or a plane leave it no
// freedom: the same with one unknown, or none.

#include <array>

#include "abut/types.h"
#include "geometry/convex_surface.h"

namespace abut::geometry {

/// An atom somewhere in space.
struct PlacedAtom {
  const SupportAtom* atom = nullptr;
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();

  double height(const Vec3& m) const {
    return atom->height(rotation.transpose() * m) + m.dot(position);
  }
  Vec3 support(const Vec3& m) const {
    return rotation * atom->support(rotation.transpose() * m) + position;
  }
  SurfacePatch patch(const Vec3& m) const;
};

struct AtomPair {
  PlacedAtom a, b;

  /// How far coordinates reach, to which rounding errors are proportional, m.
  double scale() const;
  double gap_along(const Vec3& n) const { return -a.height(-n) - b.height(n); }
};

struct Extremum {
  Vec3 normal = Vec3::UnitZ();  ///< unit, from B to A
  double gap = 0;               ///< g along it, m
  Vec3 a = Vec3::Zero();        ///< x
  Vec3 b = Vec3::Zero();        ///< y
  Mat3 radii = Mat3::Zero();    ///< W_A + W_B, without the gap
  Mat3 radii_a = Mat3::Zero();  ///< W_A
  int iterations = 0;
};

/// The maximum over all unit vectors, from the normal `start`.
Extremum extremal_normal(const AtomPair& pair, const Vec3& start);

/// The same for a point and a solid. `hint` is the normal of a point nearby, or zero,
/// and becomes that of this one.
Extremum extremum_of_point(const Vec3& point, const PlacedAtom& other, Vec3& hint);

/// The maximum over a circle of normals. `start` need not be on it; without a good one (zero) the
/// whole circle is looked at.
Extremum extremal_normal_on(const AtomPair& pair, const NormalCircle& circle, const Vec3& start);

/// Of a normal that is given.
Extremum extremum_at(const AtomPair& pair, const Vec3& normal);

/// The unit vectors on two circles; as many as the number returned, at most 2.
int crossings(const NormalCircle& one, const NormalCircle& other, std::array<Vec3, 2>& found);

}  // namespace abut::geometry
