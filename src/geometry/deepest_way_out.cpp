#include "geometry/deepest_way_out.h"

namespace abut::geometry {
namespace {

// A climb ends where the normal turns by less than this (rad), or after so many steps.
constexpr double still = 1e-12;
constexpr int most_climbing_steps = 8;

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
    try_flats(pair_.a, -1);
    try_flats(pair_.b, 1);
    return best_;
  }

 private:
  void climb(const Vec3& start) {
    Vec3 n = start;
    for (int i = 0; i < most_climbing_steps; ++i) {
      const CellExtremum c =
          cell_extremum(pair_, farthest_cell(pair_.a, -n), farthest_cell(pair_.b, n), n);
      newton_iterations_ += c.iterations;
      if (c.lower > best_.lower) best_ = c;
      if (!c.is_known() || (c.extremum.normal - n).norm() < still) break;
      n = c.extremum.normal;
    }
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
