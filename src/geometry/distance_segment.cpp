#include "geometry/distance_segment.h"

#include <algorithm>
#include <cmath>

#include "geometry/distance_point.h"
#include "geometry/power_of_two.h"

namespace abut::geometry {

namespace {

/// A computed crossing within this fraction of the largest coordinate involved is on the triangle
/// (dimensionless): a few roundings.
constexpr double crossing_tolerance = 0x1p-49;

void keep_closer(PairDistance& best, const PairDistance& candidate) {
  if (candidate.distance < best.distance) best = candidate;
}

PairDistance end_against_segment(const Segment& first, int end, const Segment& second) {
  const Vec3& point = first[static_cast<std::size_t>(end)];
  const PointDistance d = distance_point_segment(point, second);
  return {d.distance, {point, SimplexFeature::vertex, end}, d.closest};
}

PairDistance exchanged(const PairDistance& d) {
  return {d.distance, d.on_second, d.on_first};
}

/// The common perpendicular of the lines a + s d and b + t e, if its feet are within the segments.
///
/// With r = b - a and n = d x e, s = (r x e).n / n.n and t = (r x d).n / n.n. Where the segments
/// are nearly parallel, n is inaccurate and so is s along them; projecting the point found back and
/// forth once makes the connection perpendicular again, which is what the distance depends on.
std::optional<PairDistance> between_insides(const Segment& first, const Segment& second) {
  const Vec3 d = first[1] - first[0], e = second[1] - second[0];
  const double unit_d = unit_for(d.cwiseAbs().maxCoeff());
  const double unit_e = unit_for(e.cwiseAbs().maxCoeff());
  const Vec3 ds = d * unit_d, es = e * unit_e, r = second[0] - first[0];
  const Vec3 n = ds.cross(es);
  const double area = n.squaredNorm();
  if (!(area > 0)) return std::nullopt;
  const double along = n.dot(r.cross(es)) * unit_d / area;
  if (!(along > 0 && along < 1)) return std::nullopt;
  double s = along;
  double t = es.dot(s * d - r) * unit_e / es.squaredNorm();
  if (!(t > 0 && t < 1)) return std::nullopt;
  s = std::clamp(ds.dot(r + t * e) * unit_d / ds.squaredNorm(), 0.0, 1.0);
  const Vec3 p = first[0] + s * d, q = second[0] + t * e;
  return PairDistance{(p - q).norm(), {p, SimplexFeature::edge, 0}, {q, SimplexFeature::edge, 0}};
}

}  // namespace

PairDistance distance_segment_segment(const Segment& first, const Segment& second) {
  PairDistance best = end_against_segment(first, 0, second);
  keep_closer(best, end_against_segment(first, 1, second));
  keep_closer(best, exchanged(end_against_segment(second, 0, first)));
  keep_closer(best, exchanged(end_against_segment(second, 1, first)));
  if (const auto inside = between_insides(first, second)) keep_closer(best, *inside);
  return best;
}

// The plane of a thin triangle is uncertain, and with it where the segment passes through. So the
// distance of the point found is measured, and is zero only within rounding.
std::optional<PairDistance> crossing_of_segment_and_triangle(const Segment& segment,
                                                             const Triangle& triangle) {
  const Vec3& a = triangle[0];
  const Vec3 ab = triangle[1] - a, ac = triangle[2] - a;
  const double size = std::max(ab.cwiseAbs().maxCoeff(), ac.cwiseAbs().maxCoeff());
  const Vec3 n = (ab * unit_for(size)).cross(ac * unit_for(size));
  const double from = n.dot(segment[0] - a), to = n.dot(segment[1] - a);
  if (!((from > 0 && to < 0) || (from < 0 && to > 0))) return std::nullopt;
  const Vec3 along = segment[1] - segment[0];
  const Vec3 point = segment[0] + from / (from - to) * along;
  PointDistance off = distance_point_triangle(point, triangle);
  const double largest =
      std::max({size, a.cwiseAbs().maxCoeff(), point.cwiseAbs().maxCoeff(), along.norm()});
  if (off.distance <= crossing_tolerance * largest) off.distance = 0;
  return PairDistance{off.distance, {point, SimplexFeature::edge, 0}, off.closest};
}

PairDistance distance_segment_triangle(const Segment& segment, const Triangle& triangle) {
  const auto crossing = crossing_of_segment_and_triangle(segment, triangle);
  if (crossing && crossing->distance == 0) return *crossing;
  PairDistance best;
  for (int end = 0; end < 2; ++end) {
    const Vec3& point = segment[static_cast<std::size_t>(end)];
    const PointDistance d = distance_point_triangle(point, triangle);
    const PairDistance candidate{d.distance, {point, SimplexFeature::vertex, end}, d.closest};
    if (end == 0) best = candidate;
    keep_closer(best, candidate);
  }
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    PairDistance candidate = distance_segment_segment(
        segment, {triangle[static_cast<std::size_t>(i)], triangle[static_cast<std::size_t>(next)]});
    PointOnFeature& on = candidate.on_second;
    on.index = on.feature == SimplexFeature::vertex && on.index == 1 ? next : i;
    keep_closer(best, candidate);
  }
  if (crossing) keep_closer(best, *crossing);
  return best;
}

}  // namespace abut::geometry
