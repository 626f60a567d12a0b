// The gap along a unit vector n, g(n) = min_A n.x - max_B n.x, is a sine along every arc of
// directions on which the lowest vertex of A and the highest of B stay the same, and where the
// bodies overlap it is convex there. So its largest value is taken where three such pieces meet:
// at the normal of a face of B, at minus the normal of a face of A, or where the arc of an edge of
// A (between the normals of its two faces) crosses that of an edge of B, n = +- e x f.
//
// Each candidate that promises a larger gap is evaluated with the true supports of both bodies, so
// a candidate that rounding has let in cannot do harm, and one that rounding has kept out has a
// neighbour with the same gap up to rounding.
//
// Most candidates are ruled out beforehand: A contains a ball of radius r about its centre c, so
// g(n) <= n.(c - p) - r for any point p of B, and the same the other way round.

#include "geometry/least_translation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace abut::geometry {
namespace {

/// How far two arcs of directions may miss each other and still be tried (dimensionless: sine of
/// the angle). Wider than rounding; a candidate too many only costs time.
constexpr double arc_tolerance = 1e-12;

/// Length of the sum of two unit normals that are opposite, as those of the two sides of a polygon
/// (dimensionless): only rounding is left of it.
constexpr double opposite_faces = 1e-12;

/// An edge with the directions for which it is extreme, in the frame of B.
struct Arc {
  int edge;
  Vec3 point;      ///< one end of the edge
  Vec3 direction;  ///< unit
  Vec3 first;      ///< the ends of the arc; unused if `circle`
  Vec3 last;
  Vec3 middle;
  bool circle;  ///< a segment without faces: all directions perpendicular to it
};

/// The largest n.q over the arc.
double highest_on(const Arc& arc, const Vec3& q) {
  const Vec3 in_plane = q - q.dot(arc.direction) * arc.direction;
  if (arc.circle) return in_plane.norm();
  const double at_ends = std::max(arc.first.dot(q), arc.last.dot(q));
  // The crest is within the arc if q is on the inner side of both ends.
  const Vec3 normal = arc.first.cross(arc.last);
  const bool within =
      arc.first.cross(in_plane).dot(normal) >= 0 && in_plane.cross(arc.last).dot(normal) >= 0;
  return within ? std::max(at_ends, in_plane.norm()) : at_ends;
}

class TranslationSearch {
 public:
  TranslationSearch(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                    const RelativePose& a_in_b)
      : a_(a), b_(b), a_in_b_(a_in_b), b_in_a_(a_in_b.inverse()) {
    best_.gap = -std::numeric_limits<double>::infinity();
  }

  LeastTranslation run(const Vec3& guess) {
    if (guess.squaredNorm() > 0) {
      // Slightly less than its gap, so that the candidate that the guess stands for still counts.
      hopeless_ = gap_along(a_, b_, a_in_b_, guess, hints_) -
                  agreement_tolerance * rounding_scale(a_, b_, a_in_b_);
    }
    try_all();
    if (!std::isfinite(best_.gap)) {  // apart along the guess by more than along any normal
      hopeless_ = best_.gap;
      try_all();
    }
    return best_;
  }

 private:
  void try_all() {
    try_faces_of_b();
    try_faces_of_a();
    try_edges();
  }

  double to_beat() const { return std::max(best_.gap, hopeless_); }

  void try_faces_of_b() {
    for (int f = 0; f < b_.face_count(); ++f) {
      const ConvexPolyhedron::Face& face = b_.faces()[f];
      const double bound = face.normal.dot(a_in_b_.translation) - face.offset - a_.inner_radius();
      if (bound <= to_beat()) continue;
      SupportHints hints{hints_.a, b_.half_edges()[face.first].origin};
      const double gap = gap_along(a_, b_, a_in_b_, face.normal, hints);
      hints_.a = hints.a;
      if (gap <= to_beat()) continue;
      const Vec3 deepest = a_in_b_ * a_.vertices()[hints.a];
      best_ = {gap,
               face.normal,
               {FeatureKind::vertex, hints.a},
               {FeatureKind::face, f},
               deepest,
               deepest - gap * face.normal};
    }
  }

  void try_faces_of_a() {
    for (int f = 0; f < a_.face_count(); ++f) {
      const ConvexPolyhedron::Face& face = a_.faces()[f];
      const double bound = face.normal.dot(b_in_a_.translation) - face.offset - b_.inner_radius();
      if (bound <= to_beat()) continue;
      const Vec3 n = -(a_in_b_.rotation * face.normal);
      SupportHints hints{a_.half_edges()[face.first].origin, hints_.b};
      const double gap = gap_along(a_, b_, a_in_b_, n, hints);
      hints_.b = hints.b;
      if (gap <= to_beat()) continue;
      const Vec3& deepest = b_.vertices()[hints.b];
      best_ = {gap,    n, {FeatureKind::face, f}, {FeatureKind::vertex, hints.b}, deepest + gap * n,
               deepest};
    }
  }

