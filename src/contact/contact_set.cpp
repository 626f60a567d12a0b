#include "contact/contact_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "contact/boundary_points.h"
#include "contact/candidates.h"
#include "contact/hidden_points.h"
#include "contact/near_surface.h"
#include "contact/planar_hull.h"
#include "contact/region_label.h"
#include "contact/regions_ahead.h"
#include "contact/rim_region.h"
#include "narrow/ring_points.h"
#include "narrow/solid_id.h"

namespace abut::contact {
namespace {

using narrow::Placed;
using narrow::Separation;

int dimension_of(const Feature& feature) {
  return static_cast<int>(feature.kind);
}

/// Small features first: where places coincide, the corner tells more than the edge it ends.
bool comes_first(const Candidate& x, const Candidate& y) {
  const auto rank = [](const Candidate& c) {
    return std::tuple(dimension_of(c.a) + dimension_of(c.b), c.a.kind, c.a.index, c.b.index);
  };
  return rank(x) < rank(y);
}

/// Where nothing faces anything, as with two needles point to point, the nearest points remain.
Candidate witness_of(const Separation& separation, const Chart& chart, const Vec3& origin) {
  const Vec3 at = chart((separation.point_a + separation.point_b) / 2 - origin);
  return {at.head<2>(), at.z(), separation.gap, separation.feature_a, separation.feature_b};
}

/// Two parts that touch.
struct Touch {
  Separation separation;
  Placed a;
  Placed b;
};

/// A strictly convex part touches at a point, which the narrow phase has found, whatever it
/// touches, save a cylinder or cone; rings and bowls at points that it has found one by one.
ContactRegion curved_region(const Touch& touch) {
  const auto& [separation, a, b] = touch;
  ContactRegion region;
  region.normal = separation.normal;
  region.label = {a.solid->part, separation.feature_a, b.solid->part, separation.feature_b};
  region.points.push_back(
      {(separation.point_a + separation.point_b) / 2, separation.gap, region.label});
  return region;
}

bool is_curved(const narrow::Solid& solid) {
  return solid.surface || solid.kind == narrow::SolidKind::ring;
}

/// The gap at a place of two bodies that are held at the vertices of a hull: linear between these,
/// in two dimensions over the triangle of a fan that the place is in, or nearest to.
double held_gap(const std::vector<Candidate>& candidates, const PlanarHull& hull, const Vec2& at) {
  const auto vertex = [&](std::size_t i) -> const Candidate& {
    return candidates[hull.vertices[i]];
  };
  const Candidate& first = vertex(0);
  if (hull.dimension == 0) return first.gap;
  const Vec2 to = at - first.at;
  if (hull.dimension == 1) {
    const Vec2 along = vertex(1).at - first.at;
    const double t = std::clamp(to.dot(along) / along.squaredNorm(), 0.0, 1.0);
    return first.gap + t * (vertex(1).gap - first.gap);
  }
  double gap = first.gap, deepest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i + 1 < hull.vertices.size(); ++i) {
    const Vec2 p = vertex(i).at - first.at, q = vertex(i + 1).at - first.at;
    const double s = cross(to, q) / cross(p, q), t = cross(p, to) / cross(p, q);
    const double depth = std::min({s, t, 1 - s - t});
    if (!(depth > deepest)) continue;
    deepest = depth;
    gap = first.gap + s * (vertex(i).gap - first.gap) + t * (vertex(i + 1).gap - first.gap);
  }
  return gap;
}

/// The hull's vertices hold the other candidates off. Those that are nearer than they are held, by
/// more than the sag, stand beside them, and in place of one that is at their place: each of the
/// two may be off by what is `same`.
void hold_what_is_nearer(const std::vector<Candidate>& candidates, double same, double sag,
                         PlanarHull& hull) {
  std::vector<int> told = hull.vertices;
  for (int i = 0; i < static_cast<int>(candidates.size()); ++i) {
    const Candidate& one = candidates[i];
    if (one.gap >= held_gap(candidates, hull, one.at) - sag) continue;
    const auto at_its_place = std::find_if(told.begin(), told.end(), [&](int k) {
      return (candidates[k].at - one.at).norm() <= 2 * same;
    });
    if (at_its_place == told.end())
      told.push_back(i);
    else if (one.gap < candidates[*at_its_place].gap)
      *at_its_place = i;
  }
  hull.vertices = std::move(told);
}

/// Where nobody asks which of several regions is the larger one, only the points of one matter, and
/// the parts that they are of.
enum class Needs { all, points };

/// `origin` is that of the frame in which the parts are placed.
ContactRegion region_of(const Touch& touch, const Vec3& origin, double touching_distance,
                        RegionPoints points, Needs needs = Needs::all) {
  const auto& [separation, a, b] = touch;
  if (!a.solid->is_convex() || !b.solid->is_convex()) return curved_region(touch);
  if (a.solid->has_rims() || b.solid->has_rims())
    return rim_region(separation, a, b, origin, touching_distance);
  if (is_curved(*a.solid) || is_curved(*b.solid)) return curved_region(touch);
  const Chart chart((separation.point_a + separation.point_b) / 2 - origin, separation.normal);
  const Tolerances tolerances(*a.solid, *b.solid, touching_distance);
  // Parts that overlap share a slab as thick as they are deep: only what is in it is within both.
  const bool all = points != RegionPoints::hull;
  Tolerances reach = tolerances;
  if (all) reach.height += std::max(0.0, -separation.gap);
  if (points == RegionPoints::reachable) reach.height = std::max(reach.height, touching_distance);
  const NearSurface near_a(a, Side::lower, chart, reach);
  const NearSurface near_b(b, Side::upper, chart, reach);
  const double largest_gap = all ? touching_distance : separation.gap + tolerances.height;
  std::vector<Candidate> candidates = find_candidates(near_a, near_b, largest_gap, tolerances);
  if (candidates.empty()) candidates.push_back(witness_of(separation, chart, origin));
  if (!all && a.solid->rounding + b.solid->rounding > 0)
    leave_crossing_alone(candidates, tolerances.sag());
  std::stable_sort(candidates.begin(), candidates.end(), comes_first);

  std::vector<Vec2> places;
  places.reserve(candidates.size());
  for (const Candidate& c : candidates) places.push_back(c.at);
  ContactRegion region;
  region.normal = separation.normal;
  // Two candidates at one place are each off by the tolerance at most.
  const double same = 2 * tolerances.lateral;
  std::vector<int> told;
  if (needs == Needs::points && all) {
    told = distinct(places, same);
    region.label.part_a = a.solid->part;
    region.label.part_b = b.solid->part;
  } else {
    PlanarHull hull = planar_hull(places, same);
    if (!all) hold_what_is_nearer(candidates, same, tolerances.sag(), hull);
    region.dimension = hull.dimension;
    region.label = region_label(candidates, hull, *a.solid, *b.solid);
    told = all ? distinct(places, same) : std::move(hull.vertices);
  }
  for (const int i : told) {
    const Candidate& c = candidates[i];
    region.points.push_back(
        {origin + chart.inverse(c.at, c.height),
         c.gap,
         {a.solid->part, name_in(*a.solid, c.a), b.solid->part, name_in(*b.solid, c.b)}});
  }
  return region;
}

double extent(const Placed& part, const Vec3& direction) {
  const auto& core = part.solid->core;
  const int v = core.support(part.rotation.transpose() * direction);
  return direction.dot(part * core.vertices()[v]) + part.solid->rounding;
}

/// By how much a plane of this normal separates the parts. Precondition: neither is a plane.
double gap_along(const Vec3& normal, const Placed& a, const Placed& b) {
  return -extent(a, -normal) - extent(b, normal);
}

/// Whether a plane of this normal separates two parts with corners as well as the one between them.
bool separates(const Vec3& normal, const Touch& touch, double touching_distance) {
  using narrow::SolidKind;
  const auto& [separation, a, b] = touch;
  if (a.solid->kind == SolidKind::plane || b.solid->kind == SolidKind::plane) return false;
  if (is_curved(*a.solid) || is_curved(*b.solid)) return false;
  const Tolerances tolerances(*a.solid, *b.solid, touching_distance);
  return gap_along(normal, a, b) >= separation.gap - tolerances.height;
}

/// Edges that touch each other all along are separated by every normal between those of their
/// faces. A box that stands above the edge of another one, its side flush with that one's, would be
/// held sideways, where nothing is in the way. So a point or an edge takes over the normal of a
/// larger region of the same bodies if that separates its parts as well, and keeps its own if not,
/// as at a wall.
const ContactRegion* larger_neighbour(const std::vector<ContactRegion>& regions, std::size_t index,
                                      const Touch& touch, double touching_distance) {
  const ContactRegion* best = nullptr;
  int dimension = regions[index].dimension;
  for (const ContactRegion& other : regions) {
    if (other.dimension <= dimension) continue;
    if (!separates(other.normal, touch, touching_distance)) continue;
    best = &other;
    dimension = other.dimension;
  }
  return best;
}

/// Normals that differ by less are one (dimensionless): those of a ring that lies flat are equal.
constexpr double same_normal = 1e-9;

/// A ring that lies flat on a plane, all around: points can be added to it anywhere.
void add_whole_circle(const Touch& touch, ContactRegion& region) {
  if (static_cast<int>(region.points.size()) != narrow::even_ring_points) return;
  const auto lies_on = [](const narrow::Solid& ring, const Feature& feature) {
    return ring.kind == narrow::SolidKind::ring && feature.kind == FeatureKind::face;
  };
  for (const int side : {0, 1}) {
    const narrow::Solid& ring = *(side == 0 ? touch.a : touch.b).solid;
    const bool all_on_plane =
        std::all_of(region.points.begin(), region.points.end(), [&](const ContactPoint& point) {
          return lies_on(ring, side == 0 ? point.label.b : point.label.a);
        });
    if (!all_on_plane) continue;
    region.arcs = {{side, 0, 0, 2 * M_PI}};
    region.tolerance = narrow::circle_tolerance(ring.rounding, region.touching);
  }
}

/// Points of one circle that lie on one plane are one region, in the order of their angles.
void merge_circles(std::vector<Touch>& touches, std::vector<ContactRegion>& regions) {
  const auto is_point = [](const narrow::Solid& solid, const Feature& feature) {
    return solid.kind == narrow::SolidKind::ring && feature.kind == FeatureKind::vertex;
  };
  const auto continues = [&](std::size_t i) {
    const ContactRegion &one = regions[i - 1], &next = regions[i];
    const bool on_a =
        is_point(*touches[i].a.solid, one.label.a) && is_point(*touches[i].a.solid, next.label.a);
    const bool on_b =
        is_point(*touches[i].b.solid, one.label.b) && is_point(*touches[i].b.solid, next.label.b);
    return (on_a || on_b) && one.label.part_a == next.label.part_a &&
           one.label.part_b == next.label.part_b && (one.normal - next.normal).norm() < same_normal;
  };
  for (std::size_t i = regions.size(); i-- > 1;) {
    if (!continues(i)) continue;
    ContactRegion& one = regions[i - 1];
    one.points.insert(one.points.end(), regions[i].points.begin(), regions[i].points.end());
    one.dimension = std::min<int>(2, static_cast<int>(one.points.size()) - 1);
    regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(i));
    touches.erase(touches.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    ContactRegion& region = regions[i];
    if (region.points.size() < 3) continue;
    add_whole_circle(touches[i], region);
    const Vec3 first = region.points[1].position - region.points[0].position;
    const Vec3 second = region.points[2].position - region.points[1].position;
    if (first.cross(second).dot(region.normal) < 0)
      std::reverse(region.points.begin(), region.points.end());
  }
}

template <class Item>
void keep(const std::vector<bool>& which, std::vector<Item>& items) {
  std::size_t i = 0;
  std::erase_if(items, [&](const Item&) { return !which[i++]; });
}

/// Several places of the same two parts: from the middle of the others to each.
void set_apart(std::vector<ContactRegion>& regions) {
  const auto same_parts = [](const ContactRegion& x, const ContactRegion& y) {
    return x.label.part_a == y.label.part_a && x.label.part_b == y.label.part_b;
  };
  for (ContactRegion& one : regions) {
    Vec3 sum = Vec3::Zero();
    int others = 0;
    for (const ContactRegion& other : regions) {
      if (&other == &one || !same_parts(one, other)) continue;
      sum += other.points.front().position;
      ++others;
    }
    if (others > 0) one.apart = one.points.front().position - sum / others;
  }
}

}  // namespace

