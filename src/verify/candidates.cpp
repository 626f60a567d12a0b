#include "verify/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut::verify {
namespace {

const Triple<double>& point(const Placed& placed, int index) {
  return placed.points[static_cast<std::size_t>(index)];
}

Direction normal(const Placed& placed, long face) {
  return placed.direction(placed.solid->normals[static_cast<std::size_t>(face)]);
}

}  // namespace

double gap_along(const PlacedPair& pair, const Direction& n) {
  double highest_a = -std::numeric_limits<double>::infinity();
  double lowest_b = std::numeric_limits<double>::infinity();
  for (const auto& p : pair.a.points) highest_a = std::max(highest_a, dot(n, p));
  for (const auto& p : pair.b.points) lowest_b = std::min(lowest_b, dot(n, p));
  const double length = std::sqrt(squared_norm(n));
  return (lowest_b - highest_a) / length - pair.a.solid->radius - pair.b.solid->radius;
}

Candidates::Candidates(const PlacedPair& pair)
    : pair_(pair),
      faces_a_(static_cast<long>(pair.a.solid->faces.size())),
      faces_b_(static_cast<long>(pair.b.solid->faces.size())),
      edges_a_(static_cast<long>(pair.a.solid->edges.size())),
      edges_b_(static_cast<long>(pair.b.solid->edges.size())) {}

std::optional<Direction> Candidates::direction(long candidate) const {
  if (candidate < faces_a_) return normal(pair_.a, candidate);
  candidate -= faces_a_;
  if (candidate < faces_b_) return -1.0 * normal(pair_.b, candidate);
  candidate -= faces_b_;
  return from_edges(pair_.a.solid->edges[static_cast<std::size_t>(candidate / edges_b_)],
                    pair_.b.solid->edges[static_cast<std::size_t>(candidate % edges_b_)]);
}

/// Two edges span a plane between the polyhedra only if their arcs on the sphere of normals cross:
/// the arc from one neighbouring face of a's edge to the other, and that of b's edge seen from the
/// opposite side.
std::optional<Direction> Candidates::from_edges(const Solid::Edge& a, const Solid::Edge& b) const {
  const Direction a1 = normal(pair_.a, a.left), a2 = normal(pair_.a, a.right);
  const Direction b1 = -1.0 * normal(pair_.b, b.left), b2 = -1.0 * normal(pair_.b, b.right);
  const Direction arc_a = cross(a2, a1), arc_b = cross(b2, b1);
  const double b1_side = dot(b1, arc_a), b2_side = dot(b2, arc_a);
  const double a1_side = dot(a1, arc_b), a2_side = dot(a2, arc_b);
  const bool cross_each_other = b1_side * b2_side < 0 && a1_side * a2_side < 0;
  if (!cross_each_other || b1_side * a2_side <= 0) return std::nullopt;
  const Direction n = cross(point(pair_.a, a.to) - point(pair_.a, a.from),
                            point(pair_.b, b.to) - point(pair_.b, b.from));
  return dot(n, a1 + a2) > 0 ? n : -1.0 * n;
}

}  // namespace abut::verify
