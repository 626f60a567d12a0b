#include "record/polyhedron_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "geometry/ear_clipping.h"

namespace abut::record {
namespace {

using Face = std::vector<int>;

/// Edges at which a mesh turns by more than this are drawn as edges (cosine of 30 degrees): scanned
/// surfaces turn by less from triangle to triangle, machine parts by more.
const double crease_cosine = std::cos(std::numbers::pi / 6);

/// Faces that turn by less than this count as one plane (cosine of a tenth of a degree): the
/// triangles of one flat side of a mesh file.
const double coplanar_cosine = std::cos(std::numbers::pi / 1800);

/// Twice the area vector of a polygon (Newell): the sum of cross products of its sides.
Vec3 area_vector(const geometry::PolygonMesh& mesh, const Face& face) {
  Vec3 sum = Vec3::Zero();
  const Vec3 origin = mesh.vertices[face[0]];
  for (std::size_t i = 1; i + 1 < face.size(); ++i)
    sum += (mesh.vertices[face[i]] - origin).cross(mesh.vertices[face[i + 1]] - origin);
  return sum;
}

/// A polygon as triangles of its corners' places: ears where it is not convex.
std::vector<std::array<int, 3>> triangles_of(const geometry::PolygonMesh& mesh, const Face& face,
                                             const Vec3& normal) {
  if (face.size() == 3) return {{0, 1, 2}};
  const Vec3 x = normal.unitOrthogonal();
  const Vec3 y = normal.cross(x);
  std::vector<geometry::Vec2> corners;
  for (const int vertex : face)
    corners.emplace_back(x.dot(mesh.vertices[vertex]), y.dot(mesh.vertices[vertex]));
  if (auto ears = geometry::clipped_ears(corners)) return *ears;
  std::vector<std::array<int, 3>> fan;
  for (int i = 1; i + 1 < static_cast<int>(face.size()); ++i) fan.push_back({0, i, i + 1});
  return fan;
}

class Builder {
 public:
  Builder(const geometry::PolygonMesh& mesh, bool flat)
      : mesh_(mesh), smooth_cosine_(flat ? coplanar_cosine : crease_cosine) {
    for (const Face& face : mesh.faces) {
      areas_.push_back(area_vector(mesh, face));
      normals_.push_back(areas_.back().normalized());
    }
    faces_of_.resize(mesh.vertices.size());
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
      for (const int vertex : mesh.faces[f]) faces_of_[vertex].push_back(f);
  }

  DisplayMesh build() {
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) add_face(f);
    add_edges();
    return std::move(out_);
  }

 private:
  bool smooth(std::size_t a, std::size_t b) const {
    return normals_[a].dot(normals_[b]) >= smooth_cosine_;
  }

  /// The mean, by area, over the faces around the vertex that go on smoothly from this face.
  Vec3 normal_at(std::size_t face, int vertex) const {
    Vec3 sum = Vec3::Zero();
    for (const std::size_t other : faces_of_[vertex])
      if (smooth(face, other)) sum += areas_[other];
    return sum.norm() > 0 ? sum.normalized() : normals_[face];
  }

  void add_face(std::size_t f) {
    const Face& face = mesh_.faces[f];
    const auto first = static_cast<std::uint32_t>(out_.vertices.size());
    for (const int vertex : face) {
      out_.vertices.push_back(mesh_.vertices[vertex]);
      out_.normals.push_back(normal_at(f, vertex));
    }
    for (const auto& t : triangles_of(mesh_, face, normals_[f])) {
      out_.triangles.push_back({first + static_cast<std::uint32_t>(t[0]),
                                first + static_cast<std::uint32_t>(t[1]),
                                first + static_cast<std::uint32_t>(t[2])});
    }
  }

  void add_edges() {
    std::map<std::pair<int, int>, std::vector<std::size_t>> sides;
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      const Face& face = mesh_.faces[f];
      for (std::size_t i = 0; i < face.size(); ++i) {
        const auto [a, b] = std::minmax(face[i], face[(i + 1) % face.size()]);
        sides[{a, b}].push_back(f);
      }
    }
    for (const auto& [edge, faces] : sides) {
      const bool inside = faces.size() == 2 && smooth(faces[0], faces[1]);
      if (!inside) out_.edges.push_back({mesh_.vertices[edge.first], mesh_.vertices[edge.second]});
    }
  }

  const geometry::PolygonMesh& mesh_;
  double smooth_cosine_;
  std::vector<Vec3> areas_, normals_;
  std::vector<std::vector<std::size_t>> faces_of_;  ///< by vertex
  DisplayMesh out_;
};

}  // namespace

DisplayMesh polyhedron_mesh(const geometry::PolygonMesh& polyhedron, bool flat) {
  return Builder(polyhedron, flat).build();
}

}  // namespace abut::record
