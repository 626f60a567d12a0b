#include "geometry/curved_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/rim_line.h"

namespace abut::geometry {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Bounds of a distance that differ by less than this times the reach of the coordinates agree
// (dimensionless).
constexpr double agreement = 64 * epsilon;

// Corners of the polyhedron join one by one; a search that takes more rounds than this ends with
// the lower bound, which is safe.
constexpr int most_rounds = 200;

// How often a search that has not proven its answer is begun again.
constexpr int restarts = 4;

const SupportAtom& origin() {
  static const SupportAtom point = SupportAtom::at_point(Vec3::Zero());
  return point;
}

// The atoms of one side that are looked at.
using Active = std::vector<int>;

struct Candidate {
  Extremum extremum;  // of single atoms of the cells
  NormalCell cell_a, cell_b;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // nearest points within the cells
  double lower = -infinity, upper = infinity;
};

class Search {
 public:
  Search(const PlacedConvex& a, const PlacedConvex& b, CurvedSearchStatistics& statistics)
      : a_(a),
        b_(b),
        statistics_(statistics),
        scale_((a.position - b.position).norm() + a.size() + b.size()) {}

  CurvedDistance from_scratch() {
    Vec3 start = a_.position - b_.position;
    start = start.norm() > 0 ? Vec3(start.normalized()) : Vec3::UnitZ();
    Candidate best = descend(start);
    // Where a cell was searched from the wrong side, from where that led.
    for (int i = 0; i < restarts && best.lower > 0 && !is_proven(best); ++i) {
      const Candidate next = descend(best.extremum.normal);
      if (next.lower > best.lower) best = next;
    }
    if (best.lower <= 0) best = deepest_way_out(best);
    return answer(best);
  }

  std::optional<CurvedDistance> near(const CurvedDistance& earlier) {
    const Candidate found = solve(earlier.cell_a, earlier.cell_b, earlier.normal);
    if (!(found.lower > 0) || !is_proven(found)) return std::nullopt;
    return answer(found);
  }

 private:
  bool is_proven(const Candidate& c) const { return c.upper - c.lower <= agreement * scale_; }

