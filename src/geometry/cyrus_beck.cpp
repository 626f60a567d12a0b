#include "geometry/cyrus_beck.h"

#include <algorithm>
#include <limits>

#include "geometry/polygon.h"

namespace abut::geometry {

namespace {

using Step = Interpenetration::Step;

/// The part of a convex polygon at least `depth` deep inside (Sutherland and Hodgman: one plane
/// after the other cuts off what is beyond it).
std::vector<Vec3> clipped_polygon(std::vector<Vec3> polygon, std::span<const FacePlane> planes,
                                  double depth) {
  std::vector<Vec3> kept;
  for (const FacePlane& plane : planes) {
    kept.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec3& a = polygon[i];
      const Vec3& b = polygon[(i + 1) % polygon.size()];
      const double height_a = plane.height_of(a) + depth, height_b = plane.height_of(b) + depth;
      if (height_a <= 0) kept.push_back(a);
      if ((height_a < 0 && height_b > 0) || (height_a > 0 && height_b < 0)) {
        kept.push_back(a + height_a / (height_a - height_b) * (b - a));
      }
    }
    polygon.swap(kept);
  }
  return polygon;
}

Vec3 mean_of(std::span<const Vec3> points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : points) sum += x;
  return sum / static_cast<double>(points.size());
}

/// Tests one solid's features against the other, `target`.
class FeatureTest {
 public:
  FeatureTest(const FacedSolid& from, const FacedSolid& target, bool of_first, double tolerance)
      : from_(from), target_(target), of_first_(of_first), tolerance_(tolerance) {}

  // Step 1: vertices.
  std::optional<Interpenetration> vertices() const {
    for (std::size_t i = 0; i < from_.vertices.size(); ++i) {
      if (auto found = entered(Step::vertex, i, from_.vertices[i])) return found;
    }
    return std::nullopt;
  }

  // Step 2: edges. The planes of the other solid divide an edge into pieces. Since that solid is
  // convex, at most one piece is inside: the one that clipping leaves.
  std::optional<Interpenetration> edges() const {
    for (std::size_t i = 0; i < from_.edges.size(); ++i) {
      const Vec3& a = from_.vertices[static_cast<std::size_t>(from_.edges[i][0])];
      const Vec3& b = from_.vertices[static_cast<std::size_t>(from_.edges[i][1])];
      const auto part = clipped_segment(target_.planes, a, b, tolerance_);
      if (!part) continue;
      const Vec3 middle = a + (part->from + part->to) / 2 * (b - a);
      if (auto found = entered(Step::edge, i, middle)) return found;
    }
    return std::nullopt;
  }

  // Step 3: faces, for solids whose edges all run along or outside the other's surface. Departure
  // from Moore and Wilhelms, who test the centroid of the whole face: that misses two aligned bars
  // of equal height that cross each other off centre. A face enters a convex solid if and only if
  // the middle of what clipping leaves of it is inside.
  std::optional<Interpenetration> faces() const {
    for (std::size_t i = 0; i < from_.faces.size(); ++i) {
      std::vector<Vec3> polygon;
      for (const int v : from_.faces[i]) {
        polygon.push_back(from_.vertices[static_cast<std::size_t>(v)]);
      }
      const auto part = clipped_polygon(std::move(polygon), target_.planes, tolerance_);
      if (part.empty()) continue;
      if (auto found = entered(Step::face, i, mean_of(part))) return found;
    }
    return std::nullopt;
  }

  // Step 4, not in the paper: if the surface of neither enters the other, the solids are apart or
  // the same.
  std::optional<Interpenetration> centre() const { return entered(Step::centre, 0, from_.centre); }

 private:
  std::optional<Interpenetration> entered(Step step, std::size_t index, const Vec3& point) const {
    const double depth = depth_inside(target_.planes, point);
    if (!(depth > tolerance_)) return std::nullopt;
    return Interpenetration{step, of_first_, static_cast<int>(index), point, depth};
  }

  const FacedSolid& from_;
  const FacedSolid& target_;
  bool of_first_;
  double tolerance_;
};

}  // namespace

FacedSolid faced_solid(const PolygonMesh& convex) {
  FacedSolid solid{convex.vertices, {}, convex.faces, {}, mean_of(convex.vertices)};
  for (const auto& face : convex.faces) {
    const Vec3 normal = area_vector(convex.vertices, face).normalized();
    solid.planes.push_back({normal, normal.dot(centre_of(convex.vertices, face))});
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int a = face[i], b = face[(i + 1) % face.size()];
      if (a < b) solid.edges.push_back({a, b});  // the neighbouring face has it from b to a
    }
  }
  return solid;
}

double depth_inside(std::span<const FacePlane> planes, const Vec3& point) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const FacePlane& plane : planes) highest = std::max(highest, plane.height_of(point));
  return -highest;
}

std::optional<SegmentPart> clipped_segment(std::span<const FacePlane> planes, const Vec3& a,
                                           const Vec3& b, double depth) {
  SegmentPart part;
  for (const FacePlane& plane : planes) {
    const double from = plane.height_of(a) + depth, to = plane.height_of(b) + depth;
    if (from > 0 && to > 0) return std::nullopt;
    if (from > 0) part.from = std::max(part.from, from / (from - to));
    if (to > 0) part.to = std::min(part.to, from / (from - to));
  }
  if (part.from > part.to) return std::nullopt;
  return part;
}

std::optional<Interpenetration> find_interpenetration(const FacedSolid& first,
                                                      const FacedSolid& second, double tolerance) {
  const FeatureTest of_first(first, second, true, tolerance);
  const FeatureTest of_second(second, first, false, tolerance);
  for (const auto step :
       {&FeatureTest::vertices, &FeatureTest::edges, &FeatureTest::faces, &FeatureTest::centre}) {
    if (auto found = (of_second.*step)()) return found;
    if (auto found = (of_first.*step)()) return found;
  }
  return std::nullopt;
}

}  // namespace abut::geometry
