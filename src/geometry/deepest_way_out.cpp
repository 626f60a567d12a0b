#include "geometry/deepest_way_out.h"

#include <cmath>
#include <utility>
#include <vector>

#include "geometry/least_translation.h"

namespace abut::geometry {
namespace {

// A climb ends where the normal turns by less than this (rad), or after so many steps.
constexpr double still = 1e-12;
constexpr int most_climbing_steps = 8;

// Places on the circle of normals of a cylinder or cone from which climbs begin.
constexpr int normals_of_circle = 12;

NormalCell farthest_cell(const PlacedConvex& side, const Vec3& m) {
  return {CellKind::atom, {side.farthest_atom(m), -1, -1}};
}

class Overlap {
 public:
  Overlap(const ConvexPair& pair, const CellExtremum& first, long& newton_iterations)
      : pair_(pair), best_(first), newton_iterations_(newton_iterations) {}

  CellExtremum deepest() {
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          if (x != 0 || y != 0 || z != 0) climb(Vec3(x, y, z).normalized());
    try_lines(pair_.a, -1);
    try_lines(pair_.b, 1);
    try_flats(pair_.a, -1);
    try_flats(pair_.b, 1);
    // A climb that ended too early leaves a normal with other cells than those it came from.
    const Vec3& n = best_.extremum.normal;
    if (!pair_.agree(best_.lower, (best_.a - best_.b).dot(n)))
      best_ = cell_extremum_at(pair_, farthest_cell(pair_.a, -n), farthest_cell(pair_.b, n), n);
    return best_;
  }

 private:
  void climb(const Vec3& start) { climb(start, {}, 0); }
  // With a cell of one side that is kept (sign -1: of A, 1: of B, 0: of none).
  void climb(const Vec3& start, const NormalCell& kept, double sign) {
    Vec3 n = start;
    for (int i = 0; i < most_climbing_steps; ++i) {
      const NormalCell cell_a = sign < 0 ? kept : farthest_cell(pair_.a, -n);
      const NormalCell cell_b = sign > 0 ? kept : farthest_cell(pair_.b, n);
      const CellExtremum c = cell_extremum(pair_, cell_a, cell_b, n);
      consider(c);
      if (!c.is_known() || (c.extremum.normal - n).norm() < still) break;
      n = c.extremum.normal;
    }
  }

  // Edges, and lines on a surface, against what lies farthest along their normals, and against the
  // lines of the other side.
  void try_lines(const PlacedConvex& side, double sign) {
    const PlacedConvex& other = sign < 0 ? pair_.b : pair_.a;
    for (const auto& [cell, normal] : lines_of(side)) {
      const Vec3 n = sign * (side.rotation * normal);
      climb(n, cell, sign);
      if (sign > 0) continue;
      for (const auto& [other_cell, other_normal] : lines_of(other))
        consider(cell_extremum(pair_, cell, other_cell, n));
    }
  }
  // Each with normals of it, spread over its circle or arc of them.
  static std::vector<std::pair<NormalCell, Vec3>> lines_of(const PlacedConvex& side) {
    std::vector<std::pair<NormalCell, Vec3>> lines;
    if (side.surface != nullptr)
      for (const auto& line : side.surface->lines()) {
        const Vec3 x = line.normals.axis.unitOrthogonal(), y = line.normals.axis.cross(x);
        const double across = std::sqrt(1 - line.normals.level * line.normals.level);
        for (int i = 0; i < normals_of_circle; ++i) {
          const double angle = 2 * M_PI * i / normals_of_circle;
          lines.emplace_back(NormalCell{CellKind::line, {line.from, line.to, -1}},
                             line.normals.level * line.normals.axis +
                                 across * (std::cos(angle) * x + std::sin(angle) * y));
        }
      }
    if (side.polyhedron == nullptr || side.polyhedron->faces().empty()) return lines;
    for (int e = 0; e < side.polyhedron->edge_count(); ++e) {
      const Vec3 sum = middle_normal(*side.polyhedron, e);
      lines.emplace_back(
          NormalCell{CellKind::line,
                     {side.polyhedron->edge_start(e), side.polyhedron->edge_end(e), -1}},
          sum.normalized());
    }
    return lines;
  }
  void consider(const CellExtremum& c) {
    newton_iterations_ += c.iterations;
    if (c.lower > best_.lower) best_ = c;
  }

  // `sign` turns outward normals of the side into ones from B to A.
  void try_flats(const PlacedConvex& side, double sign) {
    if (side.surface != nullptr)
      for (const auto& disc : side.surface->discs())
        offer(side, sign, disc.normal, {CellKind::flat, {disc.atom, -1, -1}});
    if (side.polyhedron == nullptr) return;
    const auto& half_edges = side.polyhedron->half_edges();
    for (const auto& face : side.polyhedron->faces()) {
      const int h1 = half_edges[face.first].next, h2 = half_edges[h1].next;
      offer(side, sign, face.normal,
            {CellKind::flat,
             {half_edges[face.first].origin, half_edges[h1].origin, half_edges[h2].origin}});
    }
  }

  void offer(const PlacedConvex& side, double sign, const Vec3& normal, const NormalCell& cell) {
    const Vec3 n = sign * (side.rotation * normal);
    if (!(pair_.gap_along(n) > best_.lower)) return;
    best_ = cell_extremum_at(pair_, sign < 0 ? cell : farthest_cell(pair_.a, -n),
                             sign > 0 ? cell : farthest_cell(pair_.b, n), n);
  }

  const ConvexPair& pair_;
  CellExtremum best_;
  long& newton_iterations_;
};

}  // namespace

CellExtremum deepest_way_out(const ConvexPair& pair, const CellExtremum& first,
                             long& newton_iterations) {
  return Overlap(pair, first, newton_iterations).deepest();
}

}  // namespace abut::geometry
