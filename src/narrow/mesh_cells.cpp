#include "narrow/mesh_cells.h"

#include <utility>

#include "narrow/solid_id.h"

namespace abut::narrow {
namespace {

using geometry::MeshBoundary;

geometry::PolygonMesh polygon_of(const MeshBoundary& boundary, int cell) {
  geometry::PolygonMesh mesh;
  std::vector<int> front, back;
  for (const int v : boundary.corners(cell)) {
    front.push_back(static_cast<int>(mesh.vertices.size()));
    mesh.vertices.push_back(boundary.vertex(v));
  }
  back.assign(front.rbegin(), front.rend());
  mesh.faces = {front, back};
  return mesh;
}

}  // namespace

MeshCells::MeshCells(std::shared_ptr<const MeshBoundary> boundary, int part, const Pose& pose)
    : boundary_(std::move(boundary)), part_(part), pose_(pose) {
  pose_.orientation.normalize();
}

Vec3 MeshCells::point_in_mesh(const Vec3& x) const {
  return pose_.orientation.conjugate() * (x - pose_.position);
}

Vec3 MeshCells::direction_in_mesh(const Vec3& d) const {
  return pose_.orientation.conjugate() * d;
}

Vec3 MeshCells::direction_in_body(const Vec3& d) const {
  return pose_.orientation * d;
}

const Solid& MeshCells::solid(int cell) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Solid>& made = made_[cell];
  if (!made) {
    auto solid = std::make_unique<Solid>();
    solid->kind = SolidKind::polyhedron;
    solid->part = cell_id(part_, cell);
    solid->core = geometry::ConvexPolyhedron::from_hull(polygon_of(*boundary_, cell));
    solid->orientation = pose_.orientation;
    solid->position = pose_.position + pose_.orientation * solid->core.centre();
    made = std::move(solid);
  }
  return *made;
}

// The whole is placed by its centre; so are its cells, by theirs.
Placed placed_piece(const Placed& whole, int cell) {
  if (cell < 0) return whole;
  const MeshCells& cells = *whole.solid->cells;
  const Solid& solid = cells.solid(cell);
  const Vec3 from_centre = solid.core.centre() - cells.boundary().centre();
  return {&solid, whole.rotation, whole.position + whole.rotation * from_centre};
}

}  // namespace abut::narrow
