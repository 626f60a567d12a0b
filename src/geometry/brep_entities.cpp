#include "geometry/brep_entities.h"

#include <algorithm>
#include <map>

#include "base/union_find.h"
#include "geometry/mesh_edges.h"
#include "geometry/mesh_faces.h"
#include "geometry/mesh_weld.h"

namespace abut::geometry {
namespace {

class EntityMaker {
 public:
  explicit EntityMaker(const PolygonMesh& given) {
    const PolygonMesh mesh = without_spare_vertices(given);
    MeshFaces faces = faces_of(mesh);
    made_.points = mesh.vertices;
    made_.face_normals = std::move(faces.normals);
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
      for (const auto& triangle : faces.triangles[f]) {
        made_.triangles.push_back(triangle);
        made_.where_of_triangle.push_back({Locus::on_face, faces.face_of[f]});
      }
  }

  BrepEntities run() {
    find_sides();
    name_edges();
    name_points();
    return std::move(made_);
  }

 private:
  void find_sides() {
    std::vector<std::vector<int>> corners;
    for (const auto& t : made_.triangles) corners.push_back({t[0], t[1], t[2]});
    made_.sides.resize(made_.triangles.size());
    for_each_edge(edge_uses(corners), [&](std::span<const EdgeUse> uses) {
      const int side = static_cast<int>(made_.side_ends.size());
      made_.side_ends.push_back({uses[0].low, uses[0].high});
      made_.side_triangles.emplace_back();
      for (const EdgeUse& use : uses) {
        made_.side_triangles.back().push_back(use.face);
        const auto& t = made_.triangles[use.face];
        const int from = use.upwards ? use.low : use.high;
        const auto corner = std::find(t.begin(), t.end(), from) - t.begin();
        made_.sides[use.face][static_cast<std::size_t>(corner)] = side;
      }
    });
  }

  std::vector<int> faces_at(int side) const {
    std::vector<int> faces;
    for (const int t : made_.side_triangles[side])
      faces.push_back(made_.where_of_triangle[t].entity);
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    return faces;
  }

  bool is_inner(int side) const {
    return made_.side_triangles[side].size() == 2 && faces_at(side).size() == 1;
  }

  // A point within an edge: two sides leave it, between the same faces, in opposite directions.
  bool is_within_edge(int point) const {
    const std::vector<int>& sides = edge_sides_[point];
    if (sides.size() != 2 || faces_at(sides[0]) != faces_at(sides[1])) return false;
    return from(point, sides[0]).dot(from(point, sides[1])) < 0;
  }
  Vec3 from(int point, int side) const {
    const auto& [low, high] = made_.side_ends[side];
    return made_.points[low == point ? high : low] - made_.points[point];
  }

  void name_edges() {
    const int side_count = static_cast<int>(made_.side_ends.size());
    edge_sides_.resize(made_.points.size());
    for (int side = 0; side < side_count; ++side)
      if (!is_inner(side))
        for (const int point : made_.side_ends[side]) edge_sides_[point].push_back(side);
    base::UnionFind chains(made_.side_ends.size());
    for (std::size_t p = 0; p < made_.points.size(); ++p)
      if (is_within_edge(static_cast<int>(p))) chains.join(edge_sides_[p][0], edge_sides_[p][1]);
    std::map<int, int> edge_of_chain;
    for (int side = 0; side < side_count; ++side) {
      if (is_inner(side)) {
        made_.where_of_side.push_back({Locus::on_face, faces_at(side).front()});
        continue;
      }
      const auto [found, is_new] =
          edge_of_chain.try_emplace(chains.first_of(side), static_cast<int>(made_.edges.size()));
      if (is_new) made_.edges.push_back({{-1, -1}, faces_at(side)});
      made_.where_of_side.push_back({Locus::on_edge, found->second});
    }
  }

  void name_points() {
    std::vector<int> any_triangle(made_.points.size(), 0);
    for (std::size_t t = 0; t < made_.triangles.size(); ++t)
      for (const int p : made_.triangles[t]) any_triangle[p] = static_cast<int>(t);
    for (std::size_t i = 0; i < made_.points.size(); ++i) {
      const int p = static_cast<int>(i);
      const std::vector<int>& sides = edge_sides_[p];
      if (sides.empty()) {
        made_.where_of_point.push_back(made_.where_of_triangle[any_triangle[p]]);
      } else if (is_within_edge(p)) {
        made_.where_of_point.push_back(made_.where_of_side[sides[0]]);
      } else {
        made_.where_of_point.push_back({Locus::on_vertex, static_cast<int>(made_.vertices.size())});
        made_.vertices.push_back(p);
        for (const int side : sides) {
          auto& ends = made_.edges[made_.where_of_side[side].entity].ends;
          (ends[0] < 0 ? ends[0] : ends[1]) = p;
        }
      }
    }
  }

  BrepEntities made_;
  std::vector<std::vector<int>> edge_sides_;  // sides on edges, at each point
};

}  // namespace

BrepEntities entities_of(const PolygonMesh& mesh) {
  return EntityMaker(mesh).run();
}

}  // namespace abut::geometry
