#pragma once
// The cells of a mesh as solids.
//
// A mesh may have a hundred thousand cells, of which a body meets a few: each is made into a solid
// when it is asked for. What is near is found by the tree of the boundary (narrow/cell_walk.h).

#include <memory>
#include <mutex>
#include <unordered_map>

#include "geometry/mesh_boundary.h"
#include "narrow/body_shape.h"

namespace abut::narrow {

class MeshCells {
 public:
  /// `part` is the index of the mesh among the parts of its body, `pose` its pose there.
  MeshCells(std::shared_ptr<const geometry::MeshBoundary> boundary, int part, const Pose& pose);

  const geometry::MeshBoundary& boundary() const { return *boundary_; }
  /// A flat polygon with two faces, 0 outward and 1 inward; for every call the same. Any thread may
  /// ask.
  const Solid& solid(int cell) const;
  /// A point of the body frame as the mesh has it, and a direction.
  Vec3 point_in_mesh(const Vec3& x) const;
  Vec3 direction_in_mesh(const Vec3& d) const;
  Vec3 direction_in_body(const Vec3& d) const;

 private:
  std::shared_ptr<const geometry::MeshBoundary> boundary_;
  int part_;
  Pose pose_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<int, std::unique_ptr<const Solid>> made_;
};

/// The cell of a placed mesh, or the solid itself for -1.
Placed placed_piece(const Placed& whole, int cell);

}  // namespace abut::narrow
