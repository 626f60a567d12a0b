#pragma once
// Faces of a mesh: facets side by side in one plane, whatever triangles they were given as.

#include <array>
#include <vector>

#include "geometry/polygon_mesh.h"

namespace abut::geometry {

struct MeshFaces {
  std::vector<std::vector<std::array<int, 3>>> triangles;  ///< of each facet
  std::vector<int> face_of;                                ///< of each facet
  std::vector<std::vector<int>> facets;                    ///< of each face
  std::vector<Vec3> normals;                               ///< of each face, unit, outward
  double tolerance = 0;  ///< how far from its plane a face may reach, m
};

/// Facets that lie in one plane up to rounding and are joined by edges that only two facets use are
/// one face. Precondition: the mesh has passed geometry/mesh_check and has no spare vertices.
MeshFaces faces_of(const PolygonMesh& mesh);

}  // namespace abut::geometry
