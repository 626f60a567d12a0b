// The divergence theorem turns the integrals over a solid into sums over its faces: with any point
// o, the solid is the signed sum of the tetrahedra (o, p, q, r) over the triangles (p, q, r) of its
// surface. A polygon is the signed sum of the triangles that its first corner forms with its sides,
// which holds for non-convex polygons too.
//
// A tetrahedron with one corner at the origin and d = p . (q x r) has
//   V = d / 6,   int x = V (p + q + r) / 4,
//   int x x^T = V/20 (s s^T + p p^T + q q^T + r r^T),  s = p + q + r.
//
// Rounding: o is taken at the middle of the mesh, so that a solid far from the origin loses
// nothing; second moments are summed in a second pass about the centroid, so that no parallel-axis
// term is subtracted; the sums are compensated.

#include "shape/polyhedron_moments.h"

#include <array>

#include "math/compensated_sum.h"

namespace abut::shape {
namespace {

using geometry::PolygonMesh;
using math::CompensatedSum;

/// Calls visit(p, q, r) with the corners, relative to `origin`, of all triangles of the surface.
template <class Visitor>
void for_each_triangle(const PolygonMesh& mesh, const Vec3& origin, Visitor visit) {
  const auto corner = [&](int index) -> Vec3 {
    return mesh.vertices[static_cast<std::size_t>(index)] - origin;
  };
  for (const std::vector<int>& face : mesh.faces) {
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      visit(corner(face[0]), corner(face[i]), corner(face[i + 1]));
    }
  }
}

Vec3 middle_of(const PolygonMesh& mesh) {
  Vec3 low = mesh.vertices.front();
  Vec3 high = low;
  for (const Vec3& vertex : mesh.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  return low + (high - low) / 2;
}

}  // namespace

SecondMoments second_moments_of(const PolygonMesh& mesh) {
  SecondMoments moments;
  if (mesh.vertices.empty()) return moments;

  // First pass: volume and centroid, about the middle of the mesh.
  const Vec3 middle = middle_of(mesh);
  CompensatedSum volume;
  std::array<CompensatedSum, 3> first;
  for_each_triangle(mesh, middle, [&](const Vec3& p, const Vec3& q, const Vec3& r) {
    const double v = p.dot(q.cross(r)) / 6;
    const Vec3 s = p + q + r;
    volume.add(v);
    for (int i = 0; i < 3; ++i) first[i].add(v * s[i] / 4);
  });
  moments.volume = volume.value();
  if (moments.volume == 0) return moments;
  for (int i = 0; i < 3; ++i) moments.centroid[i] = middle[i] + first[i].value() / moments.volume;

  // Second pass: second moments, about the centroid.
  std::array<std::array<CompensatedSum, 3>, 3> second;
  for_each_triangle(mesh, moments.centroid, [&](const Vec3& p, const Vec3& q, const Vec3& r) {
    const double v = p.dot(q.cross(r)) / 120;
    const Vec3 s = p + q + r;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        second[i][j].add(v * (s[i] * s[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]));
      }
    }
  });
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      moments.second(i, j) = moments.second(j, i) = second[i][j].value();
    }
  }
  return moments;
}

}  // namespace abut::shape
