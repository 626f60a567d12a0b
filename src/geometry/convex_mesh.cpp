// A connected closed surface that does not cross itself is convex if it is so at each of its edges
// (Tietze 1928): the planes of the two faces at an edge have each other's corners below them.

#include "geometry/convex_mesh.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "geometry/convex_hull.h"

namespace abut::geometry {
namespace {

// How far a corner may be above the plane of the next face, relative to the extent of the surface
// (dimensionless): four corners of a flat face are rounded by as much in files of seven digits.
// Contact sees the hull, which is larger by no more than that.
constexpr double rounded_vertices = 1e-7;

struct MeshPlane {
  Vec3 normal;
  double offset;
};

// Newell's normal, which does not depend on a single corner.
MeshPlane mesh_plane(const PolygonMesh& mesh, const std::vector<int>& face) {
  Vec3 normal = Vec3::Zero(), centre = Vec3::Zero();
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vec3& from = mesh.vertices[face[i]];
    const Vec3& to = mesh.vertices[face[(i + 1) % face.size()]];
    normal += from.cross(to);
    centre += from / static_cast<double>(face.size());
  }
  normal.stableNormalize();
  return {normal, normal.dot(centre)};
}

class ConvexityCheck {
 public:
  explicit ConvexityCheck(const PolygonMesh& mesh) : mesh_(mesh), group_(mesh.faces.size()) {
    std::iota(group_.begin(), group_.end(), 0);
    Vec3 low = mesh.vertices.front(), high = low;
    for (const Vec3& vertex : mesh.vertices) {
      low = low.cwiseMin(vertex);
      high = high.cwiseMax(vertex);
    }
    slack_ = rounded_vertices * (high - low).norm();
    // Coordinates far from the origin would cancel.
    for (Vec3& vertex : mesh_.vertices) vertex -= 0.5 * (low + high);
  }

  bool passes() {
    std::map<std::pair<int, int>, int> face_at;  // by directed edge
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      const std::vector<int>& face = mesh_.faces[f];
      for (std::size_t i = 0; i < face.size(); ++i)
        face_at[{face[i], face[(i + 1) % face.size()]}] = static_cast<int>(f);
    }
    for (const auto& [edge, f] : face_at) {
      const auto other = face_at.find({edge.second, edge.first});
      if (other == face_at.end() || !is_below(other->second, f)) return false;
      group_[root(f)] = root(other->second);
    }
    return is_connected();
  }

 private:
  bool is_below(int face, int of) const {
    const MeshPlane plane = mesh_plane(mesh_, mesh_.faces[of]);
    const std::vector<int>& corners = mesh_.faces[face];
    return std::all_of(corners.begin(), corners.end(), [&](int corner) {
      return plane.normal.dot(mesh_.vertices[corner]) <= plane.offset + slack_;
    });
  }
  int root(int face) {
    while (group_[face] != face) face = group_[face] = group_[group_[face]];
    return face;
  }
  bool is_connected() {
    for (std::size_t f = 1; f < group_.size(); ++f)
      if (root(static_cast<int>(f)) != root(0)) return false;
    return true;
  }

  PolygonMesh mesh_;
  std::vector<int> group_;  // of faces that hang together
  double slack_ = 0;        // m
};

}  // namespace

std::optional<PolygonMesh> hull_if_convex(const PolygonMesh& mesh) {
  if (mesh.vertices.empty() || !ConvexityCheck(mesh).passes()) return std::nullopt;
  return convex_hull(mesh.vertices);
}

}  // namespace abut::geometry
