#include "geometry/cell_points.h"

#include <algorithm>
#include <limits>

namespace abut::geometry {
namespace {

Vec3 line_end(const PlacedConvex& side, const NormalCell& cell, const Vec3& m) {
  return side.atom(cell.atoms[1]).support(m);
}

Vec3 onto_segment(const Vec3& from, const Vec3& to, const Vec3& p) {
  const Vec3 along = to - from;
  const double squared = along.squaredNorm();
  if (!(squared > 0)) return from;
  return from + std::clamp(along.dot(p - from) / squared, 0.0, 1.0) * along;
}

Vec3 middle_of(const PlacedConvex& side, const NormalCell& cell, const Vec3& p) {
  const PlacedAtom atom = side.atom(cell.atoms[0]);
  return side.surface != nullptr ? Vec3(atom.rotation * atom.atom->centre() + atom.position) : p;
}

// The point of a convex polygon that is nearest to a point of its plane, from its sides one by one.
class NearestWithin {
 public:
  NearestWithin(const Vec3& p, const Vec3& normal) : p_(p), nearest_(p), normal_(normal) {}

  /// Sides go round the normal counterclockwise.
  void add_side(const Vec3& from, const Vec3& to) {
    inside_ = inside_ && (to - from).cross(p_ - from).dot(normal_) >= 0;
    const Vec3 q = onto_segment(from, to, p_);
    if (!((q - p_).norm() < least_)) return;
    least_ = (q - p_).norm();
    nearest_ = q;
  }
  Vec3 point() const { return inside_ ? p_ : nearest_; }

 private:
  Vec3 p_, nearest_, normal_;
  double least_ = std::numeric_limits<double>::infinity();
  bool inside_ = true;
};

// Calls visit(from, to) with the corners of every side of a face, round its normal.
template <class Visit>
void for_sides(const ConvexPolyhedron& core, int face, const Visit& visit) {
  const int first = core.faces()[face].first;
  int h = first;
  do {
    const int next = core.half_edges()[h].next;
    visit(core.half_edges()[h].origin, core.half_edges()[next].origin);
    h = next;
  } while (h != first);
}

Vec3 within_face(const PlacedConvex& side, int face, const Vec3& p) {
  const ConvexPolyhedron& core = *side.polyhedron;
  NearestWithin nearest(p, side.rotation * core.faces()[face].normal);
  for_sides(core, face, [&](int from, int to) {
    nearest.add_side(side.atom(from).position, side.atom(to).position);
  });
  return nearest.point();
}

Vec3 within_triangle(const PlacedConvex& side, const NormalCell& cell, const Vec3& p,
                     const Vec3& m) {
  Vec3 corners[3];
  for (int i = 0; i < 3; ++i) corners[i] = side.atom(cell.atoms[i]).position;
  const bool counterclockwise = (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(m) > 0;
  NearestWithin nearest(p, counterclockwise ? m : Vec3(-m));
  for (int i = 0; i < 3; ++i) nearest.add_side(corners[i], corners[(i + 1) % 3]);
  return nearest.point();
}

// The point of the flat part, across m, that is nearest to `place`.
Vec3 onto_flat(const PlacedConvex& side, const NormalCell& cell, const Vec3& place, const Vec3& m) {
  const Vec3 on_plane =
      side.surface != nullptr ? middle_of(side, cell, place) : side.atom(cell.atoms[0]).position;
  const Vec3 p = place - m.dot(place - on_plane) * m;
  if (side.surface != nullptr) {
    const Vec3 out = p - on_plane;
    const double radius = side.surface->atoms()[cell.atoms[0]].outer_radius();
    return out.norm() <= radius ? p : Vec3(on_plane + out.normalized() * radius);
  }
  const int face = side.polyhedron->face_with(cell.atoms);
  return face >= 0 ? within_face(side, face, p) : within_triangle(side, cell, p, m);
}

// Edges that cross: the point of each that is nearest to the other's line.
void cross_lines(const ConvexPair& pair, const NormalCell& cell_a, const NormalCell& cell_b,
                 const Vec3& n, CellPoints& points) {
  const Vec3 ea = line_end(pair.a, cell_a, -n) - points.a,
             eb = line_end(pair.b, cell_b, n) - points.b;
  const Vec3 cross = ea.cross(eb);
  const double squared = cross.squaredNorm();
  const Vec3 between = points.b - points.a;
  const double s = squared > 0 ? between.cross(eb).dot(cross) / squared : 0.5;
  points.a += std::clamp(s, 0.0, 1.0) * ea;
  points.b = onto_segment(points.b, points.b + eb, points.a);
}

}  // namespace

std::array<int, 2> side_beside(const PlacedConvex& solid, int face, const Vec3& p) {
  std::array<int, 2> nearest = {-1, -1};
  double least = std::numeric_limits<double>::infinity();
  for_sides(*solid.polyhedron, face, [&](int from, int to) {
    const Vec3 q = onto_segment(solid.atom(from).position, solid.atom(to).position, p);
    if ((q - p).norm() >= least) return;
    least = (q - p).norm();
    nearest = {from, to};
  });
  return nearest;
}

CellPoints nearest_points(const ConvexPair& pair, const NormalCell& cell_a,
                          const NormalCell& cell_b, const Extremum& best) {
  const Vec3& n = best.normal;
  CellPoints points{best.a, best.b};
  const bool line_a = cell_a.kind == CellKind::line, line_b = cell_b.kind == CellKind::line;
  if (line_a && line_b) {
    cross_lines(pair, cell_a, cell_b, n, points);
  } else if (cell_b.kind == CellKind::flat) {
    if (line_a) points.a = 0.5 * (points.a + line_end(pair.a, cell_a, -n));
    if (cell_a.kind == CellKind::flat) points.a = middle_of(pair.a, cell_a, points.a);
    points.b = onto_flat(pair.b, cell_b, points.a - best.gap * n, n);
  } else if (cell_a.kind == CellKind::flat) {
    if (line_b) points.b = 0.5 * (points.b + line_end(pair.b, cell_b, n));
    points.a = onto_flat(pair.a, cell_a, points.b + best.gap * n, -n);
  } else if (line_b) {
    points.b = onto_segment(points.b, line_end(pair.b, cell_b, n), points.a);
  } else if (line_a) {
    points.a = onto_segment(points.a, line_end(pair.a, cell_a, -n), points.b);
  }
  return points;
}

}  // namespace abut::geometry
