#pragma once
// A convex polyhedron with the topology that questions about its features need.
//
// Coordinates are relative to the mean of the vertices, `centre()`, so that a solid far from the
// origin of its frame loses no accuracy: subtracting two doubles of similar size is exact.
//
// Edge e consists of the half-edges 2e and 2e + 1, so the twin of h is h ^ 1. A point and a segment
// are polyhedra without faces; they are the cores of spheres and capsules.

#include <span>
#include <vector>

#include "abut/types.h"
#include "geometry/polygon_mesh.h"

namespace abut::geometry {

/// Twice the vector area of a triangle, from its two shortest sides: the rounding error of a cross
/// product grows with the lengths of the factors, and a sliver has one short side.
Vec3 triangle_area(const Vec3& a, const Vec3& b, const Vec3& c);

class ConvexPolyhedron {
 public:
  struct HalfEdge {
    int origin = 0;
    int next = 0;   ///< around the face, counter-clockwise from outside; the twin for a segment
    int face = -1;  ///< to the left; -1 for a segment
  };

  /// The plane { x : normal . x = offset } supports the face: no corner is above it.
  struct Face {
    Vec3 normal = Vec3::UnitZ();
    double offset = 0;
    int first = 0;  ///< one of its half-edges
  };

  /// Precondition: a closed convex surface, as convex_hull() makes it. Throws
  /// std::invalid_argument if its sides do not match in pairs.
  static ConvexPolyhedron from_hull(const PolygonMesh& hull);
  /// A box with whole edge lengths `size`, centred.
  static ConvexPolyhedron from_box(const Vec3& size);
  static ConvexPolyhedron from_point();
  /// From (0, 0, -length/2), vertex 0, to (0, 0, length/2), vertex 1.
  static ConvexPolyhedron from_segment(double length);

  const Vec3& centre() const { return centre_; }
  double radius() const { return radius_; }              ///< of a ball about the centre around it
  double inner_radius() const { return inner_radius_; }  ///< of one within it

  std::span<const Vec3> vertices() const { return vertices_; }
  std::span<const HalfEdge> half_edges() const { return half_edges_; }
  std::span<const Face> faces() const { return faces_; }

  int vertex_count() const { return static_cast<int>(vertices_.size()); }
  int edge_count() const { return static_cast<int>(half_edges_.size()) / 2; }
  int face_count() const { return static_cast<int>(faces_.size()); }

  int edge_start(int edge) const { return half_edges_[2 * edge].origin; }
  int edge_end(int edge) const { return half_edges_[2 * edge + 1].origin; }

  /// The half-edges that leave a vertex, and where they lead, in the same order.
  std::span<const int> leaving(int vertex) const { return row(leaving_, vertex); }
  std::span<const int> neighbours(int vertex) const { return row(neighbours_, vertex); }

  /// The edge between two vertices, or -1.
  int edge_between(int from, int to) const;
  /// A face with all the given corners, or -1.
  int face_with(std::span<const int> corners) const;

  /// A vertex that is farthest along `direction` (any length), searched for by climbing from
  /// `hint`; -1 for none. On a convex polyhedron a vertex without a higher neighbour is highest.
  /// Faces of more than three corners are planar only up to rounding, so the climb ends only after
  /// all corners of the faces around the vertex were compared too.
  int support(const Vec3& direction, int hint = -1) const;

 private:
  std::span<const int> row(const std::vector<int>& table, int vertex) const {
    return std::span(table).subspan(rows_[vertex], rows_[vertex + 1] - rows_[vertex]);
  }
  void link(const std::vector<std::vector<int>>& faces);
  void list_neighbours();
  void list_opposite_corners();
  void find_planes();
  void find_radii();
  int scan(const Vec3& direction) const;
  int climb(const Vec3& direction, int vertex) const;
  int best_seed(const Vec3& direction) const;

  Vec3 centre_ = Vec3::Zero();
  double radius_ = 0;
  double inner_radius_ = 0;
  std::vector<Vec3> vertices_;
  std::vector<HalfEdge> half_edges_;
  std::vector<Face> faces_;
  std::vector<int> rows_;  ///< where each vertex starts in the next two
  std::vector<int> leaving_;
  std::vector<int> neighbours_;
  std::vector<int> opposite_rows_;  ///< where each vertex starts in the next one
  std::vector<int> opposite_;       ///< corners of its faces that are not its neighbours
  std::vector<int> seeds_;          ///< far apart vertices, to start climbs from
};

}  // namespace abut::geometry
