#pragma once
// A surface of planar polygons: the common currency of mesh files, hulls and polyhedral shapes.

#include <vector>

#include "abut/types.h"

namespace abut::geometry {

/// Faces list the indices of their corners, counter-clockwise seen from outside the solid.
struct PolygonMesh {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
};

}  // namespace abut::geometry
