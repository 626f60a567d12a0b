#include "geometry/mesh_boundary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "geometry/convex_cells.h"
#include "geometry/mesh_faces.h"
#include "geometry/mesh_weld.h"

namespace abut::geometry {
namespace {

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
  const MeshFaces faces = faces_of(mesh);
  std::vector<int> local(vertices_.size());
  for (const std::vector<int>& members : faces.facets) {
    const Vec3& normal = faces.normals[face_count_];
    const Vec3 x = normal.unitOrthogonal(), y = normal.cross(x);
    std::vector<int> names;
    std::vector<Vec2> points;
    std::vector<IndexTriangle> triangles;
    for (const int f : members)
      for (const IndexTriangle& triangle : faces.triangles[f])
        for (const int v : triangle) names.push_back(v);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (std::size_t i = 0; i < names.size(); ++i) {
      local[names[i]] = static_cast<int>(i);
      const Vec3 from = vertices_[names[i]] - vertices_[names.front()];
      points.emplace_back(x.dot(from), y.dot(from));
    }
    for (const int f : members)
      for (const IndexTriangle& t : faces.triangles[f])
        triangles.push_back({local[t[0]], local[t[1]], local[t[2]]});
    for (std::vector<int>& cell : convex_cells(points, triangles, faces.tolerance)) {
      for (int& corner : cell) corner = names[corner];
      add_cell(std::move(cell), normal, face_count_);
    }
    ++face_count_;
  }
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
