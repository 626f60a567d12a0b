#include "verify/curved_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/stop.h"
#include "verify/closest.h"
#include "verify/norm_of_two.h"
#include "verify/placement.h"
#include "verify/user_reach.h"

namespace abut::verify {
double curved_level(const Solid& solid, const Vec3& p) {
  if (solid.curved == CurvedKind::user) return user_level(solid, p);
  const Vec3 s = p.cwiseQuotient(solid.radii).cwiseAbs();
  const double across = std::hypot(s.x(), s.y());
  switch (solid.curved) {
    case CurvedKind::ellipsoid:
      return s.squaredNorm() - 1;
    case CurvedKind::superellipsoid:
      return norm_of_two(norm_of_two(s.x(), s.y(), 2 / solid.e2), s.z(), 2 / solid.e1) - 1;
    case CurvedKind::cylinder:
      return std::max(across, s.z()) - 1;
    case CurvedKind::cone:
      return std::max(s.z() - 1, across - 0.5 * (1 - p.z() / solid.radii.z()));
    case CurvedKind::user:
      break;
  }
  return infinity;
}

namespace {

// Directions tried around the best one, and how the circle of them shrinks (rad): from a quarter
// turn to what cannot make a difference any more.
constexpr int directions_tried = 12;
constexpr double largest_turn = 1;
constexpr double least_turn = 1e-10;
constexpr double shrink = 0.6;
// The circle is turned by this (rad) from one round to the next, so that no ridge lies between its
// directions for long: the golden angle.
constexpr double twist = 2.399963229728653;

}  // namespace

double curved_reach(const Solid& solid, const Vec3& m) {
  const Vec3& r = solid.radii;
  switch (solid.curved) {
    case CurvedKind::ellipsoid:
      return std::sqrt(r.x() * r.x() * m.x() * m.x() + r.y() * r.y() * m.y() * m.y() +
                       r.z() * r.z() * m.z() * m.z());
    case CurvedKind::superellipsoid:
      return norm_of_two(norm_of_two(r.x() * m.x(), r.y() * m.y(), 2 / (2 - solid.e2)),
                         r.z() * m.z(), 2 / (2 - solid.e1));
    case CurvedKind::cylinder:
      return r.x() * std::sqrt(m.x() * m.x() + m.y() * m.y()) + r.z() * std::abs(m.z());
    case CurvedKind::cone:
      return std::max(r.z() * m.z(),
                      r.x() * std::sqrt(m.x() * m.x() + m.y() * m.y()) - r.z() * m.z());
    case CurvedKind::user:
      return m.norm() * user_reach(solid, m.normalized());
  }
  return infinity;
}

namespace {

double highest(const Placed& placed, const Vec3& n) {
  if (placed.solid->kind == SolidKind::curved)
    return n.dot(placed.position) + curved_reach(*placed.solid, placed.rotation.transpose() * n);
  if (placed.solid->kind == SolidKind::ring) {
    const Vec3 m = placed.rotation.transpose() * n;
    return n.dot(placed.position) + placed.solid->radii.x() * std::hypot(m.x(), m.y()) +
           placed.solid->radius;
  }
  double high = -infinity;
  for (const auto& p : placed.points)
    high = std::max(high, n.x() * p.x + n.y() * p.y + n.z() * p.z);
  return high + placed.solid->radius;
}

/// Along a unit vector from a to b.
double gap_along(const PlacedPair& pair, const Vec3& n) {
  return -highest(pair.b, -n) - highest(pair.a, n);
}

struct Best {
  Vec3 n = Vec3::UnitZ();
  double gap = -infinity;

  void offer(const PlacedPair& pair, const Vec3& direction) {
    base::stop_if_wished();
    const double length = direction.norm();
    if (!(length > 0)) return;
    const double found = gap_along(pair, direction / length);
    if (found <= gap) return;
    gap = found;
    n = direction / length;
  }
};

/// The flat ends of cylinders and cones are faces too: the gap has a peak there that a search comes
/// near to but does not hit. `sign` is 1 for the solid that directions point away from.
void offer_ends(const PlacedPair& pair, const Placed& placed, double sign, Best& best) {
  const Solid& solid = *placed.solid;
  if (solid.kind != SolidKind::curved) return;
  const Vec3 axis = sign * placed.rotation.col(2);
  if (solid.curved == CurvedKind::cylinder) best.offer(pair, axis);
  if (solid.curved == CurvedKind::cylinder || solid.curved == CurvedKind::cone)
    best.offer(pair, Vec3(-axis));
}

void offer_faces(const PlacedPair& pair, Best& best) {
  offer_ends(pair, pair.a, 1, best);
  offer_ends(pair, pair.b, -1, best);
  for (const Vec3& normal : pair.a.solid->normals) best.offer(pair, pair.a.rotation * normal);
  for (const Vec3& normal : pair.b.solid->normals)
    best.offer(pair, Vec3(-(pair.b.rotation * normal)));
}

/// Stops as soon as the gap is beyond doubt.
void refine(const PlacedPair& pair, Best& best, double enough) {
  double turn = largest_turn, start = 0;
  while (turn > least_turn && best.gap <= enough) {
    const Vec3 u = best.n.unitOrthogonal(), v = best.n.cross(u), centre = best.n;
    const double before = best.gap;
    for (int i = 0; i < directions_tried; ++i) {
      const double angle = start + 2 * M_PI * i / directions_tried;
      best.offer(pair, centre + turn * (std::cos(angle) * u + std::sin(angle) * v));
    }
    start += twist;
    if (!(best.gap > before)) turn *= shrink;
  }
}

/// Directions at one angle to an axis, n . axis = level, along which the gap has a ridge: those
/// across an edge, and the normals of the side of a cylinder or cone. A search to all sides climbs
/// along a ridge too slowly.
struct Ridge {
  Vec3 axis = Vec3::UnitZ();  // unit
  double level = 0;

