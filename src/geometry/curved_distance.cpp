#include "geometry/curved_distance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/limits.h"
#include "geometry/cell_extremum.h"
#include "geometry/cell_points.h"
#include "geometry/deepest_way_out.h"
#include "geometry/parting_normal.h"

namespace abut::geometry {
namespace {

// Corners of the polyhedron join one by one; a search that takes more rounds than this ends with
// the lower bound, which is safe.
constexpr int most_rounds = 200;

// How often a search that has not proven its answer is begun again.
constexpr int restarts = 4;

// Overlaps no deeper than this times the reach of the coordinates (dimensionless) are what a search
// for a touch meets that goes a little too far: they are left the way they are come upon.
constexpr double shallow_overlap = 1e-4;

// The atoms of one side that are looked at.
using Active = std::vector<int>;

class DistanceSearch {
 public:
  DistanceSearch(const PlacedConvex& a, const PlacedConvex& b, CurvedSearchStatistics& statistics)
      : a_(a), b_(b), pair_(a, b), statistics_(statistics) {}

  CurvedDistance from_scratch(WayOut way_out) {
    Vec3 start = a_.position - b_.position;
    start = start.norm() > 0 ? Vec3(start.normalized()) : Vec3::UnitZ();
    CellExtremum best = descend(start);
    // Where a cell was searched from the wrong side, from where that led.
    for (int i = 0; i < restarts && best.lower > 0 && !is_proven(best); ++i) {
      const CellExtremum next = descend(best.extremum.normal);
      if (next.lower > best.lower) best = next;
    }
    if (best.lower <= 0) try_apart(best);
    if (best.lower <= 0 && way_out == WayOut::shortest && !is_shallow(best))
      best = deepest_way_out(pair_, best, statistics_.newton_iterations);
    return answer(best);
  }

  std::optional<CurvedDistance> near(const CurvedDistance& earlier) {
    const CellExtremum found = solve(earlier.cell_a, earlier.cell_b, earlier.normal);
    if (!(found.lower > 0) || !is_proven(found)) return std::nullopt;
    return answer(found);
  }

 private:
  bool is_proven(const CellExtremum& c) const { return pair_.agree(c.lower, c.upper); }
  static NormalCell atom_along(const PlacedConvex& side, const Vec3& m) {
    return {CellKind::atom, {side.farthest_atom(m), -1, -1}};
  }
  // A search that went down into a wrong cell finds solids that are apart to overlap.
  void try_apart(CellExtremum& best) {
    const std::optional<Vec3> n = parting_normal(pair_);
    if (!n) return;
    const CellExtremum next = descend(*n);
    best = next.lower > 0 ? next
                          : cell_extremum_at(pair_, atom_along(a_, -*n), atom_along(b_, *n), *n);
  }
  // An overlap with a way out, if it is no longer than this: no other one is shorter by more.
  bool is_shallow(const CellExtremum& c) const {
    return -c.lower <= shallow_overlap * pair_.scale && pair_.agree(-c.lower, c.upper);
  }

  CurvedDistance answer(const CellExtremum& c) const {
    CurvedDistance result;
    result.gap = c.lower;
    result.normal = c.extremum.normal;
    result.a = c.a;
    result.b = c.b;
    result.cell_a = c.cell_a;
    result.cell_b = c.cell_b;
    result.converged = c.lower <= 0 || is_proven(c);
    return result;
  }

  static Active initial(const PlacedConvex& side, const Vec3& m) {
    if (side.polyhedron != nullptr) return {side.farthest_atom(m)};
    Active all;
    for (int i = 0; i < static_cast<int>(side.surface->atoms().size()); ++i) all.push_back(i);
    return all;
  }

  // Rounds of: the best normal between the atoms that are looked at; another atom beyond it?
  CellExtremum descend(const Vec3& start) {
    Active active_a = initial(a_, -start), active_b = initial(b_, start);
    Vec3 n = start;
    CellExtremum best;
    for (int round = 0; round < most_rounds; ++round) {
      ++statistics_.rounds;
      best = best_between(active_a, active_b, n);
      n = best.extremum.normal;
      const bool grew_a = extend(a_, active_a, best.cell_a, -n);
      const bool grew_b = extend(b_, active_b, best.cell_b, n);
      if (grew_a || grew_b) continue;
      // Nothing is beyond a face, but the point of it that was found may be on a side of it.
      if (best.lower <= 0 || is_proven(best)) break;
      const bool added_a = add_side(a_, active_a, best.cell_a, best.a);
      const bool added_b = add_side(b_, active_b, best.cell_b, best.b);
      if (!added_a && !added_b) break;
    }
    // Of solids that overlap the rounds may end with corners beyond that were never looked at.
    best.lower = pair_.gap_along(best.extremum.normal);
    return best;
  }

