#include "geometry/convex_distance.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "geometry/least_translation.h"

namespace abut::geometry {
namespace {

/// Features that may be the nearest ones: those whose corners are in a simplex.
class Features {
 public:
  Features(const ConvexPolyhedron& polyhedron, std::span<const int> vertices) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      vertices_[vertex_count_++] = vertices[i];
      for (std::size_t j = 0; j < i; ++j) {
        const int edge = polyhedron.edge_between(vertices[i], vertices[j]);
        if (edge >= 0) edges_[edge_count_++] = edge;
      }
    }
    // A diagonal of a face or all corners of a triangle; a side alone is an edge.
    if (vertices.size() + 1 > edge_count_ + 2 || vertices.size() == 3) {
      face_ = polyhedron.face_with(vertices);
    }
  }

  std::span<const int> vertices() const { return std::span(vertices_).first(vertex_count_); }
  std::span<const int> edges() const { return std::span(edges_).first(edge_count_); }
  std::span<const int> faces() const { return std::span(&face_, face_ < 0 ? 0 : 1); }

 private:
  std::array<int, 4> vertices_ = {};
  std::array<int, 6> edges_ = {};
  std::size_t vertex_count_ = 0;
  std::size_t edge_count_ = 0;
  int face_ = -1;
};

/// A face with its sides and corners. Of the faces around `vertex` the one that looks most along
/// `direction`.
class FaceFeatures {
 public:
  FaceFeatures(const ConvexPolyhedron& polyhedron, int vertex, const Vec3& direction) {
    vertices_.push_back(vertex);
    double best = -std::numeric_limits<double>::infinity();
    for (const int h : polyhedron.leaving(vertex)) {
      const int face = polyhedron.half_edges()[h].face;
      if (face < 0 || polyhedron.faces()[face].normal.dot(direction) <= best) continue;
      best = polyhedron.faces()[face].normal.dot(direction);
      face_ = face;
    }
    if (face_ < 0) {  // a point or a segment
      if (polyhedron.edge_count() > 0) edges_.push_back(0);
      return;
    }
    const int first = polyhedron.faces()[face_].first;
    vertices_.clear();
    int h = first;
    do {
      vertices_.push_back(polyhedron.half_edges()[h].origin);
      edges_.push_back(h / 2);
      h = polyhedron.half_edges()[h].next;
    } while (h != first);
  }

  std::span<const int> vertices() const { return vertices_; }
  std::span<const int> edges() const { return edges_; }
  std::span<const int> faces() const { return std::span(&face_, face_ < 0 ? 0 : 1); }

 private:
  std::vector<int> vertices_;
  std::vector<int> edges_;
  int face_ = -1;
};

class Prover {
 public:
  Prover(const ConvexPolyhedron& a, const ConvexPolyhedron& b, const RelativePose& a_in_b)
      : a_(a), b_(b), a_in_b_(a_in_b) {}

  /// The first pair of features of the simplex that is proven to be nearest. More than one pair
  /// comes into question where faces or edges are parallel.
  std::optional<ConvexDistance> from_simplex(const Simplex& simplex) {
    std::array<int, 4> vertices_a = {};
    std::array<int, 4> vertices_b = {};
    std::size_t count_a = 0;
    std::size_t count_b = 0;
    const auto add = [](std::array<int, 4>& set, std::size_t& count, int vertex) {
      if (std::find(set.begin(), set.begin() + count, vertex) == set.begin() + count) {
        set[count++] = vertex;
      }
    };
    for (int i = 0; i < simplex.count; ++i) {
      add(vertices_a, count_a, simplex.corners[i].a);
      add(vertices_b, count_b, simplex.corners[i].b);
    }
    hints_ = {vertices_a[0], vertices_b[0]};
    try_pairs(Features(a_, std::span(vertices_a).first(count_a)),
              Features(b_, std::span(vertices_b).first(count_b)));
    if (proof_) return proof_;

    // Parallel faces whose middles are opposite each other, or nearly so: the nearest points need
    // not be at features of the simplex, but there are some at features of the faces.
    const Vec3 normal = direction_to(simplex, simplex.nearest());
    try_pairs(FaceFeatures(a_, vertices_a[0], -(a_in_b_.rotation.transpose() * normal)),
              FaceFeatures(b_, vertices_b[0], normal));
    return proof_;
  }

 private:
  template <class Set>
  void try_pairs(const Set& of_a, const Set& of_b) {
    using enum FeatureKind;
    try_all(vertex, of_a.vertices(), face, of_b.faces());
    try_all(face, of_a.faces(), vertex, of_b.vertices());
    try_all(edge, of_a.edges(), edge, of_b.edges());
    try_all(vertex, of_a.vertices(), edge, of_b.edges());
    try_all(edge, of_a.edges(), vertex, of_b.vertices());
    try_all(vertex, of_a.vertices(), vertex, of_b.vertices());
  }

  void try_all(FeatureKind kind_a, std::span<const int> of_a, FeatureKind kind_b,
               std::span<const int> of_b) {
    for (const int i : of_a) {
      for (const int j : of_b) {
        if (proof_) return;
        proof_ = proven_distance(a_, b_, a_in_b_, {kind_a, i}, {kind_b, j}, hints_);
      }
    }
  }

