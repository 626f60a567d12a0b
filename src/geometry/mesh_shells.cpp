#include "geometry/mesh_shells.h"

#include <cmath>
#include <map>
#include <numbers>

#include "base/union_find.h"
#include "geometry/box_tree.h"
#include "geometry/mesh_edges.h"

namespace abut::geometry {
namespace {

/// At an edge of more than two sides: joins the shells that are not closed there by themselves.
/// Together they are, as the whole edge is balanced, and joining more shells keeps that.
void join_open_shells(std::span<const EdgeUse> edge, base::UnionFind& groups) {
  std::map<int, int> balance;
  for (const EdgeUse& use : edge) balance[groups.first_of(use.face)] += use.upwards ? 1 : -1;
  int first_open = -1;
  for (const auto& [shell, sum] : balance) {
    if (sum == 0) continue;
    if (first_open < 0) first_open = shell;
    groups.join(first_open, shell);
  }
}

// The solid angle under which p sees a triangle, with the sign of its orientation:
//   tan(Omega / 2) = a . (b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
// (van Oosterom and Strackee 1983).
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm();
  const double lb = b.norm();
  const double lc = c.norm();
  const double volume = a.dot(b.cross(c));
  const double rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(volume, rest);
}

struct Shell {
  std::vector<int> triangles;
  Box3 box;
  Vec3 inner = Vec3::Zero();  ///< a point inside one of its triangles, the largest
};

class Nesting {
 public:
  Nesting(const std::vector<Vec3>& points, const std::vector<MeshTriangle>& triangles,
          const Shells& shells)
      : points_(points), triangles_(triangles), shells_(shells.count) {
    std::vector<double> largest(shells.count, -1);
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
      const int s = shells.of_face[triangles[t].face];
      const auto& [i, j, k] = triangles[t].corners;
      Shell& shell = shells_[s];
      shell.triangles.push_back(t);
      for (const int corner : triangles[t].corners) shell.box.extend(points[corner]);
      const double area = (points[j] - points[i]).cross(points[k] - points[i]).norm();
      if (area <= largest[s]) continue;
      largest[s] = area;
      shell.inner = points[i] + ((points[j] - points[i]) + (points[k] - points[i])) / 3;
    }
  }

  std::vector<bool> wrongly_facing() const {
    std::vector<Box3> boxes;
    for (const Shell& shell : shells_) {
      // A shell of faces that could not be triangulated has no box; it meets no other.
      boxes.push_back(shell.box.isEmpty() ? Box3(shell.inner) : shell.box);
    }
    const BoxTree tree(boxes);
    std::vector<bool> wrong(shells_.size(), false);
    std::vector<int> around;
    for (int s = 0; s < static_cast<int>(shells_.size()); ++s) {
      around.clear();
      tree.find_overlapping(Box3(shells_[s].inner), around);
      bool in_cavity = false;
      for (const int other : around) {
        if (other != s && contains(shells_[other], shells_[s].inner)) in_cavity = !in_cavity;
      }
      const double volume = signed_volume(shells_[s]);
      wrong[s] = in_cavity ? volume > 0 : volume < 0;
    }
    return wrong;
  }

 private:
  // A closed surface is seen under 4 pi from inside and under 0 from outside, whatever its genus.
  bool contains(const Shell& shell, const Vec3& p) const {
    double angle = 0;
    for (const int t : shell.triangles) {
      const auto& [i, j, k] = triangles_[t].corners;
      angle += solid_angle(points_[i] - p, points_[j] - p, points_[k] - p);
    }
    return std::lround(std::abs(angle) / (4 * std::numbers::pi)) % 2 == 1;
  }

  double signed_volume(const Shell& shell) const {
    const Vec3 middle = shell.box.center();
    double sum = 0;
    for (const int t : shell.triangles) {
      const auto& [i, j, k] = triangles_[t].corners;
      sum += (points_[i] - middle).dot((points_[j] - middle).cross(points_[k] - middle));
    }
    return sum / 6;
  }

  const std::vector<Vec3>& points_;
  const std::vector<MeshTriangle>& triangles_;
  std::vector<Shell> shells_;
};

}  // namespace

Shells shells_of(const std::vector<std::vector<int>>& faces) {
  const std::vector<EdgeUse> uses = edge_uses(faces);
  base::UnionFind groups(faces.size());
  for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
    if (edge.size() == 2) groups.join(edge[0].face, edge[1].face);
  });
  for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
    if (edge.size() > 2) join_open_shells(edge, groups);
  });
  Shells shells;
  shells.of_face.resize(faces.size());
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    const int first = groups.first_of(f);
    shells.of_face[f] = first == f ? shells.count++ : shells.of_face[first];
  }
  return shells;
}

std::vector<bool> wrongly_facing(const std::vector<Vec3>& points,
                                 const std::vector<MeshTriangle>& triangles, const Shells& shells) {
  return Nesting(points, triangles, shells).wrongly_facing();
}

}  // namespace abut::geometry
