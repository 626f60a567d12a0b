#include "geometry/convex_polyhedron.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace abut::geometry {
namespace {

/// Up to so many vertices, comparing all is faster than climbing from far away.
constexpr int scan_limit = 32;
/// Up to so many it is faster even than climbing from nearby.
constexpr int always_scan_limit = 8;

}  // namespace

Vec3 triangle_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double opposite_a = (c - b).squaredNorm();
  const double opposite_b = (a - c).squaredNorm();
  const double opposite_c = (b - a).squaredNorm();
  if (opposite_a >= opposite_b && opposite_a >= opposite_c) return (b - a).cross(c - a);
  if (opposite_b >= opposite_c) return (c - b).cross(a - b);
  return (a - c).cross(b - c);
}

ConvexPolyhedron ConvexPolyhedron::from_hull(const PolygonMesh& hull) {
  ConvexPolyhedron result;
  Vec3 offset = Vec3::Zero();
  for (const Vec3& v : hull.vertices) offset += v - hull.vertices.front();
  result.centre_ = hull.vertices.front() + offset / static_cast<double>(hull.vertices.size());
  for (const Vec3& v : hull.vertices) result.vertices_.push_back(v - result.centre_);
  result.link(hull.faces);
  result.list_neighbours();
  result.list_opposite_corners();
  result.find_planes();
  result.find_radii();
  for (int axis = 0; axis < 3; ++axis) {
    result.seeds_.push_back(result.scan(Vec3::Unit(axis)));
    result.seeds_.push_back(result.scan(-Vec3::Unit(axis)));
  }
  return result;
}

ConvexPolyhedron ConvexPolyhedron::from_box(const Vec3& size) {
  PolygonMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back((i & 1 ? 0.5 : -0.5) * size.x(), (i & 2 ? 0.5 : -0.5) * size.y(),
                               (i & 4 ? 0.5 : -0.5) * size.z());
  }
  mesh.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return from_hull(mesh);
}

ConvexPolyhedron ConvexPolyhedron::from_point() {
  ConvexPolyhedron result;
  result.vertices_ = {Vec3::Zero()};
  result.list_neighbours();
  result.opposite_rows_ = {0, 0};
  return result;
}

ConvexPolyhedron ConvexPolyhedron::from_segment(double length) {
  ConvexPolyhedron result;
  result.vertices_ = {Vec3(0, 0, -length / 2), Vec3(0, 0, length / 2)};
  result.half_edges_ = {{0, 1, -1}, {1, 0, -1}};
  result.list_neighbours();
  result.opposite_rows_ = {0, 0, 0};
  result.find_radii();
  return result;
}

void ConvexPolyhedron::link(const std::vector<std::vector<int>>& faces) {
  struct Side {
    int low, high, face, corner;
    bool reversed;
    bool operator<(const Side& other) const {
      return std::tie(low, high, reversed) < std::tie(other.low, other.high, other.reversed);
    }
  };
  std::vector<Side> sides;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::size_t i = 0; i < faces[f].size(); ++i) {
      const int from = faces[f][i];
      const int to = faces[f][(i + 1) % faces[f].size()];
      sides.push_back({std::min(from, to), std::max(from, to), static_cast<int>(f),
                       static_cast<int>(i), from > to});
    }
  }
  std::sort(sides.begin(), sides.end());
  std::vector<std::vector<int>> of_face(faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f) of_face[f].resize(faces[f].size());
  for (std::size_t h = 0; h < sides.size(); ++h) {
    const Side& side = sides[h];
    const Side& twin = sides[h ^ 1];
    if ((h | 1) >= sides.size() || side.low != twin.low || side.high != twin.high ||
        side.reversed != (h % 2 == 1)) {
      throw std::invalid_argument("the sides of the faces of a polyhedron do not match in pairs");
    }
    half_edges_.push_back({side.reversed ? side.high : side.low, 0, side.face});
    of_face[side.face][side.corner] = static_cast<int>(h);
  }
  for (const std::vector<int>& around : of_face) {
    for (std::size_t i = 0; i < around.size(); ++i) {
      half_edges_[around[i]].next = around[(i + 1) % around.size()];
    }
    faces_.push_back({Vec3::UnitZ(), 0, around.front()});
  }
}

void ConvexPolyhedron::list_neighbours() {
  rows_.assign(vertices_.size() + 1, 0);
  for (const HalfEdge& h : half_edges_) ++rows_[h.origin + 1];
  for (std::size_t v = 0; v < vertices_.size(); ++v) rows_[v + 1] += rows_[v];
  std::vector<int> next_free = rows_;
  leaving_.resize(half_edges_.size());
  neighbours_.resize(half_edges_.size());
  for (std::size_t h = 0; h < half_edges_.size(); ++h) {
    const int at = next_free[half_edges_[h].origin]++;
    leaving_[at] = static_cast<int>(h);
    neighbours_[at] = half_edges_[h ^ 1].origin;
  }
}

