#pragma once
// The vertices, edges and faces of a solid, and which simplices of its triangulation lie on which.
//
// Facets side by side in one plane are one face, so a side of a triangle may be no edge, and a
// corner may be inside a face or on an edge. Between the same faces, sides end to end are one edge.

#include <array>
#include <span>
#include <vector>

#include "abut/classification.h"
#include "geometry/polygon_mesh.h"

namespace abut::geometry {

struct BrepEdge {
  std::array<int, 2> ends = {0, 0};  ///< as places in BrepEntities::points
  std::vector<int> faces;            ///< that meet there: two, or more where it is no manifold
};

struct BrepEntities {
  std::vector<Vec3> points;  ///< of the triangulation
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 3>> sides;  ///< of each triangle: from corner i to corner i + 1
  std::vector<std::array<int, 2>> side_ends;
  std::vector<std::vector<int>> side_triangles;

  std::vector<Where> where_of_point, where_of_side, where_of_triangle;

  std::vector<Vec3> face_normals;
  std::vector<BrepEdge> edges;
  std::vector<int> vertices;  ///< as places in `points`
};

/// Precondition: the mesh has passed geometry/mesh_check.
BrepEntities entities_of(const PolygonMesh& mesh);

}  // namespace abut::geometry
