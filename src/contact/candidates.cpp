#include "contact/candidates.h"

#include <algorithm>
#include <cmath>

namespace abut::contact {
namespace {

class Search {
 public:
  Search(const NearSurface& a, const NearSurface& b, double largest_gap,
         const Tolerances& tolerances)
      : a_(a),
        b_(b),
        rounding_(a.solid->rounding + b.solid->rounding),
        largest_gap_(largest_gap),
        tolerances_(tolerances) {}

  std::vector<Candidate> run() {
    Few<bool, 8> is_under;
    for (const NearVertex& w : b_.vertices)
      is_under.push_back(!is_sharp_ && is_under_face_of_a(w.at));
    for (const NearVertex& v : a_.vertices) {
      const bool is_over = !is_sharp_ && is_over_face_of_b(v.at);
      for (const NearFace& f : b_.faces) vertex_of_a_on(f, v);
      for (const NearEdge& e : b_.edges) vertex_of_a_on(e, v, is_over);
      for (std::size_t k = 0; k < b_.vertices.size(); ++k)
        vertices(v, b_.vertices[k], is_over || is_under[k]);
    }
    for (std::size_t k = 0; k < b_.vertices.size(); ++k) {
      const NearVertex& w = b_.vertices[k];
      for (const NearFace& f : a_.faces) vertex_of_b_on(f, w);
      for (const NearEdge& e : a_.edges) vertex_of_b_on(e, w, is_under[k]);
    }
    for (const NearEdge& e : a_.edges) {
      for (const NearEdge& f : b_.edges) edges(e, f);
    }
    return std::move(found_);
  }

 private:
  void accept(const Vec2& at, double height_a, double height_b, double gap, Feature a, Feature b) {
    if (gap <= largest_gap_) found_.push_back({at, (height_a + height_b) / 2, gap, a, b});
  }

  bool is_aside(const Vec2& at_a, const Vec2& at_b) const {
    return (at_a - at_b).norm() > tolerances_.lateral;
  }

  /// Features that face each other with a distance `aside` in the plane. Sharp ones do not touch
  /// then. Rounded ones do: their cores are sqrt(aside^2 + (height difference + rounding)^2) apart,
  /// and they touch as far from each core as its rounding reaches, which is at the core of a sharp
  /// one. They do not where a larger feature is nearer.
  void accept_aside(const Vec2& at_a, const Vec2& at_b, double height_a, double height_b, Feature a,
                    Feature b) {
    const double aside = (at_a - at_b).norm();
    const double straight = height_a - height_b;
    if (!is_aside(at_a, at_b)) {
      accept((at_a + at_b) / 2, height_a, height_b, straight, a, b);
    } else if (rounding_ > 0 && straight + rounding_ > 0) {
      const double gap = std::hypot(aside, straight + rounding_) - rounding_;
      const double nearer_b = a_.solid->rounding / rounding_;
      accept(at_a + nearer_b * (at_b - at_a), height_a, height_b, gap, a, b);
    }
  }

  /// Where a vertex of a comes nearest to a face of b, whose corners are those of its rounded
  /// surface: as far down the slope as the vertex's own rounding reaches.
  Vec2 foot_of_a(const NearFace& face, const Vec2& at) const {
    return at + a_.solid->rounding / std::sqrt(1 + face.slope.squaredNorm()) * face.slope;
  }
  /// The same of a vertex of b, which is below the face.
  Vec2 foot_of_b(const NearFace& face, const Vec2& at) const {
    return at - b_.solid->rounding / std::sqrt(1 + face.slope.squaredNorm()) * face.slope;
  }
  bool is_over_face_of_b(const Vec2& at) const {
    return std::any_of(b_.faces.begin(), b_.faces.end(),
                       [&](const NearFace& face) { return face.contains(foot_of_a(face, at), 0); });
  }
  bool is_under_face_of_a(const Vec2& at) const {
    return std::any_of(a_.faces.begin(), a_.faces.end(),
                       [&](const NearFace& face) { return face.contains(foot_of_b(face, at), 0); });
  }
  /// Whether the inner part of an edge that ends at one of two vertices is nearer to the other's
  /// core, which is `up` above.
  bool is_beside_edge(const NearSurface& part, const NearVertex& end, const NearVertex& other,
                      double up) const {
    return std::any_of(part.edges.begin(), part.edges.end(), [&](const NearEdge& edge) {
      const bool starts = (edge.start - end.at).norm() <= tolerances_.lateral;
      if (!starts && (edge.end - end.at).norm() > tolerances_.lateral) return false;
      const double sign = starts ? 1 : -1;
      const double rise = edge.end_height - edge.start_height;
      return sign * ((edge.end - edge.start).dot(other.at - end.at) + rise * up) > 0;
    });
  }

