#include "contact/region_label.h"

#include <algorithm>
#include <map>

namespace abut::contact {
namespace {

using narrow::Solid;
using narrow::SolidKind;

/// The face with most of the corners, the first of several: points on nearly parallel faces lie on
/// one of them for all that the tolerance can tell.
Feature fullest_face(const geometry::ConvexPolyhedron& core, const std::vector<int>& corners) {
  std::map<int, int> counts;
  for (const int v : corners) {
    for (const int h : core.leaving(v)) ++counts[core.half_edges()[h].face];
  }
  const auto fullest =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& x, const auto& y) { return x.second < y.second; });
  return {FeatureKind::face, fullest->first};
}

Feature smallest_holding(const std::vector<Feature>& features, const Solid& solid) {
  const bool all_equal = std::equal(features.begin() + 1, features.end(), features.begin());
  if (all_equal) return features.front();
  // A corner of the other part that lies on a face lies within it, not on its rim.
  const auto face = std::find_if(features.begin(), features.end(),
                                 [](const Feature& f) { return f.kind == FeatureKind::face; });
  if (face != features.end()) return *face;

  const geometry::ConvexPolyhedron& core = solid.core;
  std::vector<int> corners;
  for (const Feature& f : features) {
    if (f.kind == FeatureKind::vertex) {
      corners.push_back(f.index);
    } else {
      corners.push_back(core.edge_start(f.index));
      corners.push_back(core.edge_end(f.index));
    }
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  if (corners.size() == 1) return {FeatureKind::vertex, corners.front()};
  if (corners.size() == 2) {
    const int edge = core.edge_between(corners[0], corners[1]);
    if (edge >= 0) return {FeatureKind::edge, edge};
  }
  return fullest_face(core, corners);
}

}  // namespace

Feature name_in(const Solid& solid, const Feature& of_core) {
  if (solid.kind != SolidKind::sphere && solid.kind != SolidKind::capsule) return of_core;
  const bool is_cap = solid.kind == SolidKind::capsule && of_core.kind == FeatureKind::vertex;
  return {FeatureKind::smooth, is_cap ? of_core.index + 1 : 0};
}

ContactLabel region_label(const std::vector<Candidate>& candidates, const PlanarHull& hull,
                          const Solid& a, const Solid& b) {
  std::vector<Feature> of_a, of_b;
  for (const int i : hull.vertices) {
    of_a.push_back(candidates[i].a);
    of_b.push_back(candidates[i].b);
  }
  return {a.part, name_in(a, smallest_holding(of_a, a)), b.part,
          name_in(b, smallest_holding(of_b, b))};
}

}  // namespace abut::contact
