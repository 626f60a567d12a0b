#include "contact/entity_regions.h"

#include <algorithm>
#include <map>
#include <memory>

#include "contact/cell_tolerances.h"
#include "contact/near_surface.h"
#include "contact/planar_hull.h"
#include "geometry/brep_entities.h"
#include "narrow/mesh_cells.h"
#include "narrow/solid_id.h"
#include "shape/flat_surface.h"

namespace abut::contact {
namespace {

using geometry::BrepEntities;

// Cosine beyond which a side of a mesh runs along a side of a cell: of two that leave a corner in
// one plane, roundings of coordinates turn neither by more.
constexpr double along_side = 1 - 1e-9;

// Names features of the cells of one body.
class CellNames {
 public:
  CellNames(const narrow::BodyShape& shape, const model::Body& body) : shape_(shape), body_(body) {}

  void rename(int& part, Feature& feature) {
    if (!narrow::is_cell(part)) return;
    const narrow::Solid& cell = shape_.solid(part);
    const int index = narrow::cell_of(part), whole = narrow::part_of(part);
    const geometry::MeshBoundary& boundary = shape_.solids()[whole].cells->boundary();
    const BrepEntities& solid = entities(whole);
    const std::span<const int> corners = boundary.corners(index);
    Where where{Locus::on_face, boundary.face_of(index)};
    if (feature.kind == FeatureKind::vertex) where = solid.where_of_point[corners[feature.index]];
    if (feature.kind == FeatureKind::edge)
      where = along(solid, corners[cell.core.edge_start(feature.index)],
                    corners[cell.core.edge_end(feature.index)], where);
    feature = {kind_of(where.locus), where.entity};
    part = whole;
  }

 private:
  static FeatureKind kind_of(Locus locus) {
    if (locus == Locus::on_vertex) return FeatureKind::vertex;
    return locus == Locus::on_edge ? FeatureKind::edge : FeatureKind::face;
  }

  const BrepEntities& entities(int part) {
    std::unique_ptr<const BrepEntities>& made = made_[part];
    if (!made)
      made = std::make_unique<const BrepEntities>(geometry::entities_of(
          *shape::flat_surface(body_.parts[static_cast<std::size_t>(part)].geometry)));
    return *made;
  }

  // What a side of a cell lies on: a cut, which no side of the mesh follows, on its face.
  static Where along(const BrepEntities& solid, int from, int to, const Where& face) {
    const Vec3 way = (solid.points[to] - solid.points[from]).normalized();
    for (std::size_t s = 0; s < solid.side_ends.size(); ++s) {
      const auto& [low, high] = solid.side_ends[s];
      if (low != from && high != from) continue;
      const Vec3 side = solid.points[low == from ? high : low] - solid.points[from];
      if (side.normalized().dot(way) >= along_side) return solid.where_of_side[s];
    }
    return face;
  }

