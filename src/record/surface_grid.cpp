#include "record/surface_grid.h"

#include <cmath>

namespace abut::record {
namespace {

/// Cross products below this, relative to the extent of the cell, belong to triangles without area.
constexpr double flat_triangle = 1e-12;

void add_triangle(DisplayMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const Vec3 ab = mesh.vertices[b] - mesh.vertices[a];
  const Vec3 ac = mesh.vertices[c] - mesh.vertices[a];
  const double extent = ab.squaredNorm() + ac.squaredNorm();
  if (ab.cross(ac).norm() > flat_triangle * extent) mesh.triangles.push_back({a, b, c});
}

}  // namespace

void add_grid(DisplayMesh& mesh, GridSize size,
              const std::function<SurfacePoint(double u, double v)>& surface) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const auto row = static_cast<std::uint32_t>(size.u) + 1;
  for (int j = 0; j <= size.v; ++j) {
    for (int i = 0; i <= size.u; ++i) {
      const SurfacePoint point =
          surface(static_cast<double>(i) / size.u, static_cast<double>(j) / size.v);
      mesh.vertices.push_back(point.position);
      mesh.normals.push_back(point.normal.normalized());
    }
  }
  for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(size.v); ++j) {
    for (std::uint32_t i = 0; i + 1 < row; ++i) {
      const std::uint32_t corner = first + j * row + i;
      add_triangle(mesh, corner, corner + 1, corner + row + 1);
      add_triangle(mesh, corner, corner + row + 1, corner + row);
    }
  }
}

void add_disc(DisplayMesh& mesh, double z, bool faces_up, int segments) {
  const auto centre = static_cast<std::uint32_t>(mesh.vertices.size());
  const Vec3 normal(0, 0, faces_up ? 1 : -1);
  mesh.vertices.emplace_back(0, 0, z);
  mesh.normals.push_back(normal);
  for (int i = 0; i < segments; ++i) {
    const double angle = full_turn * i / segments;
    mesh.vertices.emplace_back(std::cos(angle), std::sin(angle), z);
    mesh.normals.push_back(normal);
  }
  for (int i = 0; i < segments; ++i) {
    const auto a = centre + 1 + static_cast<std::uint32_t>(i);
    const auto b = centre + 1 + static_cast<std::uint32_t>((i + 1) % segments);
    mesh.triangles.push_back(faces_up ? std::array{centre, a, b} : std::array{centre, b, a});
    mesh.edges.push_back({mesh.vertices[a], mesh.vertices[b]});
  }
}

}  // namespace abut::record
