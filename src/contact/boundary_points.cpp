#include "contact/boundary_points.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/limits.h"
#include "contact/cell_tolerances.h"
#include "contact/near_surface.h"
#include "narrow/mesh_cells.h"
#include "narrow/solid_id.h"

namespace abut::contact {
namespace {

using narrow::MeshCells;
using narrow::Solid;
using narrow::SolidKind;

// The sine of the angle by which a normal may be outside of those of the boundary: as well as
// nearest points tell it, from roundings of coordinates over the distance of the cores, within
// these limits (dimensionless).
constexpr double least_outside = 1e-9, most_outside = 1e-5;

// Places are known to the tolerance, or as well as doubles tell: beside a corner that is nearer
// than the tolerance, an edge has normals that the corner does not. As parts of the tolerance, and
// roundings of coordinates relative to the size of the bodies (dimensionless).
constexpr double finer[] = {1, 1e-2, 0};
constexpr double place_rounding = 64 * epsilon;

class Felt {
 public:
  Felt(const ShapeAt& a, const ShapeAt& b, double touching_distance, const TurnedRegion& turned,
       std::vector<ContactRegion>& regions)
      : bodies_{a, b}, touching_(touching_distance), turned_(turned), regions_(regions) {}

  bool look_at(std::size_t index) {
    ContactRegion& region = regions_[index];
    const ContactRegion whole = region;
    leave_out(region);
    if (!region.points.empty()) return true;
    for (const Vec3& normal : normals_beside(whole)) {
      std::optional<ContactRegion> other = turned_(index, normal);
      if (!other) continue;
      leave_out(*other);
      if (other->points.empty()) continue;
      region = std::move(*other);
      return true;
    }
    return false;
  }

 private:
  const Solid& solid(const ContactRegion& region, int side) const {
    return bodies_[side].shape->solid(region.label.part(side));
  }
  const MeshCells& cells(const ContactRegion& region, int side) const {
    return *bodies_[side].shape->solids()[narrow::part_of(region.label.part(side))].cells;
  }
  double near(const ContactRegion& region) const {
    return same_place * Tolerances(solid(region, 0), solid(region, 1), touching_).lateral;
  }
  Vec3 outward(const ContactRegion& region, int side) const {
    const Vec3 in_body =
        bodies_[side].pose.orientation.conjugate() * Vec3((side == 0 ? -1 : 1) * region.normal);
    return cells(region, side).direction_in_mesh(in_body);
  }
  Vec3 place(const ContactRegion& region, const ContactPoint& point, int side) const {
    const Pose& pose = bodies_[side].pose;
    const Vec3 on_surface = point.position + (side == 0 ? 0.5 : -0.5) * point.gap * region.normal;
    return cells(region, side)
        .point_in_mesh(pose.orientation.conjugate() * (on_surface - pose.position));
  }

  // The size of the parts whose nearest points tell the normal, m: of curved ones not the gap.
  static double radius(const Solid& solid) {
    return solid.surface ? solid.surface->inner_radius() : solid.rounding;
  }

  // Along its own normal a cell touches corners with its face, on its border too: an edge has no
  // plane that it carries along.
  static void name_face(ContactRegion& region, int side) {
    const Feature face{FeatureKind::face, 0};
    const auto name = [&](ContactLabel& label) {
      Feature &own = side == 0 ? label.a : label.b, &other = side == 0 ? label.b : label.a;
      const bool is_pointed =
          other.kind == FeatureKind::vertex || other.kind == FeatureKind::smooth;
      if (is_pointed && own.kind != FeatureKind::smooth) own = face;
    };
    name(region.label);
    for (ContactPoint& point : region.points) name(point.label);
  }

  // Of a place at a corner of the cell, up to the tolerance: those next to it on the edges of the
  // cell that end there. At a reflex corner of a face something may touch either edge, though
  // nothing can touch the corner.
  static std::vector<Vec3> places_on_edges(const geometry::MeshBoundary& boundary, int cell,
                                           const Vec3& x, double within) {
    const std::span<const int> corners = boundary.corners(cell);
    std::vector<Vec3> places;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vec3& corner = boundary.vertex(corners[i]);
      if ((corner - x).norm() > within) continue;
      for (const std::size_t step : {std::size_t{1}, corners.size() - 1}) {
        const Vec3 edge = boundary.vertex(corners[(i + step) % corners.size()]) - corner;
        places.emplace_back(corner + std::min(within / edge.norm(), 0.5) * edge);
      }
    }
    return places;
  }

