#include "contact/rim_region.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "contact/patch_overlap.h"
#include "contact/planar_hull.h"
#include "contact/region_label.h"

namespace abut::contact {
namespace {

using narrow::Placed;
using narrow::Separation;

/// The plane of a half-space or face is taken if there is one, before that of a disc: it reaches
/// farther.
Vec3 plane_normal(const Placed& a, const Placed& b, const Vec3& normal, double extent,
                  double tolerance) {
  std::optional<Vec3> of_disc;
  for (const Side side : {Side::upper, Side::lower}) {
    const Placed& part = side == Side::upper ? b : a;
    const std::optional<Vec3> found = flat_normal(part, side, normal, extent, tolerance);
    if (found && !part.solid->surface) return *found;
    if (found && !of_disc) of_disc = found;
  }
  return of_disc.value_or(normal);
}

double height_at(const FlatPatch& patch, const OverlapPoint& point, const Feature& feature) {
  if (patch.is_flat()) return patch.height_at(point.at);
  for (const PatchCorner& corner : patch.corners)
    if (corner.feature == feature) return corner.height;
  // Within a segment.
  const PatchCorner &from = patch.corners.front(), &to = patch.corners.back();
  const Vec2 along = to.at - from.at;
  const double squared = along.squaredNorm();
  const double t = squared > 0 ? along.dot(point.at - from.at) / squared : 0;
  return from.height + t * (to.height - from.height);
}

// Two points, neither of them flat, have the places that the narrow phase found. So has a rim on a
// line: the place of a disc that all but lies along the line hardly follows from the normal.
bool is_as_found(const Placed& a, const FlatPatch& patch_a, const Placed& b,
                 const FlatPatch& patch_b) {
  const auto is_rim = [](const Placed& part, const FlatPatch& patch) {
    return part.solid->has_rims() && patch.kind == PatchKind::point &&
           patch.feature.kind == FeatureKind::edge;
  };
  if (patch_a.is_flat() || patch_b.is_flat()) return false;
  return is_rim(a, patch_a) || is_rim(b, patch_b) ||
         (patch_a.kind == PatchKind::point && patch_b.kind == PatchKind::point);
}

// Lines and flat parts that lean against each other by more than this (sine, dimensionless) are
// not compared: far more than the tolerance allows for over any length that can be told.
constexpr double steepest_line = 1e-3;

// The two parts as seen along a normal, and where they overlap.
struct Overlaid {
  Vec3 normal;
  Chart chart;
  FlatPatch a, b;
  Overlap overlap;

  double above(const OverlapPoint& point) const { return height_at(a, point, point.a); }
  double below(const OverlapPoint& point) const { return height_at(b, point, point.b); }
};

// What is flat over the whole extent of the smaller part.
Overlaid over_extent(const Separation& separation, const Placed& a, const Placed& b,
                     const Vec3& centre, const Tolerances& tolerances) {
  const double extent = 2 * std::min(a.solid->bounding_radius(), b.solid->bounding_radius());
  const Vec3 normal = plane_normal(a, b, separation.normal, extent, tolerances.height);
  const Chart chart(centre, normal);
  Overlaid seen{normal,
                chart,
                flat_patch(a, Side::lower, chart, extent, tolerances.height),
                flat_patch(b, Side::upper, chart, extent, tolerances.height),
                {}};
  seen.overlap = overlap_of(seen.a, seen.b, tolerances);
  return seen;
}

// Over a chord that is short a line may lean more against a disc or face, and still touch all along
// it. So the line that is all but parallel is laid over the flat part, and the heights at its ends
// are compared.
std::optional<Overlaid> line_on_flat(const Separation& separation, const Placed& a, const Placed& b,
                                     const Vec3& centre, const Tolerances& tolerances) {
  const double extent = tolerances.height / steepest_line;
  for (const bool flat_is_b : {true, false}) {
    const Side flat_side = flat_is_b ? Side::upper : Side::lower;
    const std::optional<Vec3> normal =
        flat_normal(flat_is_b ? b : a, flat_side, separation.normal, extent, tolerances.height);
    if (!normal) continue;
    const Chart chart(centre, *normal);
    const auto patch = [&](bool is_b) {
      return flat_patch(is_b ? b : a, is_b ? Side::upper : Side::lower, chart, extent,
                        tolerances.height,
                        is_b == flat_is_b ? PatchKind::everything : PatchKind::segment);
    };
    Overlaid seen{*normal, chart, patch(false), patch(true), {}};
    if (!(flat_is_b ? seen.b : seen.a).is_flat()) continue;
    if ((flat_is_b ? seen.a : seen.b).kind != PatchKind::segment) continue;
    seen.overlap = overlap_of(seen.a, seen.b, tolerances);
    if (seen.overlap.dimension != 1 || seen.overlap.points.size() != 2) continue;
    const auto gap = [&](std::size_t i) {
      return seen.above(seen.overlap.points[i]) - seen.below(seen.overlap.points[i]);
    };
    if (std::abs(gap(0) - gap(1)) <= tolerances.height) return seen;
  }
  return std::nullopt;
}

}  // namespace

ContactRegion rim_region(const Separation& separation, const Placed& a, const Placed& b,
                         const Vec3& origin, double touching_distance) {
  const Tolerances tolerances(*a.solid, *b.solid, touching_distance);
  const Vec3 centre = (separation.point_a + separation.point_b) / 2 - origin;
  Overlaid seen = over_extent(separation, a, b, centre, tolerances);
  if (seen.overlap.dimension == 0)
    if (auto line = line_on_flat(separation, a, b, centre, tolerances)) seen = std::move(*line);
  const auto& [normal, chart, patch_a, patch_b, overlap] = seen;

  ContactRegion region;
  region.normal = normal;
  region.tolerance = tolerances.height;
  const auto label = [&](const Feature& of_a, const Feature& of_b) {
    return ContactLabel{a.solid->part, name_in(*a.solid, of_a), b.solid->part,
                        name_in(*b.solid, of_b)};
  };
  region.label = label(patch_a.feature, patch_b.feature);
  std::vector<Vec2> places;
  places.reserve(overlap.points.size());
  for (const OverlapPoint& point : overlap.points) places.push_back(point.at);
  const PlanarHull hull = planar_hull(places, 2 * tolerances.lateral);
  if (overlap.points.empty() || is_as_found(a, patch_a, b, patch_b)) {
    region.normal = separation.normal;
    region.label = {a.solid->part, separation.feature_a, b.solid->part, separation.feature_b};
    region.points = {{(separation.point_a + separation.point_b) / 2, separation.gap, region.label}};
    return region;
  }
  region.dimension = hull.dimension;
  if (hull.dimension == 2) region.arcs = overlap.arcs;
  for (const int i : hull.vertices) {
    const OverlapPoint& point = overlap.points[i];
    const double above = seen.above(point), below = seen.below(point);
    region.points.push_back({origin + chart.inverse(point.at, 0.5 * (above + below)), above - below,
                             label(point.a, point.b)});
  }
  if (region.dimension == 0) region.label = region.points.front().label;
  return region;
}

}  // namespace abut::contact
