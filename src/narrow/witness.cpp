#include "narrow/witness.h"

#include <algorithm>
#include <array>

namespace abut::narrow {
namespace {

using geometry::ConvexDistance;
using geometry::ConvexPolyhedron;
using geometry::RelativePose;

/// Up to three vertices of a feature.
int corners_of(const ConvexPolyhedron& polyhedron, Feature feature, std::array<int, 3>& corners) {
  if (feature.kind == FeatureKind::vertex) {
    corners[0] = feature.index;
    return 1;
  }
  int h = feature.kind == FeatureKind::edge ? 2 * feature.index
                                            : polyhedron.faces()[feature.index].first;
  const int count = feature.kind == FeatureKind::edge ? 2 : 3;
  for (int i = 0; i < count; ++i) {
    corners[i] = polyhedron.half_edges()[h].origin;
    h = polyhedron.half_edges()[h].next;
  }
  return count;
}

/// The vertices of the remembered features as corners of A - B: all pairs, but three at most, and
/// the pair that was extreme along the refuted normal, which shows where to go.
geometry::Simplex start_near(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                             const ConvexDistance& last) {
  std::array<int, 3> of_a = {};
  std::array<int, 3> of_b = {};
  const int count_a = corners_of(a, last.feature_a, of_a);
  const int count_b = corners_of(b, last.feature_b, of_b);
  geometry::Simplex start;
  for (int i = 0; i < count_a; ++i) {
    for (int j = 0; j < count_b && start.count < 3; ++j) {
      start.corners[start.count].a = of_a[i];
      start.corners[start.count++].b = of_b[j];
    }
  }
  return start;
}

}  // namespace

ConvexDistance Witness::distance(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                                 const RelativePose& a_in_b, PairStatistics& statistics) {
  geometry::ConvexSearch search;
  const bool overlapped = known_ && last_.gap < 0;
  if (known_) {
    const auto proof =
        geometry::proven_distance(a, b, a_in_b, last_.feature_a, last_.feature_b, last_.hints);
    if (proof) {
      ++statistics.witness_hits;
      last_ = *proof;
      return last_;
    }
    if (!overlapped) search.start = start_near(a, b, last_);
    search.guess = last_.normal;
    search.overlap_expected = overlapped;
  }
  ConvexDistance found = geometry::convex_distance(a, b, a_in_b, search);
  const bool same = overlapped && found.gap < 0 && found.feature_a == last_.feature_a &&
                    found.feature_b == last_.feature_b;
  ++(same ? statistics.witness_hits : statistics.witness_misses);
  statistics.gjk_calls += search.gjk_calls;
  statistics.gjk_iterations += search.gjk_iterations;
  known_ = true;
  last_ = found;
  return found;
}

std::optional<double> Witness::lower_bound(const ConvexPolyhedron& a, const ConvexPolyhedron& b,
                                           const RelativePose& a_in_b) {
  if (!known_) return std::nullopt;
  const geometry::FeatureDistance d =
      geometry::feature_distance(a, b, a_in_b, last_.feature_a, last_.feature_b);
  return geometry::gap_along(a, b, a_in_b, d.normal, last_.hints);
}

}  // namespace abut::narrow