  std::vector<Arc> arcs_of_a() const {
    std::vector<Arc> arcs;
    for (int e = 0; e < a_.edge_count(); ++e) {
      const Vec3 start = a_.vertices()[a_.edge_start(e)];
      const Vec3 d = a_.vertices()[a_.edge_end(e)] - start;
      Arc arc{e,  a_in_b_ * start,     a_in_b_.rotation * d.normalized(), {}, {},
              {}, a_.face_count() == 0};
      if (!arc.circle) {
        arc.first = -(a_in_b_.rotation * a_.faces()[a_.half_edges()[2 * e].face].normal);
        arc.last = -(a_in_b_.rotation * a_.faces()[a_.half_edges()[2 * e + 1].face].normal);
        arc.middle = -(a_in_b_.rotation * middle_normal(a_, e));
      }
      // g(n) <= n.(edge - centre of B) - inner radius of B.
      if (highest_on(arc, arc.point) - b_.inner_radius() > to_beat()) arcs.push_back(arc);
    }
    return arcs;
  }

  std::vector<Arc> arcs_of_b() const {
    std::vector<Arc> arcs;
    for (int e = 0; e < b_.edge_count(); ++e) {
      const Vec3 start = b_.vertices()[b_.edge_start(e)];
      const Vec3 d = b_.vertices()[b_.edge_end(e)] - start;
      Arc arc{e, start, d.normalized(), {}, {}, {}, b_.face_count() == 0};
      if (!arc.circle) {
        arc.first = b_.faces()[b_.half_edges()[2 * e].face].normal;
        arc.last = b_.faces()[b_.half_edges()[2 * e + 1].face].normal;
        arc.middle = middle_normal(b_, e);
      }
      const Vec3 to_centre = a_in_b_.translation - arc.point;
      if (highest_on(arc, to_centre) - a_.inner_radius() > to_beat()) arcs.push_back(arc);
    }
    return arcs;
  }

  static bool crosses(const Arc& arc, const Vec3& circle_axis) {
    if (arc.circle) return true;
    const double s = arc.first.dot(circle_axis);
    const double t = arc.last.dot(circle_axis);
    return std::min(s, t) <= arc_tolerance && std::max(s, t) >= -arc_tolerance;
  }

  void try_edges() {
    const std::vector<Arc> of_a = arcs_of_a();
    const std::vector<Arc> of_b = arcs_of_b();
    for (const Arc& e : of_a) {
      for (const Arc& f : of_b) {
        if (!crosses(e, f.direction) || !crosses(f, e.direction)) continue;
        try_edge_pair(e, f);
      }
    }
  }

  void try_edge_pair(const Arc& e, const Arc& f) {
    const Vec3 cross = e.direction.cross(f.direction);
    const double sine = cross.norm();
    if (!(sine > arc_tolerance)) return;
    Vec3 n = cross / sine;
    n -= n.dot(e.direction) * e.direction;
    n.normalize();
    for (const Vec3& normal : {n, Vec3(-n)}) {
      // Opposite arcs lie on crossing circles too, but in other hemispheres.
      if (!e.circle && normal.dot(e.middle) <= 0) continue;
      if (!f.circle && normal.dot(f.middle) <= 0) continue;
      if (normal.dot(e.point - f.point) <= to_beat()) continue;
      SupportHints hints{a_.edge_start(e.edge), b_.edge_start(f.edge)};
      const double gap = gap_along(a_, b_, a_in_b_, normal, hints);
      if (gap <= to_beat()) continue;
      const Feature feature_a{FeatureKind::edge, e.edge};
      const Feature feature_b{FeatureKind::edge, f.edge};
      const Vec3 deepest = a_in_b_ * a_.vertices()[hints.a];
      best_ = {gap, normal, feature_a, feature_b, deepest, deepest - gap * normal};
    }
  }

  const ConvexPolyhedron& a_;
  const ConvexPolyhedron& b_;
  const RelativePose& a_in_b_;
  RelativePose b_in_a_;
  SupportHints hints_;
  double hopeless_ = -std::numeric_limits<double>::infinity();  ///< a gap known to be reached
  LeastTranslation best_;
};

}  // namespace

Vec3 middle_normal(const ConvexPolyhedron& polyhedron, int edge) {
  const auto half_edges = polyhedron.half_edges();
  const Vec3& left = polyhedron.faces()[half_edges[2 * edge].face].normal;
  const Vec3 sum = left + polyhedron.faces()[half_edges[2 * edge + 1].face].normal;
  if (sum.squaredNorm() > opposite_faces * opposite_faces) return sum;
  const Vec3 along = polyhedron.vertices()[polyhedron.edge_end(edge)] -
                     polyhedron.vertices()[polyhedron.edge_start(edge)];
  return along.cross(left).normalized();
}

LeastTranslation least_translation(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                                   const RelativePose& a_in_b, const Vec3& guess) {
  return TranslationSearch(a, b, a_in_b).run(guess);
}

}  // namespace abut::geometry