  void vertex_of_a_on(const NearFace& face, const NearVertex& v) {
    if (!face.contains(foot_of_a(face, v.at), tolerances_.lateral)) return;
    const double below = face.height_at(v.at);
    accept(v.at, v.height, below, v.height - below, {FeatureKind::vertex, v.index},
           {FeatureKind::face, face.index});
  }
  void vertex_of_b_on(const NearFace& face, const NearVertex& w) {
    if (!face.contains(foot_of_b(face, w.at), tolerances_.lateral)) return;
    const double above = face.height_at(w.at);
    accept(w.at, above, w.height, above - w.height, {FeatureKind::face, face.index},
           {FeatureKind::vertex, w.index});
  }

  static double nearest_parameter(const NearEdge& edge, const Vec2& at) {
    const Vec2 along = edge.end - edge.start;
    return std::clamp(along.dot(at - edge.start) / along.squaredNorm(), 0.0, 1.0);
  }
  static Vec2 place(const NearEdge& edge, double t) {
    return edge.start + t * (edge.end - edge.start);
  }
  static double height(const NearEdge& edge, double t) {
    return edge.start_height + t * (edge.end_height - edge.start_height);
  }

  /// A vertex beside an edge faces its inner part; beside its end it faces another vertex.
  static bool is_end(double t) { return t <= 0 || t >= 1; }

  void vertex_of_a_on(const NearEdge& edge, const NearVertex& v, bool is_over_face) {
    const double t = nearest_parameter(edge, v.at);
    if (is_aside(v.at, place(edge, t)) && (is_sharp_ || is_end(t) || is_over_face)) return;
    accept_aside(v.at, place(edge, t), v.height, height(edge, t), {FeatureKind::vertex, v.index},
                 {FeatureKind::edge, edge.index});
  }
  void vertex_of_b_on(const NearEdge& edge, const NearVertex& w, bool is_under_face) {
    const double t = nearest_parameter(edge, w.at);
    if (is_aside(w.at, place(edge, t)) && (is_sharp_ || is_end(t) || is_under_face)) return;
    accept_aside(place(edge, t), w.at, height(edge, t), w.height, {FeatureKind::edge, edge.index},
                 {FeatureKind::vertex, w.index});
  }
  void vertices(const NearVertex& v, const NearVertex& w, bool is_beside_face) {
    const double up = v.height - w.height + rounding_;
    if (is_aside(v.at, w.at) && (is_sharp_ || is_beside_face || is_beside_edge(b_, w, v, up) ||
                                 is_beside_edge(a_, v, w, -up)))
      return;
    accept_aside(v.at, w.at, v.height, w.height, {FeatureKind::vertex, v.index},
                 {FeatureKind::vertex, w.index});
  }

  /// start_e + s along_e = start_f + t along_f, solved by crossing with one direction each. Where
  /// the shorter of two edges is no farther from the other at one end than at the other one, as far
  /// as can be told, rounding would decide where they cross. The ends of such edges lie on each
  /// other and are candidates themselves; one of them is nearest.
  void edges(const NearEdge& e, const NearEdge& f) {
    const Vec2 along_e = e.end - e.start;
    const Vec2 along_f = f.end - f.start;
    const double area = cross(along_e, along_f);
    const double longer = std::sqrt(std::max(along_e.squaredNorm(), along_f.squaredNorm()));
    if (std::abs(area) <= tolerances_.lateral * longer) return;
    const Vec2 between = f.start - e.start;
    const double s = cross(between, along_f) / area;
    const double t = cross(between, along_e) / area;
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return;
    const double above = height(e, s);
    const double below = height(f, t);
    accept(place(e, s), above, below, above - below, {FeatureKind::edge, e.index},
           {FeatureKind::edge, f.index});
  }

  const NearSurface& a_;
  const NearSurface& b_;
  double rounding_;
  bool is_sharp_ = rounding_ == 0;
  double largest_gap_;
  const Tolerances& tolerances_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<Candidate> find_candidates(const NearSurface& a, const NearSurface& b,
                                       double largest_gap, const Tolerances& tolerances) {
  return Search(a, b, largest_gap, tolerances).run();
}

void leave_crossing_alone(std::vector<Candidate>& candidates, double sag) {
  const auto is = [](const Candidate& c, FeatureKind kind) {
    return c.a.kind == kind || c.b.kind == kind;
  };
  for (const Candidate& crossing : candidates) {
    if (is(crossing, FeatureKind::vertex) || is(crossing, FeatureKind::face)) continue;
    const auto is_higher_end = [&](const Candidate& c) {
      return is(c, FeatureKind::vertex) && !is(c, FeatureKind::face) && c.gap > crossing.gap + sag;
    };
    if (!std::all_of(candidates.begin(), candidates.end(),
                     [&](const Candidate& c) { return &c == &crossing || is_higher_end(c); }))
      continue;
    candidates = {Candidate(crossing)};
    return;
  }
}

}  // namespace abut::contact
