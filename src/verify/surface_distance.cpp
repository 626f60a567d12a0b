#include "verify/surface_distance.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"

namespace abut::verify {
namespace {

double distance_from_segment(const Vec3& a, const Vec3& b, const Vec3& point) {
  const Vec3 along = b - a;
  const double squared = along.squaredNorm();
  const double t = squared > 0 ? std::clamp((point - a).dot(along) / squared, 0.0, 1.0) : 0.0;
  return (point - a - t * along).norm();
}

/// Negative inside. Outside, near an edge, less than the distance.
double height_above_faces(const Solid& hull, const Vec3& point) {
  double height = -infinity;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Vec3& corner = hull.points[static_cast<std::size_t>(hull.faces[f].front())];
    height = std::max(height, hull.normals[f].dot(point - corner));
  }
  return height;
}

/// In the frame of the part.
std::optional<double> distance_to(const Solid& solid, const Vec3& point) {
  switch (solid.kind) {
    case SolidKind::hull:
      if (!solid.faces.empty()) {
        const double above = height_above_faces(solid, point) - solid.radius;
        return solid.radius > 0 ? std::max(0.0, above) : std::abs(above);
      }
      return std::abs(distance_from_segment(solid.points.front(), solid.points.back(), point) -
                      solid.radius);
    case SolidKind::half_space:
      return std::abs(solid.normal.dot(point) - solid.offset);
    case SolidKind::bowl:
      return std::abs((point - solid.points.front()).norm() - solid.radius);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<double> surface_distance(const std::vector<Solid>& solids, const BodyState& state,
                                       const Vec3& point) {
  const Vec3 in_body = state.orientation.normalized().conjugate() * (point - state.position);
  double nearest = infinity;
  for (const Solid& solid : solids) {
    const auto distance =
        distance_to(solid, solid.pose.orientation.conjugate() * (in_body - solid.pose.position));
    if (!distance) return std::nullopt;
    nearest = std::min(nearest, *distance);
  }
  return nearest;
}

}  // namespace abut::verify