void ConvexPolyhedron::list_opposite_corners() {
  opposite_rows_.push_back(0);
  for (int v = 0; v < vertex_count(); ++v) {
    for (const int start : leaving(v)) {
      // Without the vertex itself, the next corner and the last one, which are its neighbours.
      const int next = half_edges_[start].next;
      for (int h = half_edges_[next].next; half_edges_[h].next != start; h = half_edges_[h].next) {
        opposite_.push_back(half_edges_[h].origin);
      }
    }
    opposite_rows_.push_back(static_cast<int>(opposite_.size()));
  }
}

void ConvexPolyhedron::find_planes() {
  for (Face& face : faces_) {
    std::vector<Vec3> corners;
    int h = face.first;
    do {
      corners.push_back(vertices_[half_edges_[h].origin]);
      h = half_edges_[h].next;
    } while (h != face.first);
    Vec3 middle = Vec3::Zero();
    for (const Vec3& corner : corners) middle += corner;
    middle /= static_cast<double>(corners.size());
    Vec3 area = Vec3::Zero();
    if (corners.size() == 3) {
      area = triangle_area(corners[0], corners[1], corners[2]);
    } else {
      for (std::size_t i = 0; i < corners.size(); ++i) {
        area += (corners[i] - middle).cross(corners[(i + 1) % corners.size()] - middle);
      }
    }
    face.normal = area.stableNormalized();
    face.offset = -std::numeric_limits<double>::infinity();
    for (const Vec3& corner : corners) {
      face.offset = std::max(face.offset, face.normal.dot(corner));
    }
  }
}

void ConvexPolyhedron::find_radii() {
  for (const Vec3& v : vertices_) radius_ = std::max(radius_, v.norm());
  if (faces_.empty()) return;
  inner_radius_ = radius_;
  for (const Face& face : faces_) inner_radius_ = std::min(inner_radius_, face.offset);
  inner_radius_ = std::max(inner_radius_, 0.0);
}

int ConvexPolyhedron::edge_between(int from, int to) const {
  const std::span<const int> around = neighbours(from);
  for (std::size_t i = 0; i < around.size(); ++i) {
    if (around[i] == to) return leaving(from)[i] / 2;
  }
  return -1;
}

int ConvexPolyhedron::face_with(std::span<const int> corners) const {
  for (const int start : leaving(corners.front())) {
    if (half_edges_[start].face < 0) continue;
    std::size_t found = 1;
    for (int h = half_edges_[start].next; h != start; h = half_edges_[h].next) {
      const auto rest = corners.subspan(1);
      if (std::find(rest.begin(), rest.end(), half_edges_[h].origin) != rest.end()) ++found;
    }
    if (found == corners.size()) return half_edges_[start].face;
  }
  return -1;
}

int ConvexPolyhedron::scan(const Vec3& direction) const {
  int best = 0;
  double height = direction.dot(vertices_[0]);
  for (int v = 1; v < vertex_count(); ++v) {
    const double h = direction.dot(vertices_[v]);
    if (h > height) {
      height = h;
      best = v;
    }
  }
  return best;
}

int ConvexPolyhedron::best_seed(const Vec3& direction) const {
  return *std::max_element(seeds_.begin(), seeds_.end(), [&](int v, int w) {
    return direction.dot(vertices_[v]) < direction.dot(vertices_[w]);
  });
}

int ConvexPolyhedron::climb(const Vec3& direction, int vertex) const {
  double height = direction.dot(vertices_[vertex]);
  // The height grows with each move, so no vertex is visited twice.
  const auto move_to_best = [&](const int* first, const int* last) {
    int best = vertex;
    for (const int* v = first; v != last; ++v) {
      const double h = direction.dot(vertices_[*v]);
      if (h > height) {
        height = h;
        best = *v;
      }
    }
    const bool moved = best != vertex;
    vertex = best;
    return moved;
  };
  for (;;) {
    if (move_to_best(&neighbours_[rows_[vertex]], neighbours_.data() + rows_[vertex + 1])) continue;
    const int* opposite = opposite_.data();
    if (!move_to_best(opposite + opposite_rows_[vertex], opposite + opposite_rows_[vertex + 1])) {
      return vertex;
    }
  }
}

int ConvexPolyhedron::support(const Vec3& direction, int hint) const {
  const int limit = hint < 0 ? scan_limit : always_scan_limit;
  if (vertex_count() <= limit) return scan(direction);
  if (seeds_.empty()) return scan(direction);
  return climb(direction, hint < 0 ? best_seed(direction) : hint);
}

}  // namespace abut::geometry
