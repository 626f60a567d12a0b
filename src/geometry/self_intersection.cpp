#include "geometry/self_intersection.h"

#include <algorithm>

#include "geometry/box_tree.h"
#include "geometry/exact_predicates.h"

namespace abut::geometry {
namespace {

/// The corners of two triangles, those they share first.
struct SharedCorners {
  std::array<int, 3> a;
  std::array<int, 3> b;
  int shared = 0;
};

SharedCorners shared_corners(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  SharedCorners result{a, b, 0};
  for (int i = 0; i < 3; ++i) {
    const auto rest = result.b.begin() + result.shared;
    const auto found = std::find(rest, result.b.end(), result.a[i]);
    if (found == result.b.end()) continue;
    std::iter_swap(found, rest);
    std::swap(result.a[i], result.a[result.shared]);
    ++result.shared;
  }
  return result;
}

Triangle triangle_of(const std::vector<Vec3>& points, const std::array<int, 3>& corners) {
  return {points[corners[0]], points[corners[1]], points[corners[2]]};
}

bool cross(const std::vector<Vec3>& points, const MeshTriangle& s, const MeshTriangle& t) {
  const auto [a, b, shared] = shared_corners(s.corners, t.corners);
  const Triangle ta = triangle_of(points, a);
  const Triangle tb = triangle_of(points, b);
  switch (shared) {
    case 0:
      return triangles_meet(ta, tb);
    // With one corner in common, a further common point lies on a ray from that corner, and the
    // first triangle that the ray leaves, it leaves through the side opposite to the corner.
    case 1:
      return segment_meets_triangle(ta[1], ta[2], tb) || segment_meets_triangle(tb[1], tb[2], ta);
    // With an edge in common there is nothing more unless one is folded back on the other.
    case 2:
      return orientation_3d(ta[0], ta[1], ta[2], tb[2]) == 0 &&
             on_same_side(ta[0], ta[1], ta[2], tb[2]);
    default:
      return true;
  }
}

}  // namespace

std::vector<std::pair<int, int>> crossing_faces(const std::vector<Vec3>& points,
                                                const std::vector<MeshTriangle>& triangles,
                                                std::size_t most) {
  std::vector<Box3> boxes;
  boxes.reserve(triangles.size());
  for (const MeshTriangle& triangle : triangles) {
    Box3 box;
    for (const int corner : triangle.corners) box.extend(points[corner]);
    boxes.push_back(box);
  }
  const BoxTree tree(boxes);
  std::vector<std::pair<int, int>> crossings;
  std::vector<int> near;
  for (int i = 0; i < static_cast<int>(triangles.size()) && crossings.size() < most; ++i) {
    near.clear();
    tree.find_overlapping(boxes[i], near);
    for (const int j : near) {
      if (j <= i || triangles[i].face == triangles[j].face) continue;
      if (!cross(points, triangles[i], triangles[j])) continue;
      crossings.push_back(std::minmax(triangles[i].face, triangles[j].face));
      if (crossings.size() >= most) break;
    }
  }
  std::sort(crossings.begin(), crossings.end());
  crossings.erase(std::unique(crossings.begin(), crossings.end()), crossings.end());
  return crossings;
}

}  // namespace abut::geometry
