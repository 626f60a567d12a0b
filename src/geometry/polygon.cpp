#include "geometry/polygon.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/ear_clipping.h"
#include "geometry/exact_predicates.h"

namespace abut::geometry {
namespace {

/// The corners in the coordinate plane that the polygon is most nearly parallel to, seen from the
/// side to which its normal points. Dropping a coordinate rounds nothing.
std::vector<Vec2> projected(const std::vector<Vec3>& points, const std::vector<int>& polygon) {
  const Vec3 normal = area_vector(points, polygon);
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  int u = (axis + 1) % 3;
  int v = (axis + 2) % 3;
  if (normal[axis] < 0) std::swap(u, v);
  std::vector<Vec2> result;
  result.reserve(polygon.size());
  for (const int corner : polygon) result.emplace_back(points[corner][u], points[corner][v]);
  return result;
}

}  // namespace

Vec3 area_vector(const std::vector<Vec3>& points, const std::vector<int>& polygon) {
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = points[polygon[0]];
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    sum += (points[polygon[i]] - origin).cross(points[polygon[i + 1]] - origin);
  }
  return sum / 2;
}

Vec3 centre_of(const std::vector<Vec3>& points, const std::vector<int>& polygon) {
  const Vec3& origin = points[polygon[0]];
  Vec3 sum = Vec3::Zero();
  for (const int corner : polygon) sum += points[corner] - origin;
  return origin + sum / static_cast<double>(polygon.size());
}

double extent_of(const std::vector<Vec3>& points, const std::vector<int>& polygon) {
  Eigen::AlignedBox3d box;
  for (const int corner : polygon) box.extend(points[corner]);
  return box.diagonal().norm();
}

double bend_of(const std::vector<Vec3>& points, const std::vector<int>& polygon) {
  if (polygon.size() == 3) return 0;
  const Vec3 normal = area_vector(points, polygon).normalized();
  const Vec3 centre = centre_of(points, polygon);
  double bend = 0;
  for (const int corner : polygon) {
    bend = std::max(bend, std::abs(normal.dot(points[corner] - centre)));
  }
  return bend;
}

bool is_planar(const std::vector<Vec3>& points, const std::vector<int>& polygon) {
  double largest = 0;
  for (const int corner : polygon) {
    largest = std::max(largest, points[corner].cwiseAbs().maxCoeff());
  }
  constexpr double roundings = 8;  // of coordinates that were rotated and moved
  const double spacing = std::numeric_limits<double>::epsilon() * largest;
  return !(bend_of(points, polygon) >
           planarity_tolerance * extent_of(points, polygon) + roundings * spacing);
}

bool is_degenerate(const std::vector<Vec3>& points, const std::vector<int>& polygon) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (polygon[i] == polygon[(i + 1) % polygon.size()]) return true;
  }
  if (polygon.size() == 3) {
    return are_collinear(points[polygon[0]], points[polygon[1]], points[polygon[2]]);
  }
  // Below this share of the squared extent (dimensionless) the area is the rounding of its own
  // computation: a product of coordinates rounds by half an epsilon, and each corner adds two.
  const double resolution =
      8 * std::numeric_limits<double>::epsilon() * static_cast<double>(polygon.size());
  const double extent = extent_of(points, polygon);
  return !(area_vector(points, polygon).norm() > resolution * extent * extent);
}

std::optional<std::vector<std::array<int, 3>>> triangulated(const std::vector<Vec3>& points,
                                                            const std::vector<int>& polygon) {
  if (polygon.size() == 3) return {{{polygon[0], polygon[1], polygon[2]}}};
  auto triangles = clipped_ears(projected(points, polygon));
  if (!triangles) return std::nullopt;
  for (std::array<int, 3>& triangle : *triangles) {
    for (int& corner : triangle) corner = polygon[corner];
  }
  return triangles;
}

}  // namespace abut::geometry
