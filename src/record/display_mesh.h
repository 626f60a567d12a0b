#pragma once
// Shapes as triangles, for eyes only: contact never sees these.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shape/shape.h"

namespace abut::record {

/// A surface with one normal per vertex. Where a surface has a crease, its vertices are there once
/// for each side.
struct DisplayMesh {
  std::vector<Vec3> vertices;
  std::vector<Vec3> normals;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
  std::vector<std::array<Vec3, 2>> edges;               ///< creases, to be drawn as lines
};

/// How a shape is drawn: shape = diag(scale) * mesh. Shapes that differ only by a scale have the
/// same key and share their mesh.
struct DisplayShape {
  std::string key;
  Vec3 scale = Vec3::Ones();
  std::function<DisplayMesh()> mesh;
};

/// Cells around a sphere. With 64, the silhouette is off by an eighth of a percent of the radius,
/// less than a pixel; where there are many bodies each is small, and fewer do.
int display_detail(std::size_t part_count);

/// Nothing for a plane, which has no end. An inverted shape is drawn by its surface, seen from
/// both sides.
std::optional<DisplayShape> display_shape(const shape::Geometry& geometry, int detail);

/// The different meshes of a scene.
class MeshLibrary {
 public:
  /// The index of the shape's mesh, which is made if it is new.
  std::size_t index_of(const DisplayShape& shape);
  const std::vector<DisplayMesh>& meshes() const { return meshes_; }

 private:
  std::map<std::string, std::size_t> indices_;
  std::vector<DisplayMesh> meshes_;
};

}  // namespace abut::record
