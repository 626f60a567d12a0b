#pragma once
// The boundary of a solid that need not be convex, as flat convex cells with a tree of boxes.
//
// Facets of a mesh that lie in one plane, side by side, are one face, whatever triangles it was
// given as. A face that is convex is one cell; any other is cut into convex cells. The cuts are no
// edges of the solid: what a place of the boundary is like is told by all cells that hold it. Let d
// be any direction from x into such a cell. A body outside that is nearest at x, in the direction
// n, cannot be nearer beside x:
//     n . d <= 0 for all of them.
// On a face that is its normal alone, at a convex edge or corner everything between the normals of
// its faces, at a reflex edge or one that is only a cut nothing: there bodies touch the faces.
//
// Two closed surfaces that are apart overlap later only if a cell of one meets a cell of the other,
// so distances and proofs need nothing but pairs of cells, which are convex.

#include <memory>
#include <span>
#include <vector>

#include "abut/types.h"
#include "geometry/aabb.h"
#include "geometry/box_tree.h"
#include "geometry/polygon_mesh.h"

namespace abut::geometry {

class MeshBoundary {
 public:
  /// Precondition: the mesh has passed geometry/mesh_check.
  explicit MeshBoundary(const PolygonMesh& mesh);

  int cell_count() const { return static_cast<int>(normals_.size()); }
  /// Counter-clockwise from outside.
  std::span<const int> corners(int cell) const {
    return std::span(corners_).subspan(rows_[cell], rows_[cell + 1] - rows_[cell]);
  }
  const Vec3& vertex(int v) const { return vertices_[v]; }
  const Vec3& normal(int cell) const { return normals_[cell]; }  ///< unit, outward
  int face_of(int cell) const { return faces_[cell]; }           ///< which cells are one face
  int face_count() const { return face_count_; }
  const BoxTree& tree() const { return *tree_; }  ///< of the cells
  const Vec3& centre() const { return centre_; }  ///< of the box around it
  double radius() const { return radius_; }       ///< of a ball about the centre around it

  /// Whether a body outside may be nearest at x in the direction n (unit), to the sine of an angle
  /// `tolerance`. Cells count as holding x that are no farther than `near` (m).
  bool is_normal_at(const Vec3& x, const Vec3& n, double near, double tolerance) const;

  /// Normals of the cells that hold x, each once.
  std::vector<Vec3> normals_at(const Vec3& x, double near) const;

  /// Whether a point is inside. Exact but on the surface itself, where it may be either.
  bool contains(const Vec3& x) const;

 private:
  std::vector<int> cells_at(const Vec3& x, double near) const;
  double distance(int cell, const Vec3& x) const;
  void add_cell(std::vector<int> polygon, const Vec3& normal, int face);
  void build_tree();

  std::vector<Vec3> vertices_;
  std::vector<int> corners_;
  std::vector<int> rows_ = {0};
  std::vector<Vec3> normals_;
  std::vector<int> faces_;
  int face_count_ = 0;
  std::unique_ptr<const BoxTree> tree_;
  Vec3 centre_ = Vec3::Zero();
  double radius_ = 0;
};

/// The boundary of a mesh, made once for all bodies that share it.
std::shared_ptr<const MeshBoundary> boundary_of(const std::shared_ptr<const PolygonMesh>& mesh);

}  // namespace abut::geometry