  // Of a polyhedron: keeps the corners of the cell, and adds the one beyond them, if there is one.
  bool extend(const PlacedConvex& side, Active& active, const NormalCell& cell,
              const Vec3& m) const {
    if (side.polyhedron == nullptr) return false;
    const int farthest = side.farthest_atom(m);
    double highest = -infinity;
    for (const int i : active) highest = std::max(highest, side.atom(i).height(m));
    if (side.atom(farthest).height(m) <= highest + 4 * epsilon * pair_.scale) return false;
    active.assign(cell.atoms.begin(), cell.atoms.begin() + cell.count());
    active.push_back(farthest);
    return true;
  }

  // Of a face of a polyhedron: adds the corners of the side nearest to a point of the face.
  static bool add_side(const PlacedConvex& side, Active& active, const NormalCell& cell,
                       const Vec3& p) {
    if (side.polyhedron == nullptr || cell.kind != CellKind::flat) return false;
    const int face = side.polyhedron->face_with(cell.atoms);
    if (face < 0) return false;
    bool added = false;
    for (const int corner : side_beside(side, face, p)) {
      if (std::find(active.begin(), active.end(), corner) != active.end()) continue;
      active.push_back(corner);
      added = true;
    }
    return added;
  }

  static std::vector<NormalCell> cells_of(const PlacedConvex& side, const Active& active) {
    std::vector<NormalCell> cells;
    for (const int i : active) cells.push_back({CellKind::atom, {i, -1, -1}});
    if (side.polyhedron == nullptr) {
      for (const auto& line : side.surface->lines())
        cells.push_back({CellKind::line, {line.from, line.to, -1}});
      for (const auto& disc : side.surface->discs())
        cells.push_back({CellKind::flat, {disc.atom, -1, -1}});
      return cells;
    }
    for (std::size_t i = 0; i < active.size(); ++i)
      for (std::size_t j = i + 1; j < active.size(); ++j) {
        cells.push_back({CellKind::line, {active[i], active[j], -1}});
        for (std::size_t k = j + 1; k < active.size(); ++k)
          cells.push_back({CellKind::flat, {active[i], active[j], active[k]}});
      }
    return cells;
  }

  CellExtremum best_between(const Active& active_a, const Active& active_b, const Vec3& n) {
    CellExtremum best;
    bool known = false;
    for (const NormalCell& cell_a : cells_of(a_, active_a))
      for (const NormalCell& cell_b : cells_of(b_, active_b)) {
        CellExtremum c = solve(cell_a, cell_b, n);
        if (!c.is_known()) continue;
        // Against the atoms that are looked at only: others join later.
        c.lower = -height_of(a_, active_a, -c.extremum.normal) -
                  height_of(b_, active_b, c.extremum.normal);
        // The distance is between the bounds of every candidate, so the least upper one is right;
        // of several that end at the same points, the one that proves it. Of solids that overlap
        // only the lower ones mean something.
        const bool both_apart = c.lower > 0 && best.lower > 0;
        const bool same = pair_.agree(0, std::abs(c.upper - best.upper));
        const bool better = both_apart && !same ? c.upper < best.upper : c.lower > best.lower;
        if (known && !better) continue;
        best = c;
        known = true;
      }
    return best;
  }

  CellExtremum solve(const NormalCell& cell_a, const NormalCell& cell_b, const Vec3& start) {
    CellExtremum found = cell_extremum(pair_, cell_a, cell_b, start);
    statistics_.newton_iterations += found.iterations;
    return found;
  }

  static double height_of(const PlacedConvex& side, const Active& active, const Vec3& m) {
    double highest = -infinity;
    for (const int i : active) highest = std::max(highest, side.atom(i).height(m));
    return highest;
  }

  const PlacedConvex& a_;
  const PlacedConvex& b_;
  const ConvexPair pair_;
  CurvedSearchStatistics& statistics_;
};

}  // namespace

CurvedDistance curved_distance(const PlacedConvex& a, const PlacedConvex& b,
                               CurvedSearchStatistics& statistics, WayOut way_out) {
  return DistanceSearch(a, b, statistics).from_scratch(way_out);
}

std::optional<CurvedDistance> curved_distance_near(const PlacedConvex& a, const PlacedConvex& b,
                                                   const CurvedDistance& earlier,
                                                   CurvedSearchStatistics& statistics) {
  return DistanceSearch(a, b, statistics).near(earlier);
}

}  // namespace abut::geometry
