#include "geometry/mesh_boundary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "geometry/convex_cells.h"
#include "geometry/mesh_edges.h"
#include "geometry/mesh_weld.h"
#include "geometry/polygon.h"

namespace abut::geometry {
namespace {

// Facets are one face whose corners are within this of its plane, relative to the extent of the
// mesh (dimensionless): roundings of coordinates that were turned.
constexpr double one_plane = 256 * epsilon;

// Cosine of the angle between normals of facets of one face: rounding turns small ones.
constexpr double least_cosine_in_face = 0.9;

struct Facet {
  std::vector<IndexTriangle> triangles;
  Vec3 normal = Vec3::UnitZ();
  int face = -1;
};

// Faces of a mesh: facets side by side in one plane.
class FaceMaker {
 public:
  explicit FaceMaker(const PolygonMesh& mesh) : mesh_(mesh), facets_(mesh.faces.size()) {
    Vec3 low = mesh.vertices.front(), high = low;
    for (const Vec3& v : mesh.vertices) {
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
    tolerance = one_plane * ((high - low).norm() + low.norm() + high.norm());
    neighbours_.resize(facets_.size());
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      facets_[f].triangles =
          triangulated(mesh.vertices, mesh.faces[f]).value_or(fan(mesh.faces[f]));
      facets_[f].normal = area_vector(mesh.vertices, mesh.faces[f]).stableNormalized();
    }
    for_each_edge(edge_uses(mesh.faces), [&](std::span<const EdgeUse> uses) {
      if (uses.size() != 2) return;
      neighbours_[uses[0].face].push_back(uses[1].face);
      neighbours_[uses[1].face].push_back(uses[0].face);
    });
  }

  // Calls visit(facets, normal) for each face.
  template <class Visitor>
  void for_each(const Visitor& visit) {
    std::vector<std::size_t> order(facets_.size());
    for (std::size_t f = 0; f < order.size(); ++f) order[f] = f;
    for (const std::size_t seed : order) {
      if (facets_[seed].face >= 0) continue;
      const std::vector<int> members = grown(static_cast<int>(seed));
      Vec3 area = Vec3::Zero();
      for (const int f : members) area += area_vector(mesh_.vertices, mesh_.faces[f]);
      visit(members, Vec3(area.stableNormalized()));
    }
  }
  const Facet& facet(int f) const { return facets_[f]; }

  double tolerance = 0;  // m

 private:
  static std::vector<IndexTriangle> fan(const std::vector<int>& face) {
    std::vector<IndexTriangle> triangles;
    for (std::size_t i = 2; i < face.size(); ++i)
      triangles.push_back({face[0], face[i - 1], face[i]});
    return triangles;
  }
  std::vector<int> grown(int seed) {
    const Vec3 normal = facets_[seed].normal;
    const Vec3 at = centre_of(mesh_.vertices, mesh_.faces[seed]);
    // A small facet tells the plane of a large face only roughly.
    const double slack = bend_of(mesh_.vertices, mesh_.faces[seed]);
    std::vector<int> members = {seed};
    facets_[seed].face = count_;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const int next : neighbours_[members[i]]) {
        if (facets_[next].face >= 0 || facets_[next].normal.dot(normal) < least_cosine_in_face)
          continue;
        const std::vector<int>& corners = mesh_.faces[next];
        if (!std::all_of(corners.begin(), corners.end(), [&](int v) {
              return std::abs(normal.dot(mesh_.vertices[v] - at)) <= tolerance + slack;
            }))
          continue;
        facets_[next].face = count_;
        members.push_back(next);
      }
    ++count_;
    return members;
  }

  const PolygonMesh& mesh_;
  std::vector<Facet> facets_;
  std::vector<std::vector<int>> neighbours_;
  int count_ = 0;
};

Vec3 nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& x) {
  const Vec3 along = b - a;
  const double squared = along.squaredNorm();
  const double t = squared > 0 ? std::clamp(along.dot(x - a) / squared, 0.0, 1.0) : 0.0;
  return a + t * along;
}

// Of the triangle seen from x, steradians (van Oosterom and Strackee 1983).
double solid_angle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 p = a - x, q = b - x, r = c - x;
  const double lp = p.norm(), lq = q.norm(), lr = r.norm();
  const double volume = p.dot(q.cross(r));
  const double cosine = lp * lq * lr + p.dot(q) * lr + q.dot(r) * lp + r.dot(p) * lq;
  return 2 * std::atan2(volume, cosine);
}

}  // namespace