  const ConvexPolyhedron& a_;
  const ConvexPolyhedron& b_;
  const RelativePose& a_in_b_;
  SupportHints hints_;
  std::optional<ConvexDistance> proof_;
};

/// Nearest or deepest points for a gap that was found along a normal. True if they are points of
/// the bodies, so that the gap is the distance.
///
/// The features that the normal belongs to need not be opposite each other where faces or edges
/// are parallel. Points are then looked for with A moved away along the normal, where the search
/// is certain: the same features face each other there. Not far away, though, since the farther
/// the less the distance depends on where the points are.
bool find_points(const ConvexPolyhedron& a, const ConvexPolyhedron& b, const RelativePose& a_in_b,
                 ConvexDistance& result) {
  const double tolerance = agreement_tolerance * rounding_scale(a, b, a_in_b);
  const FeatureDistance known = feature_distance(a, b, a_in_b, result.feature_a, result.feature_b);
  if (known.valid && (known.a - known.b - result.gap * result.normal).norm() <= tolerance) {
    result.a = known.a;
    result.b = known.b;
    return true;
  }
  const double smaller = std::min(a.radius(), b.radius());
  const double clearance = smaller > 0 ? smaller : std::max(a.radius(), b.radius());
  const Vec3 move = (clearance - result.gap) * result.normal;
  const RelativePose moved{a_in_b.rotation, a_in_b.translation + move};
  const auto proof = Prover(a, b, moved).from_simplex(gjk(a, b, moved).simplex);
  if (!proof || (proof->a - proof->b - clearance * result.normal).norm() > tolerance) return false;
  result.a = proof->a - move;
  result.b = proof->b;
  result.feature_a = proof->feature_a;
  result.feature_b = proof->feature_b;
  return true;
}

ConvexDistance from_normals(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                            const RelativePose& a_in_b, const Vec3& guess) {
  const LeastTranslation least = least_translation(a, b, a_in_b, guess);
  ConvexDistance result{least.gap,       least.normal,    least.a, least.b,
                        least.feature_a, least.feature_b, true,    {}};
  // Bodies that overlap have no distance that could be larger.
  result.converged = find_points(a, b, a_in_b, result) || result.gap <= 0;
  result.hints = {vertex_of(a, result.feature_a), vertex_of(b, result.feature_b)};
  return result;
}

/// GJK's own answer, with the gap that is proven along its normal.
ConvexDistance from_gjk(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                        const RelativePose& a_in_b, const GjkResult& found) {
  ConvexDistance result;
  const Simplex& simplex = found.simplex;
  const auto heaviest =
      std::max_element(simplex.weights.begin(), simplex.weights.begin() + simplex.count);
  const Simplex::Corner& corner = simplex.corners[heaviest - simplex.weights.begin()];
  result.feature_a = {FeatureKind::vertex, corner.a};
  result.feature_b = {FeatureKind::vertex, corner.b};
  result.hints = {corner.a, corner.b};
  result.normal = direction_to(simplex, simplex.nearest());
  result.gap = gap_along(a, b, a_in_b, result.normal, result.hints);
  for (int i = 0; i < simplex.count; ++i) {
    result.a += simplex.weights[i] * (a_in_b * a.vertices()[simplex.corners[i].a]);
  }
  result.b = result.a - simplex.nearest();
  return result;
}

}  // namespace

std::optional<ConvexDistance> proven_distance(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                                              const RelativePose& a_in_b, Feature feature_a,
                                              Feature feature_b, SupportHints& hints) {
  const FeatureDistance d = feature_distance(a, b, a_in_b, feature_a, feature_b);
  const double tolerance = agreement_tolerance * rounding_scale(a, b, a_in_b);
  if (!d.valid || d.distance < -tolerance) return std::nullopt;
  if (d.distance - gap_along(a, b, a_in_b, d.normal, hints) > tolerance) return std::nullopt;
  return ConvexDistance{d.distance, d.normal, d.a, d.b, feature_a, feature_b, true, hints};
}

ConvexDistance convex_distance(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                               const RelativePose& a_in_b, ConvexSearch& search) {
  const double tolerance = agreement_tolerance * rounding_scale(a, b, a_in_b);
  // 1. Bodies that overlapped last time probably still do.
  if (search.overlap_expected) {
    ConvexDistance result = from_normals(a, b, a_in_b, search.guess);
    if (result.gap <= tolerance) return result;
  }

  // 2. Apart: the nearest features are in GJK's last simplex.
  const GjkResult found = gjk(a, b, a_in_b, search.start);
  ++search.gjk_calls;
  search.gjk_iterations += found.iterations;
  if (found.status != GjkStatus::overlap) {
    if (auto proof = Prover(a, b, a_in_b).from_simplex(found.simplex)) return *proof;
    ConvexDistance own = from_gjk(a, b, a_in_b, found);
    if (found.upper - own.gap <= tolerance) return own;
  }

  // 3. Overlapping, or so near that only the normals of the features can tell.
  ConvexDistance result = from_normals(a, b, a_in_b, search.guess);
  if (result.converged || found.upper - result.gap <= tolerance) {
    result.converged = true;
    return result;
  }
  ConvexDistance own = from_gjk(a, b, a_in_b, found);
  if (own.gap < result.gap) own = result;
  own.converged = false;
  return own;
}

}  // namespace abut::geometry