  const narrow::BodyShape& shape_;
  const model::Body& body_;
  std::map<int, std::unique_ptr<const BrepEntities>> made_;
};

bool is_one_plane(const ContactRegion& x, const ContactRegion& y) {
  const Vec3 between = x.points.front().position - y.points.front().position;
  return (x.normal - y.normal).norm() <= own_normal &&
         std::abs(x.normal.dot(between)) <= x.touching;
}

// The points that span a region, in its plane.
void take_hull(ContactRegion& region) {
  const Chart chart(region.points.front().position, region.normal);
  std::vector<Vec2> places;
  for (const ContactPoint& point : region.points)
    places.emplace_back(chart(point.position).head<2>());
  const PlanarHull hull = planar_hull(places, region.touching);
  std::vector<ContactPoint> points;
  for (const int i : hull.vertices) points.push_back(region.points[static_cast<std::size_t>(i)]);
  region.points = std::move(points);
  region.dimension = hull.dimension;
}

// Whether a region lies in another one, or in its border.
bool is_within(const ContactRegion& small, const ContactRegion& large) {
  ContactRegion both = large;
  both.points.insert(both.points.end(), small.points.begin(), small.points.end());
  take_hull(both);
  const auto is_of_large = [&](const ContactPoint& x) {
    return std::any_of(large.points.begin(), large.points.end(), [&](const ContactPoint& y) {
      return (x.position - y.position).norm() <= large.touching;
    });
  };
  return is_one_plane(small, large) && both.dimension == large.dimension &&
         std::all_of(both.points.begin(), both.points.end(), is_of_large);
}

std::vector<ContactRegion> joined_by_name(std::vector<ContactRegion> regions) {
  std::vector<ContactRegion> joined;
  for (ContactRegion& region : regions) {
    const auto same = std::find_if(joined.begin(), joined.end(), [&](const ContactRegion& other) {
      return other.label == region.label && is_one_plane(other, region);
    });
    if (same == joined.end())
      joined.push_back(std::move(region));
    else
      same->points.insert(same->points.end(), region.points.begin(), region.points.end());
  }
  for (ContactRegion& region : joined) take_hull(region);
  return joined;
}

// The part of a convex polygon that lies to the left of a line, or to the right of it by no more
// than `slack` (m).
std::vector<Vec2> clipped(const std::vector<Vec2>& polygon, const Vec2& from, const Vec2& to,
                          double slack) {
  const Vec2 along = (to - from).normalized();
  std::vector<Vec2> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double of_p = cross(along, p - from) + slack, of_q = cross(along, q - from) + slack;
    if (of_p >= 0) kept.push_back(p);
    if ((of_p < 0) != (of_q < 0)) kept.emplace_back(p + of_p / (of_p - of_q) * (q - p));
  }
  return kept;
}

// Convex polygons that are let out by the touching distance overlap in less than this many of it
// where only their corners meet (dimensionless), unless the corners are very sharp.
constexpr double more_than_a_corner = 16;

// Whether areas in one plane have more than a corner in common.
bool share_a_side(const ContactRegion& x, const ContactRegion& y) {
  const Chart chart(x.points.front().position, x.normal);
  std::vector<Vec2> common, border;
  for (const ContactPoint& point : x.points) common.emplace_back(chart(point.position).head<2>());
  for (const ContactPoint& point : y.points) border.emplace_back(chart(point.position).head<2>());
  for (std::size_t i = 0; i < border.size(); ++i)
    common = clipped(common, border[i], border[(i + 1) % border.size()], x.touching);
  return planar_hull(common, more_than_a_corner * x.touching).dimension > 0;
}

// Whether segments lie on one line and have at least an end in common.
bool share_an_end(const ContactRegion& x, const ContactRegion& y) {
  ContactRegion both = x;
  both.points.insert(both.points.end(), y.points.begin(), y.points.end());
  take_hull(both);
  const auto length = [](const ContactRegion& region) {
    return (region.points.back().position - region.points.front().position).norm();
  };
  return both.dimension == 1 && length(both) <= length(x) + length(y) + 2 * x.touching;
}

// Faces of flush parts that share an edge are one face: whether regions are of one contact of it.
bool are_flush(const ContactRegion& x, const ContactRegion& y) {
  const bool same_parts = x.label.part_a == y.label.part_a && x.label.part_b == y.label.part_b;
  if (same_parts || x.dimension != y.dimension || x.dimension == 0) return false;
  if (!x.arcs.empty() || !y.arcs.empty() || !is_one_plane(x, y)) return false;
  return x.dimension == 2 ? share_a_side(x, y) : share_an_end(x, y);
}

// A region for every set of regions that hang together across seams, named by the first of them.
std::vector<ContactRegion> joined_over_seams(const std::vector<ContactRegion>& regions) {
  std::vector<ContactRegion> joined;
  std::vector<bool> is_taken(regions.size(), false);
  for (std::size_t first = 0; first < regions.size(); ++first) {
    if (is_taken[first]) continue;
    std::vector<std::size_t> members{first};
    is_taken[first] = true;
    ContactRegion whole = regions[first];
    for (std::size_t m = 0; m < members.size(); ++m)
      for (std::size_t i = first + 1; i < regions.size(); ++i) {
        if (is_taken[i] || !are_flush(regions[members[m]], regions[i])) continue;
        is_taken[i] = true;
        members.push_back(i);
        whole.points.insert(whole.points.end(), regions[i].points.begin(), regions[i].points.end());
      }
    if (members.size() > 1) take_hull(whole);
    joined.push_back(std::move(whole));
  }
  return joined;
}

}  // namespace

std::vector<ContactRegion> entity_regions(const narrow::PairQuery& query, const model::Body& a,
                                          const model::Body& b, std::vector<ContactRegion> regions,
                                          double touching_distance) {
  const narrow::BodyShape &shape_a = query.shape_a(), &shape_b = query.shape_b();
  if (!shape_a.has_cells() && !shape_b.has_cells()) {
    const bool has_seams = shape_a.solids().size() > 1 || shape_b.solids().size() > 1;
    return has_seams ? joined_over_seams(regions) : regions;
  }
  CellNames names_a(shape_a, a), names_b(shape_b, b);
  const auto rename = [&](ContactLabel& label) {
    names_a.rename(label.part_a, label.a);
    names_b.rename(label.part_b, label.b);
  };
  for (ContactRegion& region : regions) {
    region.touching = touching_distance;
    rename(region.label);
    for (ContactPoint& point : region.points) rename(point.label);
  }
  std::vector<ContactRegion> all = joined_by_name(std::move(regions));
  std::stable_sort(all.begin(), all.end(), [](const ContactRegion& x, const ContactRegion& y) {
    return x.dimension > y.dimension;
  });
  std::vector<ContactRegion> maximal;
  for (ContactRegion& region : all)
    if (std::none_of(maximal.begin(), maximal.end(),
                     [&](const ContactRegion& larger) { return is_within(region, larger); }))
      maximal.push_back(std::move(region));
  return joined_over_seams(maximal);
}

}  // namespace abut::contact