  Vec3 nearest_to(const Vec3& n) const {
    const Vec3 across = n - axis * axis.dot(n);
    const Vec3 unit = across.norm() > 0 ? across.normalized() : axis.unitOrthogonal();
    return level * axis + std::sqrt(1 - level * level) * unit;
  }
};

/// Of the sides, and of the rims: a body beyond a rim by next to nothing has its place there along
/// directions next to the axis, on the way to where the body is, and hardly beside that way. `sign`
/// is 1 for the solid that n points away from.
void add_ridges_of_rims(const Placed& placed, double sign, const Vec3& other,
                        std::vector<Ridge>& ridges) {
  const Solid& solid = *placed.solid;
  if (solid.kind != SolidKind::curved) return;
  const Vec3 axis = placed.rotation.col(2);
  const bool has_rim = solid.curved == CurvedKind::cylinder || solid.curved == CurvedKind::cone;
  const Vec3 aside = axis.cross(other - placed.position);
  if (has_rim && aside.norm() > 0) ridges.push_back({aside.normalized(), 0});
  if (solid.curved == CurvedKind::cylinder) ridges.push_back({axis, 0});
  if (solid.curved == CurvedKind::cone)
    ridges.push_back(
        {axis, sign * solid.radii.x() / std::hypot(solid.radii.x(), 2 * solid.radii.z())});
}

/// Of edges with both ends near the plane of the best direction so far.
void add_ridges_of_edges(const PlacedPair& pair, const Placed& placed, double sign,
                         const Best& best, std::vector<Ridge>& ridges) {
  constexpr double near = 0.1;
  const Solid& solid = *placed.solid;
  const double level = highest(placed, sign * best.n) - solid.radius - near * pair.size;
  const auto is_near = [&](std::size_t i) {
    const auto& p = placed.points[i];
    return sign * (best.n.x() * p.x + best.n.y() * p.y + best.n.z() * p.z) >= level;
  };
  const auto edge = [&](std::size_t i, std::size_t k) {
    if (i == k || !is_near(i) || !is_near(k)) return;
    const Vec3 along = placed.rotation * (solid.points[k] - solid.points[i]);
    if (along.norm() > 0) ridges.push_back({along.normalized(), 0});
  };
  for (const Solid::Edge& e : solid.edges)
    edge(static_cast<std::size_t>(e.from), static_cast<std::size_t>(e.to));
  if (solid.edges.empty() && solid.points.size() == 2) edge(0, 1);
}

void refine_along(const PlacedPair& pair, const Ridge& ridge, Best& best) {
  Best own;
  own.offer(pair, ridge.nearest_to(best.n));
  for (double turn = largest_turn; turn > least_turn;) {
    const Vec3 centre = own.n, aside = ridge.axis.cross(own.n);
    const double before = own.gap;
    own.offer(pair, ridge.nearest_to(centre + turn * aside));
    own.offer(pair, ridge.nearest_to(centre - turn * aside));
    if (!(own.gap > before)) turn *= shrink;
  }
  if (own.gap > best.gap) best = own;
}

/// Where two ridges cross: n = s u + t w + r u x w with n.u and n.w given.
void offer_crossings(const PlacedPair& pair, const Ridge& one, const Ridge& other, Best& best) {
  const Vec3 cross = one.axis.cross(other.axis);
  const double squared = cross.squaredNorm(), cosine = one.axis.dot(other.axis);
  if (!(squared > 0)) return;
  const Vec3 middle = ((one.level - other.level * cosine) * one.axis +
                       (other.level - one.level * cosine) * other.axis) /
                      squared;
  const double rest = 1 - middle.squaredNorm();
  if (!(rest >= 0)) return;
  const Vec3 aside = std::sqrt(rest / squared) * cross;
  best.offer(pair, middle + aside);
  best.offer(pair, middle - aside);
}

void refine_along_ridges(const PlacedPair& pair, Best& best) {
  std::array<std::vector<Ridge>, 2> ridges;
  for (const int side : {0, 1}) {
    const Placed& placed = side == 0 ? pair.a : pair.b;
    const double sign = side == 0 ? 1 : -1;
    add_ridges_of_edges(pair, placed, sign, best, ridges[side]);
    add_ridges_of_rims(placed, sign, (side == 0 ? pair.b : pair.a).position, ridges[side]);
  }
  for (const Ridge& one : ridges[0])
    for (const Ridge& other : ridges[1]) offer_crossings(pair, one, other, best);
  for (const auto& of_side : ridges)
    for (const Ridge& ridge : of_side) refine_along(pair, ridge, best);
}

bool contains(const Placed& placed, const Vec3& p, double margin) {
  const Solid& solid = *placed.solid;
  const Vec3 local = placed.rotation.transpose() * (p - placed.position);
  if (solid.kind == SolidKind::curved) return curved_level(solid, local) < -margin;
  if (solid.kind == SolidKind::ring)
    return std::hypot(std::hypot(local.x(), local.y()) - solid.radii.x(), local.z()) <
           solid.radius * (1 - margin);
  if (solid.faces.empty()) {
    const Vec3 from = solid.points.front(), along = solid.points.back() - from;
    const double squared = along.squaredNorm();
    const double t = squared > 0 ? std::clamp(along.dot(local - from) / squared, 0.0, 1.0) : 0.0;
    return (local - from - t * along).norm() < solid.radius;
  }
  bool within_core = true;
  for (std::size_t f = 0; f < solid.faces.size() && within_core; ++f) {
    const Vec3& corner = solid.points[static_cast<std::size_t>(solid.faces[f].front())];
    within_core = solid.normals[f].dot(local - corner) < 0;
  }
  if (within_core || solid.radius == 0) return within_core;
  Shortest<double> shortest;
  for (const auto& [i, j, k] : solid.triangles) {
    const auto at = [&](int index) { return placed.points[static_cast<std::size_t>(index)]; };
    shortest.offer(from_point_to_triangle(triple(p), TriangleOf<double>{at(i), at(j), at(k)}));
  }
  return std::sqrt(shortest.squared_length()) < solid.radius * (1 - margin);
}

/// A point that both solids hold proves an overlap: on the line between their origins, or where
/// they reach farthest into each other.
bool share_a_point(const PlacedPair& pair, const Best& best) {
  constexpr double relative_margin = 1e-9;
  const Vec3 from = pair.a.position, to = pair.b.position;
  for (int i = 0; i <= 64; ++i) {
    const double t = i / 64.0;
    const Vec3 p = (1 - t) * from + t * to;
    if (contains(pair.a, p, relative_margin) && contains(pair.b, p, relative_margin)) return true;
  }
  // Where a curved solid reaches farthest into the other one, half as deep: its farthest point is
  // the gradient of how far it reaches, by central differences, extrapolated (Richardson).
  constexpr double step = 1e-4;
  const auto difference = [](const Placed& placed, const Vec3& n, double h, int k) {
    return (highest(placed, n + h * Vec3::Unit(k)) - highest(placed, n - h * Vec3::Unit(k))) /
           (2 * h);
  };
  for (const auto& [placed, sign] : {std::pair(&pair.a, 1.0), std::pair(&pair.b, -1.0)}) {
    if (placed->solid->kind != SolidKind::curved) continue;
    const Vec3 n = sign * best.n;
    Vec3 x;
    for (int k = 0; k < 3; ++k)
      x[k] = (4 * difference(*placed, n, 0.5 * step, k) - difference(*placed, n, step, k)) / 3;
    const Vec3 middle = x + 0.5 * best.gap * n;
    if (contains(pair.a, middle, 0) && contains(pair.b, middle, 0)) return true;
  }
  return false;
}

/// Above a plane there is one direction.
Verdict above(const PlacedPair& pair) {
  const Solid& plane = *pair.b.solid;
  const Vec3 n = pair.b.rotation * plane.normal;
  const double height = -highest(pair.a, -n) - plane.offset - n.dot(pair.b.position);
  if (height > pair.margin) return {Outcome::apart, 0, false};
  if (height > -pair.margin) return {Outcome::within_rounding, std::max(0.0, -height), false};
  return {Outcome::overlapping, -height, false};
}

}  // namespace

Verdict judge_curved(const Solid& a, const BodyState& state_a, const Solid& b,
                     const BodyState& state_b, Hint& hint) {
  if (a.kind == SolidKind::half_space) return above(PlacedPair(b, state_b, a, state_a));
  const PlacedPair pair(a, state_a, b, state_b);
  if (b.kind == SolidKind::half_space) return above(pair);
  Best best;
  best.offer(pair, hint.direction);
  if (best.gap <= pair.margin) {
    best.offer(pair, pair.b.position - pair.a.position);
    offer_faces(pair, best);
  }
  // A ridge that is climbed may lead to where the search to all sides goes on, and that to another.
  for (double before = -infinity; best.gap <= pair.margin && best.gap > before;) {
    before = best.gap;
    refine(pair, best, pair.margin);
    if (best.gap <= pair.margin) refine_along_ridges(pair, best);
  }
  hint.direction = best.n;
  if (best.gap > pair.margin) return {Outcome::apart, 0, false};
  if (best.gap > -pair.margin) return {Outcome::within_rounding, std::max(0.0, -best.gap), false};
  if (share_a_point(pair, best)) return {Outcome::overlapping, -best.gap, false};
  return {Outcome::unknown, 0, false};
}

}  // namespace abut::verify
