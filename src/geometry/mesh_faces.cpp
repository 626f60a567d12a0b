#include "geometry/mesh_faces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/limits.h"
#include "geometry/mesh_edges.h"
#include "geometry/polygon.h"

namespace abut::geometry {
namespace {

// Facets are one face whose corners are within this of its plane, relative to the extent of the
// mesh (dimensionless): roundings of coordinates that were turned.
constexpr double one_plane = 256 * epsilon;

// Cosine of the angle between normals of facets of one face: rounding turns small ones.
constexpr double least_cosine_in_face = 0.9;

std::vector<std::array<int, 3>> fan_of(const std::vector<int>& face) {
  std::vector<std::array<int, 3>> triangles;
  for (std::size_t i = 2; i < face.size(); ++i)
    triangles.push_back({face[0], face[i - 1], face[i]});
  return triangles;
}

double plane_tolerance(const std::vector<Vec3>& points) {
  Vec3 low = points.front(), high = low;
  for (const Vec3& v : points) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  return one_plane * ((high - low).norm() + low.norm() + high.norm());
}

class FaceMaker {
 public:
  explicit FaceMaker(const PolygonMesh& mesh) : mesh_(mesh), neighbours_(mesh.faces.size()) {
    faces_.tolerance = plane_tolerance(mesh.vertices);
    faces_.face_of.assign(mesh.faces.size(), -1);
    for (const std::vector<int>& facet : mesh.faces) {
      faces_.triangles.push_back(triangulated(mesh.vertices, facet).value_or(fan_of(facet)));
      normals_.emplace_back(area_vector(mesh.vertices, facet).stableNormalized());
    }
    for_each_edge(edge_uses(mesh.faces), [&](std::span<const EdgeUse> uses) {
      if (uses.size() != 2) return;
      neighbours_[uses[0].face].push_back(uses[1].face);
      neighbours_[uses[1].face].push_back(uses[0].face);
    });
  }

  MeshFaces run() {
    for (std::size_t seed = 0; seed < normals_.size(); ++seed) {
      if (faces_.face_of[seed] >= 0) continue;
      std::vector<int> members = grown(static_cast<int>(seed));
      Vec3 area = Vec3::Zero();
      for (const int f : members) area += area_vector(mesh_.vertices, mesh_.faces[f]);
      faces_.normals.emplace_back(area.stableNormalized());
      faces_.facets.push_back(std::move(members));
    }
    return std::move(faces_);
  }

 private:
  std::vector<int> grown(int seed) {
    const int face = static_cast<int>(faces_.facets.size());
    const Vec3 normal = normals_[seed];
    const Vec3 at = centre_of(mesh_.vertices, mesh_.faces[seed]);
    // A small facet tells the plane of a large face only roughly.
    const double slack = bend_of(mesh_.vertices, mesh_.faces[seed]);
    std::vector<int> members = {seed};
    faces_.face_of[seed] = face;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const int next : neighbours_[members[i]]) {
        if (faces_.face_of[next] >= 0 || normals_[next].dot(normal) < least_cosine_in_face)
          continue;
        const std::vector<int>& corners = mesh_.faces[next];
        if (!std::all_of(corners.begin(), corners.end(), [&](int v) {
              return std::abs(normal.dot(mesh_.vertices[v] - at)) <= faces_.tolerance + slack;
            }))
          continue;
        faces_.face_of[next] = face;
        members.push_back(next);
      }
    return members;
  }

  const PolygonMesh& mesh_;
  std::vector<std::vector<int>> neighbours_;
  std::vector<Vec3> normals_;  // of the facets
  MeshFaces faces_;
};

}  // namespace

MeshFaces faces_of(const PolygonMesh& mesh) {
  return FaceMaker(mesh).run();
}

}  // namespace abut::geometry
