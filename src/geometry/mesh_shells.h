#pragma once
// The connected pieces of a closed surface, and which way each of them should face.

#include <array>
#include <vector>

#include "geometry/polygon_mesh.h"

namespace abut::geometry {

struct MeshTriangle {
  std::array<int, 3> corners;
  int face = 0;  ///< that it is a part of
};

/// A shell is closed in itself and connected across edges of two faces. Where more faces meet in
/// an edge, shells touch; they are joined only if they would not be closed otherwise.
struct Shells {
  std::vector<int> of_face;
  int count = 0;
};
Shells shells_of(const std::vector<std::vector<int>>& faces);

/// For each shell, whether it faces the wrong way: a shell within an even number of others bounds
/// the solid from outside and must enclose a positive volume, one within an odd number bounds a
/// cavity and must enclose a negative one.
/// Precondition: closed, consistently oriented, and without crossings; the triangles make it up.
std::vector<bool> wrongly_facing(const std::vector<Vec3>& points,
                                 const std::vector<MeshTriangle>& triangles, const Shells& shells);

}  // namespace abut::geometry