std::strong_ordering operator<=>(const ContactLabel& x, const ContactLabel& y) {
  const auto key = [](const ContactLabel& l) {
    return std::tuple(l.part_a, l.part_b, l.a.kind, l.a.index, l.b.kind, l.b.index);
  };
  return key(x) <=> key(y);
}

namespace {

// How far from a part a place may be that counts as held by it, as a part of the touching distance
// (dimensionless): a quarter of the gap at which contacts rest. What is left out for a part is
// nearer than that by no more than this.
constexpr double seam_width = 0.05;

std::vector<ContactRegion> regions_of(const ShapeAt& at_a, const ShapeAt& at_b,
                                      const std::vector<Separation>& separations,
                                      double touching_distance, RegionPoints points, double seam) {
  const Pose &pose_a = at_a.pose, &pose_b = at_b.pose;
  // As in the query: relative to b, so that bodies far from the origin lose no accuracy.
  const Vec3 offset = pose_a.position - pose_b.position;
  std::vector<Touch> touches;
  std::vector<ContactRegion> regions;
  const bool has_cells = at_a.shape->has_cells() || at_b.shape->has_cells();
  const bool is_alone = separations.size() == 1 && !has_cells;
  const Needs needs = is_alone && points == RegionPoints::reachable ? Needs::points : Needs::all;
  for (const Separation& s : separations) {
    if (s.part_a < 0) continue;  // bodies that are nowhere: whoever moves them tells
    touches.push_back({s, placed(at_a.shape->solid(s.part_a), offset, pose_a.orientation),
                       placed(at_b.shape->solid(s.part_b), Vec3::Zero(), pose_b.orientation)});
    regions.push_back(region_of(touches.back(), pose_b.position, touching_distance, points, needs));
    regions.back().touching = touching_distance;
  }
  merge_circles(touches, regions);
  set_apart(regions);
  const auto turned = [&](std::size_t i, const Vec3& normal) {
    Touch touch = touches[i];
    touch.separation.normal = normal;
    touch.separation.gap = gap_along(normal, touch.a, touch.b);
    return region_of(touch, pose_b.position, touching_distance, points);
  };
  const TurnedRegion turned_if_apart = [&](std::size_t i,
                                           const Vec3& normal) -> std::optional<ContactRegion> {
    // Rounded parts have one normal wherever they touch.
    const Touch& touch = touches[i];
    if (touch.a.solid->rounding + touch.b.solid->rounding > 0) return std::nullopt;
    if (!separates(normal, touch, touching_distance)) return std::nullopt;
    return turned(i, normal);
  };
  if (has_cells) {
    const std::vector<bool> felt =
        leave_out_unfelt(at_a, at_b, touching_distance, turned_if_apart, regions);
    keep(felt, touches);
    keep(felt, regions);
  }
  if (regions.size() > 1) {
    const std::vector<ContactRegion> found = regions;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (const ContactRegion* larger = larger_neighbour(found, i, touches[i], touching_distance))
        regions[i] = turned(i, larger->normal);
  }
  // Parts that are apart have one normal.
  const TurnedRegion never = [](std::size_t, const Vec3&) { return std::nullopt; };
  if (points != RegionPoints::all_within)
    leave_out_hidden(at_a, at_b, seam, points == RegionPoints::hull ? turned_if_apart : never,
                     regions);
  if (has_cells) {
    // Contacts of flat parts are reduced later, where they are the vertices of a hull.
    const RepeatedPlaces places = repeated_places(at_a, at_b, touching_distance);
    if (places.is_smooth || points != RegionPoints::hull)
      leave_out_repeated(places, separations, regions);
  }
  return regions;
}

}  // namespace

