#include "shape/flat_surface.h"

namespace abut::shape {
namespace {

std::shared_ptr<const geometry::PolygonMesh> surface_of(const Box& box) {
  geometry::PolygonMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 p = 0.5 * box.size;
    for (int axis = 0; axis < 3; ++axis)
      if ((corner >> axis & 1) == 0) p[axis] = -p[axis];
    mesh.vertices.push_back(p);
  }
  mesh.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return std::make_shared<const geometry::PolygonMesh>(std::move(mesh));
}

}  // namespace

std::shared_ptr<const geometry::PolygonMesh> flat_surface(const Geometry& geometry) {
  if (const auto* box = std::get_if<Box>(&geometry)) return surface_of(*box);
  if (const auto* mesh = std::get_if<Mesh>(&geometry)) return mesh->surface;
  const auto* convex = std::get_if<Convex>(&geometry);
  return convex != nullptr && convex->rounding == 0 ? convex->hull : nullptr;
}

}  // namespace abut::shape
