#include "geometry/convex_hull.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "abut/diagnostics.h"
#include "geometry/qhull_facets.h"

namespace abut::geometry {
namespace {

[[noreturn]] void fail(const std::string& message) {
  throw InputError(Location{}, message);
}

void check_points(const std::vector<Vec3>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {
      fail(fmt::format("point {} is ({}, {}, {}), but must be finite; mend or remove it", i,
                       points[i].x(), points[i].y(), points[i].z()));
    }
  }
  if (points.size() < 4) {
    fail(
        fmt::format("{} points have no hull with a volume; give at least 4 that are not in one "
                    "plane",
                    points.size()));
  }
  if (points.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 4) {
    fail(fmt::format("{} points are too many for a hull; leave out those inside", points.size()));
  }
}

/// The points moved and scaled into the cube [-1, 1]^3; the scale is a power of two, so that only
/// the move rounds.
struct UnitSized {
  std::vector<Vec3> points;
  double roundoff = 0;  ///< how precisely the points are known, in the new unit
};

UnitSized unit_sized(const std::vector<Vec3>& points) {
  Vec3 low = points.front();
  Vec3 high = low;
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const Vec3 middle = low / 2 + high / 2;
  const double half = (high / 2 - low / 2).maxCoeff();
  if (!(half > 0)) fail("all points are equal, so their hull has no volume; give a solid's points");
  int exponent = 0;
  std::frexp(half, &exponent);
  UnitSized result;
  result.points.reserve(points.size());
  for (const Vec3& p : points) {
    const Vec3 offset = p - middle;
    result.points.emplace_back(std::ldexp(offset.x(), -exponent), std::ldexp(offset.y(), -exponent),
                               std::ldexp(offset.z(), -exponent));
  }
  // Far from the origin, doubles are further apart than the tolerance.
  const double largest = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  const double spacing = std::ldexp(largest * std::numeric_limits<double>::epsilon(), -exponent);
  constexpr double roundings = 8;  // of the coordinates of points that were rotated and moved
  result.roundoff = std::max(facet_tolerance, roundings * spacing);
  return result;
}

/// The largest value of `measure` over the points, and where it is reached.
template <class Measure>
std::pair<double, Vec3> largest(const std::vector<Vec3>& points, Measure measure) {
  std::pair<double, Vec3> best(-1, Vec3::Zero());
  for (const Vec3& p : points) {
    const double value = measure(p);
    if (value > best.first) best = {value, p};
  }
  return best;
}

/// Precondition: points of unit size.
void check_not_flat(const std::vector<Vec3>& points, double roundoff) {
  const double tolerance = std::max(flatness_tolerance, 4 * roundoff);
  const Vec3& a = points.front();
  const auto [length, b] = largest(points, [&](const Vec3& p) { return (p - a).norm(); });
  const Vec3 along = (b - a) / length;
  const auto off_line = [&](const Vec3& p) -> Vec3 { return (p - a) - (p - a).dot(along) * along; };
  const auto [width, c] = largest(points, [&](const Vec3& p) { return off_line(p).norm(); });
  if (width <= tolerance * length) {
    fail("all points are on one line, so their hull has no volume; give points around a solid");
  }
  const Vec3 normal = along.cross(off_line(c)).normalized();
  const auto thickness =
      largest(points, [&](const Vec3& p) { return std::abs((p - a).dot(normal)); }).first;
  if (thickness <= tolerance * length) {
    fail("all points are in one plane, so their hull has no volume; give points around a solid");
  }
}

/// The vertices of a convex facet, counter-clockwise about its normal.
std::vector<int> in_order(const HullFacet& facet, const std::vector<Vec3>& points) {
  Vec3 centre = Vec3::Zero();
  for (const int v : facet.vertices) centre += points[v];
  centre /= static_cast<double>(facet.vertices.size());
  const Vec3 u = facet.normal.unitOrthogonal();
  const Vec3 w = facet.normal.cross(u);
  std::vector<std::pair<double, int>> by_angle;
  for (const int v : facet.vertices) {
    const Vec3 d = points[v] - centre;
    by_angle.emplace_back(std::atan2(d.dot(w), d.dot(u)), v);
  }
  std::sort(by_angle.begin(), by_angle.end());
  std::vector<int> ordered;
  ordered.reserve(by_angle.size());
  for (const auto& [angle, v] : by_angle) ordered.push_back(v);
  // Start with the smallest index, so that the result does not depend on the choice of axes.
  std::rotate(ordered.begin(), std::min_element(ordered.begin(), ordered.end()), ordered.end());
  return ordered;
}

/// Vertices of fewer than three faces lie on an edge or in a face: they are no corners.
void drop_flat_corners(std::vector<std::vector<int>>& faces, std::size_t point_count) {
  std::vector<int> uses(point_count, 0);
  for (const std::vector<int>& face : faces) {
    for (const int v : face) ++uses[v];
  }
  for (std::vector<int>& face : faces) {
    std::erase_if(face, [&](int v) { return uses[v] < 3; });
  }
}

/// Every side runs once each way, and Euler's formula holds: a closed surface without holes.
bool is_closed_polyhedron(const std::vector<std::vector<int>>& faces) {
  std::vector<std::pair<int, int>> sides;
  std::vector<int> vertices;
  for (const std::vector<int>& face : faces) {
    if (face.size() < 3) return false;
    for (std::size_t i = 0; i < face.size(); ++i) {
      sides.emplace_back(face[i], face[(i + 1) % face.size()]);
      vertices.push_back(face[i]);
    }
  }
  std::sort(sides.begin(), sides.end());
  if (std::adjacent_find(sides.begin(), sides.end()) != sides.end()) return false;
  for (const auto& [from, to] : sides) {
    if (!std::binary_search(sides.begin(), sides.end(), std::pair(to, from))) return false;
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices.size() + faces.size() == sides.size() / 2 + 2;
}

/// The faces with their vertices, which keep the order that they have among the points.
PolygonMesh compacted(const std::vector<Vec3>& points, std::vector<std::vector<int>> faces) {
  std::vector<int> new_index(points.size(), -1);
  for (const std::vector<int>& face : faces) {
    for (const int v : face) new_index[v] = 0;
  }
  PolygonMesh mesh;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (new_index[i] < 0) continue;
    new_index[i] = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(points[i]);
  }
  for (std::vector<int>& face : faces) {
    for (int& v : face) v = new_index[v];
  }
  std::sort(faces.begin(), faces.end());
  mesh.faces = std::move(faces);
  return mesh;
}

}  // namespace

PolygonMesh convex_hull(const std::vector<Vec3>& points) {
  check_points(points);
  const UnitSized scaled = unit_sized(points);
  check_not_flat(scaled.points, scaled.roundoff);
  const QhullResult hull = qhull_facets(scaled.points, scaled.roundoff);
  if (hull.facets.empty()) {
    fail(
        fmt::format("the hull of {} points cannot be found ({}); move points apart or make the "
                    "solid thicker",
                    points.size(), hull.failure));
  }
  std::vector<std::vector<int>> faces;
  for (const HullFacet& facet : hull.facets) faces.push_back(in_order(facet, scaled.points));
  drop_flat_corners(faces, points.size());
  if (!is_closed_polyhedron(faces)) {
    fail(
        fmt::format("the hull of {} points is too uncertain in double precision; leave out points "
                    "that nearly coincide",
                    points.size()));
  }
  return compacted(points, std::move(faces));
}

}  // namespace abut::geometry
