#include "geometry/cell_extremum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "geometry/cell_points.h"
#include "geometry/rim_line.h"

namespace abut::geometry {
namespace {

// Sine of the angle between the normal and a rim's axis under which the places of a line on the rim
// are looked for themselves (dimensionless).
constexpr double nearly_flat = 1e-2;

// The circle of outward normals of a line, in the common frame.
std::optional<NormalCircle> circle_of(const PlacedConvex& side, const NormalCell& cell) {
  if (side.surface != nullptr) {
    const NormalCircle& local = side.surface->lines().front().normals;
    return NormalCircle{side.rotation * local.axis, local.level};
  }
  const Vec3 along = side.atom(cell.atoms[1]).position - side.atom(cell.atoms[0]).position;
  if (!(along.norm() > 0)) return std::nullopt;
  return NormalCircle{along.normalized(), 0};
}

// Both senses come into question for a triangle of corners, one for a disc.
int normals_of(const PlacedConvex& side, const NormalCell& cell, std::array<Vec3, 2>& normals) {
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

double residual(const Extremum& e) {
  return (e.a - e.b - e.gap * e.normal).norm();
}

// Goes back and forth between the points of the atoms that are nearest to each other, of a rim
// the point of the circle.
Vec3 normal_between(const AtomPair& pair, const Vec3& start) {
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

class Maximum {
 public:
  Maximum(const ConvexPair& pair, const NormalCell& cell_a, const NormalCell& cell_b)
      : pair_(pair), atoms_{pair.a.atom(cell_a.atoms[0]), pair.b.atom(cell_b.atoms[0])} {
    best_.cell_a = cell_a;
    best_.cell_b = cell_b;
  }

  CellExtremum find(const Vec3& start) {
    const CellKind a = best_.cell_a.kind, b = best_.cell_b.kind;
    if (a == CellKind::flat || b == CellKind::flat) {
      along_flat();
    } else if (a == CellKind::line && b == CellKind::line) {
      across_lines();
    } else if (a == CellKind::line || b == CellKind::line) {
      on_circle(start);
    } else {
      anywhere(start);
    }
    return with_points();
  }

  CellExtremum at(const Vec3& normal) {
    consider(extremum_at(atoms_, normal));
    return with_points();
  }

 private:
  void along_flat() {
    const bool of_b = best_.cell_b.kind == CellKind::flat;
    std::array<Vec3, 2> normals;
    const int count = of_b ? normals_of(pair_.b, best_.cell_b, normals)
                           : normals_of(pair_.a, best_.cell_a, normals);
    for (int i = 0; i < count; ++i)
      consider(extremum_at(atoms_, of_b ? normals[i] : Vec3(-normals[i])));
  }

  // n is opposite to the outward normal of A.
  std::optional<NormalCircle> circle_of_a() const {
    std::optional<NormalCircle> circle = circle_of(pair_.a, best_.cell_a);
    if (circle) circle->level = -circle->level;
    return circle;
  }

  void across_lines() {
    const auto of_a = circle_of_a(), of_b = circle_of(pair_.b, best_.cell_b);
    if (!of_a || !of_b) return;
    std::array<Vec3, 2> normals;
    const int count = crossings(*of_a, *of_b, normals);
    for (int i = 0; i < count; ++i) consider(extremum_at(atoms_, normals[i]));
  }

  void on_circle(const Vec3& start) {
    const bool of_a = best_.cell_a.kind == CellKind::line;
    const auto circle = of_a ? circle_of_a() : circle_of(pair_.b, best_.cell_b);
    if (!circle) return;
    consider(extremal_normal_on(atoms_, *circle, start));
    // From a bad start the other maximum may have been found.
    if (best_.lower < 0) consider(extremal_normal_on(atoms_, *circle, Vec3::Zero()));
    const int rim = of_a ? 1 : 0;
    if (circle->level == 0 && atom_of(rim).atom->is_circle() && is_unsure_of(rim))
      consider_ends(rim, rim_on_line(atoms_, rim, circle->axis, start));
  }

  // Of the ends of a chord the one that is nearest, as the points tell: what other atoms the normal
  // leaves beyond is no matter of this cell.
  void consider_ends(int rim, const std::vector<Extremum>& ends) {
    CellExtremum nearest = with_points();
    for (Extremum end : ends) {
      // The point of the line is looked for between its ends, of which this is one.
      (rim == 0 ? end.b : end.a) = atom_of(1 - rim).support(end.normal);
      for (int sense = 0; sense < 2; ++sense) {
        best_.extremum = end;
        best_.lower = pair_.gap_along(end.normal);
        const CellExtremum found = with_points();
        const bool same = pair_.agree(0, std::abs(found.upper - nearest.upper));
        if (same ? found.lower > nearest.lower : found.upper < nearest.upper) nearest = found;
        // A place has two normals, of which one leads from b to a.
        end.normal = -end.normal;
        end.gap = -end.gap;
      }
    }
    best_ = nearest;
  }

  const PlacedAtom& atom_of(int side) const { return side == 0 ? atoms_.a : atoms_.b; }

  // Whether the normal is all but that of the disc of a rim: then it does not tell the two ends of
  // a chord apart, but their places do. A search may also have ended at the kink there.
  bool is_unsure_of(int rim) const {
    const Vec3& n = best_.extremum.normal;
    const Vec3 between = best_.extremum.a - best_.extremum.b;
    const Vec3 line = rim == 0 ? circle_of(pair_.b, best_.cell_b)->axis : circle_of_a()->axis;
    const Vec3 aside = between - n * n.dot(between);
    return atom_of(rim).rotation.col(2).cross(n).norm() < nearly_flat ||
           !pair_.agree(0, (aside - line * line.dot(aside)).norm());
  }

  void anywhere(const Vec3& start) {
    consider(extremal_normal(atoms_, start));
    // A rim's support function has a kink, at which a search may end: it is begun again from the
    // points nearest to each other.
    const bool has_rim = atoms_.a.atom->is_circle() || atoms_.b.atom->is_circle();
    if (has_rim && !(best_.lower > 0 && pair_.agree(0, residual(best_.extremum))))
      consider(extremal_normal(atoms_, normal_between(atoms_, start)));
  }

  void consider(const Extremum& e) {
    best_.iterations += e.iterations;
    const double lower = pair_.gap_along(e.normal);
    if (!(lower > best_.lower)) return;
    best_.extremum = e;
    best_.lower = lower;
  }

  CellExtremum with_points() {
    if (!best_.is_known()) return best_;
    const CellPoints points = nearest_points(pair_, best_.cell_a, best_.cell_b, best_.extremum);
    best_.a = points.a;
    best_.b = points.b;
    best_.upper = (best_.a - best_.b).norm();
    if (best_.lower > 0 && !pair_.agree(best_.lower, best_.upper)) {
      slide_on_flat_spots();
      best_.upper = (best_.a - best_.b).norm();
    }
    return best_;
  }

  // Where a surface is nearly flat, the rounding of the normal moves the support point far. Within
  // s of it a surface with the radius of curvature r is lower by s^2 / (2 r): where that is
  // rounding, the point opposite to the other solid's supports the same plane.
  void slide_on_flat_spots() {
    const Vec3& n = best_.extremum.normal;
    const Vec3 between = best_.a - best_.b;
    const Vec3 aside = between - n.dot(between) * n;
    const auto radius = [&](const NormalCell& cell, const PlacedAtom& atom, const Vec3& outward) {
      if (cell.kind != CellKind::atom || atom.atom->is_point() || atom.atom->is_circle())
        return 0.0;
      return aside.dot(atom.patch(outward).radii * aside) / aside.squaredNorm();
    };
    const double radius_a = radius(best_.cell_a, atoms_.a, -n);
    const double radius_b = radius(best_.cell_b, atoms_.b, n);
    const double drop = aside.squaredNorm() / (2 * std::max(radius_a, radius_b));
    if (!(drop <= std::numeric_limits<double>::epsilon() * pair_.scale)) return;
    if (radius_a >= radius_b)
      best_.a -= aside;
    else
      best_.b += aside;
  }

  const ConvexPair& pair_;
  AtomPair atoms_;
  CellExtremum best_;
};

}  // namespace

CellExtremum cell_extremum(const ConvexPair& pair, const NormalCell& cell_a,
                           const NormalCell& cell_b, const Vec3& start) {
  return Maximum(pair, cell_a, cell_b).find(start);
}

CellExtremum cell_extremum_at(const ConvexPair& pair, const NormalCell& cell_a,
                              const NormalCell& cell_b, const Vec3& normal) {
  return Maximum(pair, cell_a, cell_b).at(normal);
}

}  // namespace abut::geometry
