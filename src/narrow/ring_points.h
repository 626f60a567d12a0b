#pragma once
// Points of a ring's circle, by which it is held where a whole circle or an arc of it touches.
// They are material points, named like the corners of a polyhedron: by how many steps around the
// circle they lie.

#include <algorithm>
#include <cmath>

namespace abut::narrow {

/// A circle counts as equally near all along where its distance varies by less than the touching
/// distance; of rings thinner than that, by less than this part of the tube (dimensionless).
inline constexpr double thin_ring = 1e-4;

/// By how much a circle's distance may vary (m), with a tube of this radius.
inline double circle_tolerance(double tube, double touching_distance) {
  return std::min(touching_distance, thin_ring * tube);
}

/// Evenly spaced points that stand for a circle. Where a ring lies flat, others are added as they
/// are needed (contact::RimArc).
inline constexpr int even_ring_points = 12;
/// Steps around the circle: a multiple of the even points, fine enough for the ends of arcs.
inline constexpr int ring_point_steps = even_ring_points << 16;

inline double angle_of_ring_point(int index) {
  return 2 * M_PI * index / ring_point_steps;
}

/// The point at or just before an angle (after it, if `after`).
inline int ring_point_at(double angle, bool after) {
  const double steps = angle / (2 * M_PI) * ring_point_steps;
  const int index = static_cast<int>(after ? std::ceil(steps) : std::floor(steps));
  return ((index % ring_point_steps) + ring_point_steps) % ring_point_steps;
}

}  // namespace abut::narrow
