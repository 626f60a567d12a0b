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

}  // namespace

std::vector<ContactRegion> entity_regions(const narrow::PairQuery& query, const model::Body& a,
                                          const model::Body& b, std::vector<ContactRegion> regions,
                                          double touching_distance) {
  if (!query.shape_a().has_cells() && !query.shape_b().has_cells()) return regions;
  CellNames names_a(query.shape_a(), a), names_b(query.shape_b(), b);
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
  return maximal;
}

}  // namespace abut::contact