  CurvedDistance answer(const Candidate& c) const {
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
  Candidate descend(const Vec3& start) {
    Active active_a = initial(a_, -start), active_b = initial(b_, start);
    Vec3 n = start;
    Candidate best;
    for (int round = 0; round < most_rounds; ++round) {
      ++statistics_.rounds;
      best = best_between(active_a, active_b, n);
      n = best.extremum.normal;
      const bool grew_a = extend(a_, active_a, best.cell_a, -n);
      const bool grew_b = extend(b_, active_b, best.cell_b, n);
      if (!grew_a && !grew_b) break;
    }
    return best;
  }

  // Of a polyhedron: keeps the corners of the cell, and adds the one beyond them, if there is one.
  bool extend(const PlacedConvex& side, Active& active, const NormalCell& cell,
              const Vec3& m) const {
    if (side.polyhedron == nullptr) return false;
    const int farthest = side.farthest_atom(m);
    double highest = -infinity;
    for (const int i : active) highest = std::max(highest, side.atom(i).height(m));
    if (side.atom(farthest).height(m) <= highest + 4 * epsilon * scale_) return false;
    active.assign(cell.atoms.begin(), cell.atoms.begin() + cell.count());
    active.push_back(farthest);
    return true;
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

  Candidate best_between(const Active& active_a, const Active& active_b, const Vec3& n) {
    Candidate best;
    bool known = false;
    for (const NormalCell& cell_a : cells_of(a_, active_a))
      for (const NormalCell& cell_b : cells_of(b_, active_b)) {
        Candidate c = solve(cell_a, cell_b, n);
        if (!(c.lower > -infinity)) continue;
        // Against the atoms that are looked at only: others join later.
        c.lower = -height_of(a_, active_a, -c.extremum.normal) -
                  height_of(b_, active_b, c.extremum.normal);
        // The distance is between the bounds of every candidate, so the least upper one is right;
        // of several that end at the same points, the one that proves it. Of solids that overlap
        // only the lower ones mean something.
        const bool both_apart = c.lower > 0 && best.lower > 0;
        const bool same = std::abs(c.upper - best.upper) <= agreement * scale_;
        const bool better = both_apart && !same ? c.upper < best.upper : c.lower > best.lower;
        if (known && !better) continue;
        best = c;
        known = true;
      }
    return best;
  }

  static double height_of(const PlacedConvex& side, const Active& active, const Vec3& m) {
    double highest = -infinity;
    for (const int i : active) highest = std::max(highest, side.atom(i).height(m));
    return highest;
  }

  // The circle of outward normals of a line, in the common frame.
  static std::optional<NormalCircle> circle_of(const PlacedConvex& side, const NormalCell& cell) {
    if (side.surface != nullptr) {
      const NormalCircle& local = side.surface->lines().front().normals;
      return NormalCircle{side.rotation * local.axis, local.level};
    }
    const Vec3 along = side.atom(cell.atoms[1]).position - side.atom(cell.atoms[0]).position;
    if (!(along.norm() > 0)) return std::nullopt;
    return NormalCircle{along.normalized(), 0};
  }

  // Both senses come into question for a triangle of corners, one for a disc.
  static int normals_of(const PlacedConvex& side, const NormalCell& cell,
                        std::array<Vec3, 2>& normals) {
    if (side.surface != nullptr) {
      for (const auto& disc : side.surface->discs())
        if (disc.atom == cell.atoms[0]) normals[0] = side.rotation * disc.normal;
      return 1;
    }
    const Vec3 p = side.atom(cell.atoms[0]).position;
    const Vec3 normal =
        triangle_area(p, side.atom(cell.atoms[1]).position, side.atom(cell.atoms[2]).position);
    if (!(normal.norm() > 0)) return 0;
    normals[0] = normal.normalized();
    normals[1] = -normals[0];
    return 2;
  }

  Candidate solve(const NormalCell& cell_a, const NormalCell& cell_b, const Vec3& start) {
    const AtomPair pair{a_.atom(cell_a.atoms[0]), b_.atom(cell_b.atoms[0])};
    Candidate best;
    const auto consider = [&](const Extremum& e) {
      statistics_.newton_iterations += e.iterations;
      const double lower = -a_.height(-e.normal) - b_.height(e.normal);
      if (!(lower > best.lower)) return;
      best.extremum = e;
      best.lower = lower;
    };
    std::array<Vec3, 2> normals;
    if (cell_a.kind == CellKind::flat || cell_b.kind == CellKind::flat) {
      const bool of_b = cell_b.kind == CellKind::flat;
      const int count = of_b ? normals_of(b_, cell_b, normals) : normals_of(a_, cell_a, normals);
      for (int i = 0; i < count; ++i)
        consider(extremum_at(pair, of_b ? normals[i] : Vec3(-normals[i])));
    } else if (cell_a.kind == CellKind::line || cell_b.kind == CellKind::line) {
      std::optional<NormalCircle> of_a, of_b;
      if (cell_a.kind == CellKind::line) {
        of_a = circle_of(a_, cell_a);
        if (!of_a) return best;
        of_a->level = -of_a->level;  // n is opposite to the outward normal of A
      }
      if (cell_b.kind == CellKind::line) {
        of_b = circle_of(b_, cell_b);
        if (!of_b) return best;
      }
      if (of_a && of_b) {
        const int count = crossings(*of_a, *of_b, normals);
        for (int i = 0; i < count; ++i) consider(extremum_at(pair, normals[i]));
      } else {
        const NormalCircle& circle = of_a ? *of_a : *of_b;
        // A rim and a straight line are better told by the place on the rim.
        if (circle.level == 0 && (of_a ? pair.b : pair.a).atom->is_circle() &&
            (of_a ? pair.a : pair.b).atom->is_point())
          for (const double sign : {1.0, -1.0})
            if (const auto found = rim_on_line(pair, of_a ? 1 : 0, circle.axis, sign * start))
              consider(*found);
        consider(extremal_normal_on(pair, circle, start));
        // From a bad start the other maximum may have been found.
        if (best.lower < 0) consider(extremal_normal_on(pair, circle, Vec3::Zero()));
      }
    } else {
      consider(extremal_normal(pair, start));
      // A rim's support function has a kink, at which a search may end: it is begun again from the
      // points nearest to each other.
      const bool has_rim = pair.a.atom->is_circle() || pair.b.atom->is_circle();
      if (has_rim && !(best.lower > 0 && residual(best.extremum) <= agreement * scale_))
        consider(extremal_normal(pair, normal_between(pair, start)));
    }
    best.cell_a = cell_a;
    best.cell_b = cell_b;
    if (best.lower > -infinity) find_points(best);
    return best;
  }

  static double residual(const Extremum& e) { return (e.a - e.b - e.gap * e.normal).norm(); }

  // Goes back and forth between the points of the atoms that are nearest to each other, of a rim
  // the point of the circle.
  static Vec3 normal_between(const AtomPair& pair, const Vec3& start) {
    const auto nearest = [](const PlacedAtom& atom, const Vec3& p, const Vec3& m) -> Vec3 {
      if (!atom.atom->is_circle()) return atom.support(m);
      const Vec3 centre = atom.rotation * atom.atom->centre() + atom.position;
      const Vec3 axis = atom.rotation.col(2);
      Vec3 out = p - centre;
      out -= axis * axis.dot(out);
      if (!(out.norm() > 0)) out = atom.rotation.col(0);
      return centre + atom.atom->outer_radius() * out.normalized();
    };
    Vec3 n = start;
    Vec3 y = pair.b.rotation * pair.b.atom->centre() + pair.b.position;
    for (int i = 0; i < 4; ++i) {
      const Vec3 x = nearest(pair.a, y, -n);
      y = nearest(pair.b, x, n);
      if (!((x - y).norm() > 0)) break;
      n = (x - y).normalized();
    }
    return n;
  }

  static Vec3 line_end(const PlacedConvex& side, const NormalCell& cell, const Vec3& m) {
    return side.atom(cell.atoms[1]).support(m);
  }

  // Points of the cells that are nearest to each other; `upper` is their distance.
  void find_points(Candidate& c) const {
    const Vec3& n = c.extremum.normal;
    c.a = c.extremum.a;
    c.b = c.extremum.b;
    const bool line_a = c.cell_a.kind == CellKind::line, line_b = c.cell_b.kind == CellKind::line;
    if (line_a && line_b) {
      cross_lines(c);
    } else if (c.cell_b.kind == CellKind::flat) {
      if (line_a) c.a = 0.5 * (c.a + line_end(a_, c.cell_a, -n));
      if (c.cell_a.kind == CellKind::flat) c.a = middle_of(a_, c.cell_a, c.a);
      c.b = onto_flat(b_, c.cell_b, c.a - c.extremum.gap * n, n);
    } else if (c.cell_a.kind == CellKind::flat) {
      if (line_b) c.b = 0.5 * (c.b + line_end(b_, c.cell_b, n));
      c.a = onto_flat(a_, c.cell_a, c.b + c.extremum.gap * n, -n);
    } else if (line_b) {
      c.b = onto_segment(c.b, line_end(b_, c.cell_b, n), c.a);
    } else if (line_a) {
      c.a = onto_segment(c.a, line_end(a_, c.cell_a, -n), c.b);
    }
    c.upper = (c.a - c.b).norm();
  }

  static Vec3 onto_segment(const Vec3& from, const Vec3& to, const Vec3& p) {
    const Vec3 along = to - from;
    const double squared = along.squaredNorm();
    if (!(squared > 0)) return from;
    return from + std::clamp(along.dot(p - from) / squared, 0.0, 1.0) * along;
  }

  void cross_lines(Candidate& c) const {
    const Vec3& n = c.extremum.normal;
    const Vec3 ea = line_end(a_, c.cell_a, -n) - c.a, eb = line_end(b_, c.cell_b, n) - c.b;
    const Vec3 cross = ea.cross(eb);
    const double squared = cross.squaredNorm();
    const Vec3 between = c.b - c.a;
    const double s = squared > 0 ? between.cross(eb).dot(cross) / squared : 0.5;
    c.a += std::clamp(s, 0.0, 1.0) * ea;
    c.b = onto_segment(c.b, c.b + eb, c.a);
  }

  static Vec3 middle_of(const PlacedConvex& side, const NormalCell& cell, const Vec3& p) {
    const PlacedAtom atom = side.atom(cell.atoms[0]);
    return side.surface != nullptr ? Vec3(atom.rotation * atom.atom->centre() + atom.position) : p;
  }

  // The point of the flat part, across m, that is nearest to p.
  static Vec3 onto_flat(const PlacedConvex& side, const NormalCell& cell, const Vec3& place,
                        const Vec3& m) {
    const Vec3 on_plane =
        side.surface != nullptr ? middle_of(side, cell, place) : side.atom(cell.atoms[0]).position;
    const Vec3 p = place - m.dot(place - on_plane) * m;
    if (side.surface != nullptr) {
      const Vec3 out = p - on_plane;
      const double radius = side.surface->atoms()[cell.atoms[0]].outer_radius();
      return out.norm() <= radius ? p : Vec3(on_plane + out.normalized() * radius);
    }
    Vec3 corners[3];
    for (int i = 0; i < 3; ++i) corners[i] = side.atom(cell.atoms[i]).position;
    if (const int face = side.polyhedron->face_with(cell.atoms); face >= 0)
      return within_face(side, face, p);
    Vec3 nearest = p;
    double least = infinity;
    const double turn =
        (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(m) > 0 ? 1 : -1;
    bool inside = true;
    for (int i = 0; i < 3; ++i) {
      const Vec3 &from = corners[i], &to = corners[(i + 1) % 3];
      inside = inside && turn * (to - from).cross(p - from).dot(m) >= 0;
      const Vec3 q = onto_segment(from, to, p);
      if ((q - p).norm() >= least) continue;
      least = (q - p).norm();
      nearest = q;
    }
    return inside ? p : nearest;
  }

  static Vec3 within_face(const PlacedConvex& side, int face, const Vec3& p) {
    const ConvexPolyhedron& core = *side.polyhedron;
    const Vec3 normal = side.rotation * core.faces()[face].normal;
    const int first = core.faces()[face].first;
    Vec3 nearest = p;
    double least = infinity;
    bool inside = true;
    int h = first;
    do {
      const int next = core.half_edges()[h].next;
      const Vec3 from = side.atom(core.half_edges()[h].origin).position;
      const Vec3 to = side.atom(core.half_edges()[next].origin).position;
      inside = inside && (to - from).cross(p - from).dot(normal) >= 0;
      const Vec3 q = onto_segment(from, to, p);
      if ((q - p).norm() < least) {
        least = (q - p).norm();
        nearest = q;
      }
      h = next;
    } while (h != first);
    return inside ? p : nearest;
  }

  // Solids that overlap: the gap along n has several maxima. Climbs from many normals, and tries
  // the normals of flat parts; the deepest of them is the shortest way out that was found.
  Candidate deepest_way_out(const Candidate& first) {
    Candidate best = first;
    const auto climb = [&](const Vec3& start) {
      Vec3 n = start;
      for (int i = 0; i < 8; ++i) {
        const NormalCell cell_a{CellKind::atom, {a_.farthest_atom(-n), -1, -1}};
        const NormalCell cell_b{CellKind::atom, {b_.farthest_atom(n), -1, -1}};
        Candidate c = solve(cell_a, cell_b, n);
        if (c.lower > best.lower) best = c;
        if (!(c.lower > -infinity) || (c.extremum.normal - n).norm() < 1e-12) break;
        n = c.extremum.normal;
      }
    };
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          if (x != 0 || y != 0 || z != 0) climb(Vec3(x, y, z).normalized());
    const auto try_flats = [&](const PlacedConvex& side, double sign) {
      const auto offer = [&](const Vec3& normal, const NormalCell& cell) {
        const Vec3 n = sign * (side.rotation * normal);
        const double lower = -a_.height(-n) - b_.height(n);
        if (lower <= best.lower) return;
        Candidate c;
        c.cell_a = sign < 0 ? cell : NormalCell{CellKind::atom, {a_.farthest_atom(-n), -1, -1}};
        c.cell_b = sign > 0 ? cell : NormalCell{CellKind::atom, {b_.farthest_atom(n), -1, -1}};
        c.extremum = extremum_at({a_.atom(c.cell_a.atoms[0]), b_.atom(c.cell_b.atoms[0])}, n);
        c.lower = lower;
        find_points(c);
        best = c;
      };
      if (side.surface != nullptr)
        for (const auto& disc : side.surface->discs())
          offer(disc.normal, {CellKind::flat, {disc.atom, -1, -1}});
      if (side.polyhedron != nullptr)
        for (const auto& face : side.polyhedron->faces()) {
          const auto& half_edges = side.polyhedron->half_edges();
          const int h1 = half_edges[face.first].next, h2 = half_edges[h1].next;
          offer(face.normal,
                {CellKind::flat,
                 {half_edges[face.first].origin, half_edges[h1].origin, half_edges[h2].origin}});
        }
    };
    try_flats(a_, -1);
    try_flats(b_, 1);
    return best;
  }

  const PlacedConvex& a_;
  const PlacedConvex& b_;
  CurvedSearchStatistics& statistics_;
  double scale_;
};

}  // namespace

PlacedAtom PlacedConvex::atom(int index) const {
  if (surface != nullptr) return {&surface->atoms()[index], rotation, position};
  return {&origin(), rotation, position + rotation * polyhedron->vertices()[index]};
}

int PlacedConvex::farthest_atom(const Vec3& m) const {
  const Vec3 local = rotation.transpose() * m;
  return surface != nullptr ? surface->farthest_atom(local) : polyhedron->support(local);
}

double PlacedConvex::height(const Vec3& m) const {
  return atom(farthest_atom(m)).height(m);
}

double PlacedConvex::size() const {
  return surface != nullptr ? surface->outer_radius() : polyhedron->radius();
}

CurvedDistance curved_distance(const PlacedConvex& a, const PlacedConvex& b,
                               CurvedSearchStatistics& statistics) {
  return Search(a, b, statistics).from_scratch();
}

std::optional<CurvedDistance> curved_distance_near(const PlacedConvex& a, const PlacedConvex& b,
                                                   const CurvedDistance& earlier,
                                                   CurvedSearchStatistics& statistics) {
  return Search(a, b, statistics).near(earlier);
}

}  // namespace abut::geometry
