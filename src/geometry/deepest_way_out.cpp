#include "geometry/deepest_way_out.h"

#include <algorithm>
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

// Ways out that are compared before any climb, and from how many of the shortest climbs begin that
// are farther from each other than this (cosine).
constexpr int ways_compared = 500;
constexpr std::size_t ways_climbed = 4;
constexpr double same_way = 0.9;

// The first and the last step of a search for a shorter way nearby, rad: the first is the distance
// of ways that are compared.
constexpr double first_turn = 0.16;
constexpr double last_turn = 1e-4;
// Directions that are tried at each step, and the angle from one to the next, rad.
constexpr int tries_in_vain = 16;
const double golden_angle = M_PI * (3 - std::sqrt(5.0));

// Directions all around, evenly (Fibonacci's spiral).
std::vector<Vec3> spiral(int count) {
  std::vector<Vec3> all;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z);
    all.emplace_back(r * std::cos(golden_angle * i), r * std::sin(golden_angle * i), z);
  }
  return all;
}

NormalCell farthest_cell(const PlacedConvex& side, const Vec3& m) {
  return {CellKind::atom, {side.farthest_atom(m), -1, -1}};
}

class Overlap {
 public:
  Overlap(const ConvexPair& pair, const CellExtremum& first, long& newton_iterations)
      : pair_(pair), best_(first), newton_iterations_(newton_iterations) {}

  CellExtremum deepest() {
    if (is_flat(pair_.a) || is_flat(pair_.b)) return along_flats();
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          if (x != 0 || y != 0 || z != 0) climb(Vec3(x, y, z).normalized());
    for (const Vec3& way : shortest_ways()) {
      const Vec3 n = shortest_nearby(way);
      climb(n);
      // Where the atoms that lie farthest change, it may be the way itself.
      if (pair_.gap_along(n) > best_.lower)
        best_ = cell_extremum_at(pair_, farthest_cell(pair_.a, -n), farthest_cell(pair_.b, n), n);
    }
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
  // A polygon is a piece of a surface: there is no inside of it to be left by the shortest way.
  static bool is_flat(const PlacedConvex& side) {
    return side.polyhedron != nullptr && side.polyhedron->faces().size() == 2;
  }
  CellExtremum along_flats() {
    try_flats(pair_.a, -1);
    try_flats(pair_.b, 1);
    return best_;
  }

  std::vector<Vec3> shortest_ways() const {
    static const std::vector<Vec3> around = spiral(ways_compared);
    std::vector<std::pair<double, int>> depths;
    for (int i = 0; i < ways_compared; ++i) depths.emplace_back(-pair_.gap_along(around[i]), i);
    std::sort(depths.begin(), depths.end());
    std::vector<Vec3> ways;
    for (const auto& [depth, i] : depths) {
      if (ways.size() == ways_climbed) break;
      const auto is_near = [&, i = i](const Vec3& way) { return way.dot(around[i]) > same_way; };
      if (std::none_of(ways.begin(), ways.end(), is_near)) ways.push_back(around[i]);
    }
    return ways;
  }

  // Ways become shorter along ridges too, which lie anywhere between the directions tried: these
  // turn from try to try.
  Vec3 shortest_nearby(Vec3 n) const {
    double gap = pair_.gap_along(n), angle = 0;
    int in_vain = 0;
    for (double turn = first_turn; turn > last_turn;) {
      const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
      const Vec3 other = (n + turn * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      angle += golden_angle;
      const double there = pair_.gap_along(other);
      if (there > gap) {
        gap = there;
        n = other;
        in_vain = 0;
      } else if (++in_vain == tries_in_vain) {
        turn *= 0.5;
        in_vain = 0;
      }
    }
    return n;
  }

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
