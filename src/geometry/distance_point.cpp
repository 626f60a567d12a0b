#include "geometry/distance_point.h"

#include <algorithm>

#include "geometry/power_of_two.h"

namespace abut::geometry {

namespace {

/// Replaces `best` if `candidate` is closer.
void keep_closer(PointDistance& best, const PointDistance& candidate) {
  if (candidate.distance < best.distance) best = candidate;
}

PointDistance at(const Vec3& from, const Vec3& point, SimplexFeature feature, int index) {
  return {(point - from).norm(), {point, feature, index}};
}

PointDistance distance_to_side(const Vec3& point, const Vec3& a, const Vec3& b, int side,
                               int next) {
  PointDistance best = distance_point_segment(point, {a, b});
  PointOnFeature& closest = best.closest;
  closest.index = closest.feature == SimplexFeature::vertex && closest.index == 1 ? next : side;
  return best;
}

/// The polygon's area vector about its first corner (Newell), each coordinate scaled by `unit`.
Vec3 scaled_area_vector(std::span<const Vec3> polygon, double unit) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    sum += ((polygon[i] - polygon[0]) * unit).cross((polygon[i + 1] - polygon[0]) * unit);
  }
  return sum;
}

/// Even-odd rule in the coordinate plane where the polygon appears largest.
bool inside_seen_along(std::span<const Vec3> polygon, const Vec3& point, int axis) {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vec3& a = polygon[j];
    const Vec3& b = polygon[i];
    if ((a[y] > point[y]) == (b[y] > point[y])) continue;
    const double crossing = a[x] + (point[y] - a[y]) / (b[y] - a[y]) * (b[x] - a[x]);
    if (point[x] < crossing) inside = !inside;
  }
  return inside;
}

}  // namespace

// The foot of the perpendicular is at s = e.(p - a) / e.e. It is measured from the nearer end, so
// that it is accurate near both.
PointDistance distance_point_segment(const Vec3& point, const Segment& segment) {
  const Vec3& a = segment[0];
  const Vec3& b = segment[1];
  PointDistance best = at(point, a, SimplexFeature::vertex, 0);
  keep_closer(best, at(point, b, SimplexFeature::vertex, 1));
  const Vec3 along = b - a;
  const double unit = unit_for(along.cwiseAbs().maxCoeff());
  const Vec3 direction = along * unit;
  const double length = direction.squaredNorm();
  if (!(length > 0)) return best;
  const bool from_a = best.closest.index == 0;
  const Vec3& end = from_a ? a : b;
  const double s = direction.dot(point - end) * unit / length;
  if (from_a ? s > 0 && s < 1 : s < 0 && s > -1) {
    keep_closer(best, at(point, end + s * along, SimplexFeature::edge, 0));
  }
  return best;
}

// The foot of the perpendicular on the plane has the barycentric coordinates
//   l_b = n.((p - a) x (c - a)) / n.n,  l_c = n.((b - a) x (p - a)) / n.n,  n = (b - a) x (c - a).
PointDistance distance_point_triangle(const Vec3& point, const Triangle& triangle) {
  PointDistance best = distance_to_side(point, triangle[0], triangle[1], 0, 1);
  keep_closer(best, distance_to_side(point, triangle[1], triangle[2], 1, 2));
  keep_closer(best, distance_to_side(point, triangle[2], triangle[0], 2, 0));
  const Vec3& a = triangle[0];
  const Vec3 ab = triangle[1] - a, ac = triangle[2] - a, ap = point - a;
  const double unit = unit_for(std::max(ab.cwiseAbs().maxCoeff(), ac.cwiseAbs().maxCoeff()));
  const Vec3 u = ab * unit, v = ac * unit, w = ap * unit;
  const Vec3 n = u.cross(v);
  const double area = n.squaredNorm();
  if (!(area > 0)) return best;
  double lb = n.dot(w.cross(v)) / area, lc = n.dot(u.cross(w)) / area;
  // In a thin triangle they are off by rounding over thickness; what is left over shows by how
  // much.
  const Vec3 rest = w - lb * u - lc * v;
  lb += n.dot(rest.cross(v)) / area;
  lc += n.dot(u.cross(rest)) / area;
  if (lb > 0 && lc > 0 && lb + lc < 1) {
    keep_closer(best, at(point, a + lb * ab + lc * ac, SimplexFeature::interior, 0));
  }
  return best;
}

PointDistance distance_point_polygon(const Vec3& point, std::span<const Vec3> polygon) {
  const std::size_t count = polygon.size();
  PointDistance best = at(point, polygon[0], SimplexFeature::vertex, 0);
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    keep_closer(best, distance_to_side(point, polygon[i], polygon[next], static_cast<int>(i),
                                       static_cast<int>(next)));
    largest = std::max(largest, (polygon[i] - polygon[0]).cwiseAbs().maxCoeff());
  }
  const Vec3 area = scaled_area_vector(polygon, unit_for(largest));
  const double size = area.norm();
  if (count < 3 || !(size > 0)) return best;
  const Vec3 n = area / size;
  const Vec3 foot = point - n * n.dot(point - best.closest.point);
  int axis = 0;
  n.cwiseAbs().maxCoeff(&axis);
  if (inside_seen_along(polygon, foot, axis)) {
    keep_closer(best, at(point, foot, SimplexFeature::interior, 0));
  }
  return best;
}

}  // namespace abut::geometry
