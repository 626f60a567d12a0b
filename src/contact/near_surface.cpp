#include "contact/near_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut::contact {
namespace {

using geometry::ConvexPolyhedron;
using narrow::Placed;
using narrow::Solid;
using narrow::SolidKind;

/// Tolerances stay below this fraction of the smaller part (dimensionless): faces that form a
/// larger angle are not parallel, however small the part. With the default touching distance it
/// matters to parts below a hundredth of a millimetre.
constexpr double largest_relative_tolerance = 1e-4;

/// Rounding of places relative to the size of the larger part (dimensionless): a few dozen
/// operations of half an ulp.
constexpr double relative_rounding = 64 * std::numeric_limits<double>::epsilon();

/// Cosine to the normal from which a face is worth looking at (dimensionless). What is near of a
/// steeper one is a sliver along its edges and vertices, which are looked at themselves.
constexpr double least_cosine = 0.1;

template <class Visit>
void for_each_corner(const ConvexPolyhedron& core, int face, const Visit& visit) {
  const int first = core.faces()[face].first;
  int h = first;
  do {
    visit(core.half_edges()[h].origin);
    h = core.half_edges()[h].next;
  } while (h != first);
}

template <class Items>
void sort_unique(Items& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

Chart::Chart(const Vec3& at, const Vec3& normal) : origin(at) {
  axes.col(2) = normal;
  axes.col(0) = normal.unitOrthogonal();
  axes.col(1) = normal.cross(axes.col(0));
}

Tolerances::Tolerances(const Solid& a, const Solid& b, double touching_distance) {
  // A plane has no size: the other part decides.
  const double size_a = a.kind == SolidKind::plane ? b.bounding_radius() : a.bounding_radius();
  const double size_b = b.kind == SolidKind::plane ? a.bounding_radius() : b.bounding_radius();
  const double largest = largest_relative_tolerance * std::min(size_a, size_b);
  const double smallest = relative_rounding * std::max(size_a, size_b);
  height = std::max(std::min(touching_distance, largest), smallest);
  lateral = height;
}

bool NearFace::contains(const Vec2& at, double margin) const {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2& start = corners[i];
    const Vec2 side = corners[(i + 1) % corners.size()] - start;
    const Vec2 there = at - start;
    if (side.x() * there.y() - side.y() * there.x() < -margin * side.norm()) return false;
  }
  return true;
}

NearSurface::NearSurface(const Placed& part, Side side, const Chart& chart,
                         const Tolerances& tolerances)
    : solid(part.solid) {
  const double sign = side == Side::upper ? 1 : -1;
  if (solid->kind == SolidKind::plane) {
    const Vec3 up = chart.axes.transpose() * (part.rotation * solid->normal);
    faces.push_back({0, {}, up.dot(chart(part.position)) / up.z(), -up.head<2>() / up.z()});
    return;
  }
  Places seen;
  for (const Vec3& v : solid->core.vertices()) seen.push_back(chart(part * v));
  flood(part, sign, chart, seen, tolerances.height);
  for (Vec3& place : seen) place.z() += sign * solid->rounding;
  add_edges(seen, sign, tolerances);
  add_faces(part, sign, chart, seen);
}

/// On a convex polyhedron the vertices above a plane are connected by edges above it.
void NearSurface::flood(const Placed& part, double sign, const Chart& chart, const Places& places,
                        double tolerance) {
  const ConvexPolyhedron& core = solid->core;
  const int first = core.support(part.rotation.transpose() * (sign * chart.axes.col(2)));
  const double extreme = places[first].z();
  Few<int, 32> todo{first};
  Few<bool, 32> known(core.vertices().size(), false);
  known[first] = true;
  while (!todo.empty()) {
    const int v = todo.back();
    todo.pop_back();
    const Vec3& at = places[v];
    if (sign * (extreme - at.z()) > tolerance) continue;
    vertices.push_back({v, at.head<2>(), at.z() + sign * solid->rounding});
    for (const int next : core.neighbours(v)) {
      if (!known[next]) todo.push_back(next);
      known[next] = true;
    }
  }
  std::sort(vertices.begin(), vertices.end(),
            [](const NearVertex& v, const NearVertex& w) { return v.index < w.index; });
}

void NearSurface::add_edges(const Places& seen, double sign, const Tolerances& tolerances) {
  double extreme = -std::numeric_limits<double>::infinity();
  Few<int, 48> found;
  for (const NearVertex& v : vertices) {
    extreme = std::max(extreme, sign * v.height);
    for (const int h : solid->core.leaving(v.index)) found.push_back(h / 2);
  }
  sort_unique(found);
  const double limit = extreme - tolerances.height;
  for (const int e : found) {
    Vec3 p = seen[solid->core.edge_start(e)];
    Vec3 q = seen[solid->core.edge_end(e)];
    // Cut off what is beyond the limit: one end is within it, up to rounding.
    const double hp = sign * p.z();
    const double hq = sign * q.z();
    if (hp < limit && hq >= limit) p = q + (hq - limit) / (hq - hp) * (p - q);
    if (hq < limit && hp >= limit) q = p + (hp - limit) / (hp - hq) * (q - p);
    if ((q - p).head<2>().norm() <= tolerances.lateral) continue;
    edges.push_back({e, p.head<2>(), q.head<2>(), p.z(), q.z()});
  }
}

void NearSurface::add_faces(const Placed& part, double sign, const Chart& chart,
                            const Places& seen) {
  const ConvexPolyhedron& core = solid->core;
  Few<int, 48> found;
  for (const NearVertex& v : vertices) {
    for (const int h : core.leaving(v.index)) {
      if (core.half_edges()[h].face >= 0) found.push_back(core.half_edges()[h].face);
    }
  }
  sort_unique(found);
  for (const int f : found) {
    const geometry::ConvexPolyhedron::Face& plane = core.faces()[f];
    const Vec3 normal = chart.axes.transpose() * (part.rotation * plane.normal);
    if (sign * normal.z() < least_cosine) continue;
    // Rounding moves the face outwards along its own normal.
    const double offset = plane.offset + solid->rounding + normal.dot(chart(part.position));
    NearFace face{f, {}, offset / normal.z(), -normal.head<2>() / normal.z()};
    for_each_corner(core, f, [&](int v) {
      face.corners.emplace_back(seen[v].head<2>() + solid->rounding * normal.head<2>());
    });
    if (sign < 0) std::reverse(face.corners.begin(), face.corners.end());
    faces.push_back(std::move(face));
  }
}

}  // namespace abut::contact
