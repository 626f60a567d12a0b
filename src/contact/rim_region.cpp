#include "contact/rim_region.h"

#include <algorithm>

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

}  // namespace

ContactRegion rim_region(const Separation& separation, const Placed& a, const Placed& b,
                         const Vec3& origin, double touching_distance) {
  const Tolerances tolerances(*a.solid, *b.solid, touching_distance);
  const double extent = 2 * std::min(a.solid->bounding_radius(), b.solid->bounding_radius());
  const Vec3 normal = plane_normal(a, b, separation.normal, extent, tolerances.height);
  const Chart chart((separation.point_a + separation.point_b) / 2 - origin, normal);
  const FlatPatch patch_a = flat_patch(a, Side::lower, chart, extent, tolerances.height);
  const FlatPatch patch_b = flat_patch(b, Side::upper, chart, extent, tolerances.height);
  const Overlap overlap = overlap_of(patch_a, patch_b, tolerances);

  ContactRegion region;
  region.normal = normal;
  region.tolerance = tolerances.height;
  const auto label = [&](const Feature& of_a, const Feature& of_b) {
    return ContactLabel{a.solid->part, name_in(*a.solid, of_a), b.solid->part,
                        name_in(*b.solid, of_b)};
  };
  region.label = label(patch_a.feature, patch_b.feature);
  std::vector<Vec2> places;
  for (const OverlapPoint& point : overlap.points) places.push_back(point.at);
  const PlanarHull hull = planar_hull(places, 2 * tolerances.lateral);
  // Two points, neither of them flat, have the places that the narrow phase found.
  const bool both_points = patch_a.kind == PatchKind::point && patch_b.kind == PatchKind::point;
  if (overlap.points.empty() || both_points) {
    region.normal = separation.normal;
    region.label = {a.solid->part, separation.feature_a, b.solid->part, separation.feature_b};
    region.points = {{(separation.point_a + separation.point_b) / 2, separation.gap, region.label}};
    return region;
  }
  region.dimension = hull.dimension;
  if (hull.dimension == 2) region.arcs = overlap.arcs;
  for (const int i : hull.vertices) {
    const OverlapPoint& point = overlap.points[i];
    const double above = height_at(patch_a, point, point.a);
    const double below = height_at(patch_b, point, point.b);
    region.points.push_back({origin + chart.inverse(point.at, 0.5 * (above + below)), above - below,
                             label(point.a, point.b)});
  }
  if (region.dimension == 0) region.label = region.points.front().label;
  return region;
}

}  // namespace abut::contact
