#pragma once
// A convex solid somewhere in space, curved or a polyhedron, as the convex hull of atoms
// (convex_surface.h), and the cells into which its normals fall.

#include <array>
#include <cstdint>

#include "abut/types.h"
#include "geometry/convex_polyhedron.h"
#include "geometry/convex_surface.h"
#include "geometry/extremal_normal.h"

namespace abut::geometry {

/// One of the two: a curved surface, or a polyhedron.
struct PlacedConvex {
  const ConvexSurface* surface = nullptr;
  const ConvexPolyhedron* polyhedron = nullptr;
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();

  PlacedAtom atom(int index) const;
  int farthest_atom(const Vec3& m) const;
  double height(const Vec3& m) const;
  double size() const;  ///< radius of a ball about the position around it
};

enum class CellKind : std::uint8_t {
  atom,  ///< a curved part or a corner: its normals have two freedoms
  line,  ///< an edge or a line on the surface: one
  flat   ///< a face or disc: none
};

struct NormalCell {
  CellKind kind = CellKind::atom;
  std::array<int, 3> atoms = {-1, -1, -1};  ///< of which it is spanned

  int count() const { return 1 + (atoms[1] >= 0 ? 1 : 0) + (atoms[2] >= 0 ? 1 : 0); }
};

/// Two of them, A and B.
struct ConvexPair {
  ConvexPair(const PlacedConvex& of_a, const PlacedConvex& of_b);

  /// How wide the slab across n between the two is, m; n points from B to A.
  double gap_along(const Vec3& n) const { return -a.height(-n) - b.height(n); }
  /// Bounds of their distance that rounding does not tell apart.
  bool agree(double lower, double upper) const;

  const PlacedConvex& a;
  const PlacedConvex& b;
  double scale;  ///< how far coordinates reach, to which rounding errors are proportional, m
};

}  // namespace abut::geometry