  void leave_out(ContactRegion& region) const {
    const double within = near(region);
    for (int side = 0; side < 2; ++side) {
      const int part = region.label.part(side);
      if (!narrow::is_cell(part)) continue;
      const geometry::MeshBoundary& boundary = cells(region, side).boundary();
      const Vec3 n = outward(region, side);
      if ((n - boundary.normal(narrow::cell_of(part))).norm() <= own_normal) {
        name_face(region, side);
        continue;
      }
      const double rounding = radius(solid(region, 0)) + radius(solid(region, 1));
      const double size =
          boundary.radius() + (bodies_[0].pose.position - bodies_[1].pose.position).norm();
      std::erase_if(region.points, [&](const ContactPoint& point) {
        const double apart = std::max(point.gap + rounding, 0.0);
        const double outside = std::clamp(point_rounding * size / std::max(apart, 1e-300),
                                          least_outside, most_outside);
        const Vec3 x = place(region, point, side);
        const double finest = place_rounding * size;
        const bool is_felt = std::any_of(std::begin(finer), std::end(finer), [&](double fraction) {
          return boundary.is_normal_at(x, n, std::max(fraction * within, finest), outside);
        });
        if (is_felt) return false;
        const std::vector<Vec3> beside =
            places_on_edges(boundary, narrow::cell_of(part), x, within);
        return std::none_of(beside.begin(), beside.end(), [&](const Vec3& place) {
          return boundary.is_normal_at(place, n, finest, outside);
        });
      });
    }
  }

  // From b to a, those of the cell itself first.
  std::vector<Vec3> normals_beside(const ContactRegion& region) const {
    std::vector<Vec3> normals;
    for (const int side : {1, 0}) {
      if (!narrow::is_cell(region.label.part(side))) continue;
      const MeshCells& mesh = cells(region, side);
      const auto add = [&](const Vec3& in_mesh) {
        normals.emplace_back((side == 0 ? -1 : 1) *
                             (bodies_[side].pose.orientation * mesh.direction_in_body(in_mesh)));
      };
      add(mesh.boundary().normal(narrow::cell_of(region.label.part(side))));
      for (const Vec3& n :
           mesh.boundary().normals_at(place(region, region.points.front(), side), near(region)))
        add(n);
    }
    return normals;
  }

  ShapeAt bodies_[2];
  double touching_;
  const TurnedRegion& turned_;
  std::vector<ContactRegion>& regions_;
};

// How well a region lies within its features: on faces 0, on an edge or corner 1, beside a face 2.
int rank_of(const ContactRegion& region, const std::vector<narrow::Separation>& separations) {
  const auto found =
      std::find_if(separations.begin(), separations.end(), [&](const narrow::Separation& s) {
        return s.part_a == region.label.part_a && s.part_b == region.label.part_b;
      });
  if (found == separations.end()) return 0;
  int rank = 0;
  for (int side = 0; side < 2; ++side) {
    if (!narrow::is_cell(region.label.part(side))) continue;
    const Feature& nearest = side == 0 ? found->feature_a : found->feature_b;
    const Feature& named = side == 0 ? region.label.a : region.label.b;
    if (nearest.kind == FeatureKind::face) continue;
    rank = std::max(rank, named.kind == FeatureKind::face ? 2 : 1);
  }
  return rank;
}

}  // namespace

std::vector<bool> leave_out_unfelt(const ShapeAt& a, const ShapeAt& b, double touching_distance,
                                   const TurnedRegion& turned,
                                   std::vector<ContactRegion>& regions) {
  Felt felt(a, b, touching_distance, turned, regions);
  std::vector<bool> kept;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const bool has_cell =
        narrow::is_cell(regions[i].label.part(0)) || narrow::is_cell(regions[i].label.part(1));
    kept.push_back(!has_cell || felt.look_at(i));
  }
  return kept;
}

void leave_out_repeated(const RepeatedPlaces& places,
                        const std::vector<narrow::Separation>& separations,
                        std::vector<ContactRegion>& regions) {
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> ranks;
  ranks.reserve(regions.size());
  for (const ContactRegion& region : regions) ranks.push_back(rank_of(region, separations));
  // Large regions first.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return std::pair(-regions[x].dimension, ranks[x]) < std::pair(-regions[y].dimension, ranks[y]);
  });
  std::vector<std::pair<Vec3, Vec3>> seen;  // places and normals
  for (const std::size_t i : order) {
    ContactRegion& region = regions[i];
    std::erase_if(region.points, [&](const ContactPoint& point) {
      const bool known = std::any_of(seen.begin(), seen.end(), [&](const auto& other) {
        return (other.first - point.position).norm() <= places.distance &&
               (other.second - region.normal).norm() <= places.turn;
      });
      if (!known) seen.emplace_back(point.position, region.normal);
      return known;
    });
  }
  std::erase_if(regions, [](const ContactRegion& region) { return region.points.empty(); });
}

RepeatedPlaces repeated_places(const ShapeAt& a, const ShapeAt& b, double touching_distance) {
  const auto smooth_size = [](const ShapeAt& body) {
    double size = infinity;
    for (const Solid& solid : body.shape->solids())
      if (solid.surface || solid.kind == SolidKind::ring)
        size = std::min(size, solid.bounding_radius());
    return size;
  };
  const double size = std::min(smooth_size(a), smooth_size(b));
  if (size < infinity) return {same_curved_place * size, same_curved_normal, true};
  return {same_place * std::min(touching_distance, 1e-9), own_normal, false};
}

}  // namespace abut::contact
