#include "clock/corner_gap.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"

namespace abut::clock {
namespace {

using geometry::Simplex;

// The distance is found when its bounds differ by less than this part of it (dimensionless): curved
// solids are approached by ever smaller simplices, and nobody sees the rest.
constexpr double gap_accuracy = 1e-7;

// Polyhedra take a few iterations, curved solids some dozens.
constexpr int most_iterations = 96;

// Of the way from one bound to the next below which nothing is gained any more (dimensionless).
constexpr double least_gain = 1e-13;

CornerGap gap_to_plane(std::span<const Vec3> corners, const Obstacle& plane) {
  CornerGap found;
  found.normal = plane.rotation * plane.solid->normal;
  found.gap = infinity;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const double height = found.normal.dot(corners[i] - plane.position);
    if (height >= found.gap) continue;
    found.gap = height;
    found.weights = {};
    found.weights[i] = 1;
  }
  return found;
}

void add_corner(Simplex& simplex, const Vec3& w, int a, int b) {
  simplex.corners[simplex.count++] = {w, a, b};
}

}  // namespace

int CornerGap::corner() const {
  for (int i = 0; i < 3; ++i)
    if (weights[i] == 1) return i;
  return -1;
}

Vec3 Obstacle::support(const Vec3& m, int& corner) const {
  if (solid == nullptr) {
    corner = 0;
    for (std::size_t i = 1; i < corners.size(); ++i)
      if (m.dot(corners[i]) > m.dot(corners[corner])) corner = static_cast<int>(i);
    return corners[corner];
  }
  const Vec3 local = rotation.transpose() * m;
  if (solid->surface) return position + rotation * solid->surface->support(local);
  corner = solid->core.support(local);
  return position + rotation * solid->core.vertices()[corner];
}

double Obstacle::height(const Vec3& m) const {
  if (solid != nullptr && solid->surface)
    return m.dot(position) + solid->surface->height(rotation.transpose() * m);
  int corner = 0;
  return m.dot(support(m, corner)) + rounding();
}

double gap_along(std::span<const Vec3> corners, const Obstacle& obstacle, const Vec3& n) {
  double lowest = infinity;
  for (const Vec3& corner : corners) lowest = std::min(lowest, n.dot(corner));
  return lowest - obstacle.height(n);
}

// Everything is taken relative to the first corner, so that the place in the world does not matter.
CornerGap gap_between(std::span<const Vec3> corners, const Obstacle& obstacle) {
  if (obstacle.is_plane()) return gap_to_plane(corners, obstacle);
  const auto lowest = [&](const Vec3& m, int& a, int& b) {
    a = 0;
    for (std::size_t i = 1; i < corners.size(); ++i)
      if (m.dot(corners[i]) < m.dot(corners[a])) a = static_cast<int>(i);
    b = 0;
    return Vec3(corners[a] - obstacle.support(m, b));
  };
  Simplex simplex;
  int a = 0, b = 0;
  const Vec3 towards = obstacle.solid != nullptr ? obstacle.position : obstacle.corners[0];
  Vec3 first = corners[0] - towards;
  if (!(first.squaredNorm() > 0)) first = Vec3::UnitZ();
  const Vec3 start = lowest(first, a, b);
  add_corner(simplex, start, a, b);
  simplex.weights = {1};
  CornerGap found;
  double lower = -infinity, upper = infinity;
  Vec3 direction = first.normalized();
  for (int k = 0; k < most_iterations; ++k) {
    const Vec3 nearest = simplex.nearest();
    const double distance = nearest.norm();
    if (simplex.count == 4 || !(distance > 0)) {
      found.gap = std::min(0.0, -obstacle.rounding());
      found.normal = direction;
      return found;
    }
    const bool is_nearer = distance < upper * (1 - least_gain);
    upper = std::min(upper, distance);
    direction = geometry::direction_to(simplex, nearest);
    const Vec3 w = lowest(direction, a, b);
    lower = std::max(lower, direction.dot(w));
    const bool is_known =
        std::any_of(simplex.corners.begin(), simplex.corners.begin() + simplex.count,
                    [&](const Simplex::Corner& corner) { return corner.w == w; });
    if (is_known || upper - lower <= gap_accuracy * upper || (k > 0 && !is_nearer)) break;
    add_corner(simplex, w, a, b);
    geometry::reduce_to_nearest(simplex);
  }
  found.normal = direction;
  found.gap = simplex.nearest().norm() - obstacle.rounding();
  for (int i = 0; i < simplex.count; ++i) {
    found.weights[simplex.corners[i].a] += simplex.weights[i];
    if (obstacle.solid == nullptr) found.on_obstacle[simplex.corners[i].b] += simplex.weights[i];
  }
  return found;
}

}  // namespace abut::clock