std::vector<ContactRegion> find_regions(narrow::PairQuery& query, const Pose& pose_a,
                                        const Pose& pose_b, double touching_distance,
                                        RegionPoints points) {
  return regions_of({&query.shape_a(), pose_a}, {&query.shape_b(), pose_b},
                    query.separations_within(pose_a, pose_b, touching_distance), touching_distance,
                    points, seam_width * touching_distance);
}

std::vector<ContactRegion> find_reachable_regions(narrow::PairQuery& query, const Pose& pose_a,
                                                  const Pose& pose_b, double reach, double seam) {
  return regions_of({&query.shape_a(), pose_a}, {&query.shape_b(), pose_b},
                    query.separations_within(pose_a, pose_b, reach), reach, RegionPoints::reachable,
                    seam);
}

std::vector<ContactRegion> find_regions_ahead(narrow::AheadQuery& query, const Pose& pose_a,
                                              const Pose& pose_b, const narrow::Ahead& ahead,
                                              double seam) {
  const narrow::AheadQuery::Found found = query.separations(pose_a, pose_b, ahead);
  return regions_of({&query.shape_a(), pose_a}, {&query.shape_b(), pose_b}, found.separations,
                    found.reach, RegionPoints::reachable, seam);
}

namespace {

ContactFeature recorded(int part, const Feature& feature) {
  using Kind = ContactFeature::Kind;
  switch (feature.kind) {
    case FeatureKind::vertex:
      return {part, Kind::vertex, feature.index};
    case FeatureKind::edge:
      return {part, Kind::edge, feature.index};
    case FeatureKind::face:
      return {part, Kind::face, feature.index};
    case FeatureKind::rim_place:
      return {part, Kind::edge, feature.index / geometry::places_per_rim};
    case FeatureKind::smooth:
      break;
  }
  return {part, Kind::smooth, feature.index};
}

}  // namespace

ContactFeature recorded_a(const ContactLabel& label) {
  return recorded(narrow::part_of(label.part_a), label.a);
}

ContactFeature recorded_b(const ContactLabel& label) {
  return recorded(narrow::part_of(label.part_b), label.b);
}

std::string name_of(const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::vertex:
      return fmt::format("vertex {}", feature.index + 1);
    case FeatureKind::edge:
      return fmt::format("edge {}", feature.index + 1);
    case FeatureKind::face:
      return fmt::format("face {}", feature.index + 1);
    case FeatureKind::rim_place:
      return fmt::format("place {} of rim {}", feature.index % geometry::places_per_rim + 1,
                         feature.index / geometry::places_per_rim + 1);
    case FeatureKind::smooth:
      break;
  }
  return feature.index == 0 ? "surface" : fmt::format("cap {}", feature.index);
}

}  // namespace abut::contact