MeshBoundary::MeshBoundary(const PolygonMesh& given) {
  const PolygonMesh mesh = without_spare_vertices(given);
  vertices_ = mesh.vertices;
  FaceMaker faces(mesh);
  std::vector<int> local(vertices_.size());
  faces.for_each([&](const std::vector<int>& members, const Vec3& normal) {
    const Vec3 x = normal.unitOrthogonal(), y = normal.cross(x);
    std::vector<int> names;
    std::vector<Vec2> points;
    std::vector<IndexTriangle> triangles;
    for (const int f : members)
      for (const IndexTriangle& triangle : faces.facet(f).triangles)
        for (const int v : triangle) names.push_back(v);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (std::size_t i = 0; i < names.size(); ++i) {
      local[names[i]] = static_cast<int>(i);
      const Vec3 from = vertices_[names[i]] - vertices_[names.front()];
      points.emplace_back(x.dot(from), y.dot(from));
    }
    for (const int f : members)
      for (const IndexTriangle& t : faces.facet(f).triangles)
        triangles.push_back({local[t[0]], local[t[1]], local[t[2]]});
    for (std::vector<int>& cell : convex_cells(points, triangles, faces.tolerance)) {
      for (int& corner : cell) corner = names[corner];
      add_cell(std::move(cell), normal, face_count_);
    }
    ++face_count_;
  });
  build_tree();
}

void MeshBoundary::add_cell(std::vector<int> polygon, const Vec3& normal, int face) {
  corners_.insert(corners_.end(), polygon.begin(), polygon.end());
  rows_.push_back(static_cast<int>(corners_.size()));
  normals_.push_back(normal);
  faces_.push_back(face);
}

void MeshBoundary::build_tree() {
  std::vector<Box3> boxes;
  Box3 whole;
  for (int cell = 0; cell < cell_count(); ++cell) {
    Box3 box;
    for (const int v : corners(cell)) box.extend(vertices_[v]);
    whole.extend(box);
    boxes.push_back(box);
  }
  centre_ = whole.center();
  for (const int v : corners_) radius_ = std::max(radius_, (vertices_[v] - centre_).norm());
  tree_ = std::make_unique<const BoxTree>(std::move(boxes));
}

double MeshBoundary::distance(int cell, const Vec3& x) const {
  const std::span<const int> polygon = corners(cell);
  const Vec3& n = normals_[cell];
  bool inside = true;
  double nearest = infinity;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &a = vertices_[polygon[i]], &b = vertices_[polygon[(i + 1) % polygon.size()]];
    if (n.dot((b - a).cross(x - a)) < 0) inside = false;
    nearest = std::min(nearest, (nearest_on_segment(a, b, x) - x).norm());
  }
  return inside ? std::abs(n.dot(x - vertices_[polygon.front()])) : nearest;
}

std::vector<int> MeshBoundary::cells_at(const Vec3& x, double near) const {
  std::vector<int> found;
  tree_->find_overlapping(Box3(x - Vec3::Constant(near), x + Vec3::Constant(near)), found);
  std::erase_if(found, [&](int cell) { return distance(cell, x) > near; });
  std::sort(found.begin(), found.end());
  return found;
}

bool MeshBoundary::is_normal_at(const Vec3& x, const Vec3& n, double near, double tolerance) const {
  bool leads_out = false;
  for (const int cell : cells_at(x, near)) {
    leads_out = leads_out || n.dot(normals_[cell]) > 0;
    for (const int v : corners(cell)) {
      const Vec3 into = vertices_[v] - x;
      if (n.dot(into) > tolerance * into.norm() + near) return false;
    }
  }
  return leads_out;
}

std::vector<Vec3> MeshBoundary::normals_at(const Vec3& x, double near) const {
  std::vector<Vec3> found;
  for (const int cell : cells_at(x, near))
    if (std::find(found.begin(), found.end(), normals_[cell]) == found.end())
      found.push_back(normals_[cell]);
  return found;
}

bool MeshBoundary::contains(const Vec3& x) const {
  double angle = 0;
  for (int cell = 0; cell < cell_count(); ++cell) {
    const std::span<const int> polygon = corners(cell);
    for (std::size_t i = 2; i < polygon.size(); ++i)
      angle +=
          solid_angle(x, vertices_[polygon[0]], vertices_[polygon[i - 1]], vertices_[polygon[i]]);
  }
  return angle > 2 * M_PI;
}

std::shared_ptr<const MeshBoundary> boundary_of(const std::shared_ptr<const PolygonMesh>& mesh) {
  struct Known {
    std::weak_ptr<const PolygonMesh> mesh;
    std::weak_ptr<const MeshBoundary> boundary;
  };
  static std::mutex mutex;
  static std::map<const PolygonMesh*, Known> all;
  const std::lock_guard lock(mutex);
  std::erase_if(all, [](const auto& entry) { return entry.second.mesh.expired(); });
  Known& known = all[mesh.get()];
  if (auto boundary = known.boundary.lock()) return boundary;
  auto boundary = std::make_shared<const MeshBoundary>(*mesh);
  known = {mesh, boundary};
  return boundary;
}

}  // namespace abut::geometry
