#include "contact/boundary_points.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "base/limits.h"
#include "contact/contact_side.h"
#include "contact/near_surface.h"
#include "narrow/mesh_cells.h"
#include "narrow/solid_id.h"
#include "toi/core.h"

namespace abut::contact {
namespace {

using narrow::MeshCells;
using narrow::Placed;
using narrow::Separation;
using narrow::Solid;
using narrow::SolidKind;

// Difference of unit vectors that are one normal: what a face of a metre is off by at the contact
// distance is less.
constexpr double own_normal = 1e-6;

// The sine of the angle by which a normal may be outside of those of the boundary: as well as
// nearest points tell it, from roundings of coordinates over the distance of the cores, within
// these limits (dimensionless).
constexpr double least_outside = 1e-9, most_outside = 1e-5;
constexpr double point_rounding = 64 * epsilon;

// Places are told apart beyond this multiple of the tolerance of regions.
constexpr double one_place = 4;

// Places are known to the tolerance, or as well as doubles tell: beside a corner that is nearer
// than the tolerance, an edge has normals that the corner does not. As parts of the tolerance, and
// roundings of coordinates relative to the size of the bodies (dimensionless).
constexpr double finer[] = {1, 1e-2, 0};
constexpr double place_rounding = 64 * epsilon;

// Angles between the normals of two faces: below the first they are one plane, above the second
// they are told apart by whoever watches what is held (contact/span.h), rad.
constexpr double one_plane = 1e-9, other_plane = 1e-3;

int part_of(const ContactRegion& region, int side) {
  return side == 0 ? region.label.part_a : region.label.part_b;
}

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
    return bodies_[side].shape->solid(part_of(region, side));
  }
  const MeshCells& cells(const ContactRegion& region, int side) const {
    return *bodies_[side].shape->solids()[narrow::part_of(part_of(region, side))].cells;
  }
  double near(const ContactRegion& region) const {
    return one_place * Tolerances(solid(region, 0), solid(region, 1), touching_).lateral;
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

  void leave_out(ContactRegion& region) const {
    const double within = near(region);
    for (int side = 0; side < 2; ++side) {
      const int part = part_of(region, side);
      if (!narrow::is_cell(part)) continue;
      const geometry::MeshBoundary& boundary = cells(region, side).boundary();
      const Vec3 n = outward(region, side);
      if ((n - boundary.normal(narrow::cell_of(part))).norm() <= own_normal) continue;
      const double rounding = solid(region, 0).rounding + solid(region, 1).rounding;
      const double size =
          boundary.radius() + (bodies_[0].pose.position - bodies_[1].pose.position).norm();
      std::erase_if(region.points, [&](const ContactPoint& point) {
        const double apart = std::max(point.gap + rounding, 0.0);
        const double outside = std::clamp(point_rounding * size / std::max(apart, 1e-300),
                                          least_outside, most_outside);
        const Vec3 x = place(region, point, side);
        return std::none_of(std::begin(finer), std::end(finer), [&](double part) {
          const double near = std::max(part * within, place_rounding * size);
          return boundary.is_normal_at(x, n, near, outside);
        });
      });
    }
  }

  // From b to a, those of the cell itself first.
  std::vector<Vec3> normals_beside(const ContactRegion& region) const {
    std::vector<Vec3> normals;
    for (const int side : {1, 0}) {
      if (!narrow::is_cell(part_of(region, side))) continue;
      const MeshCells& mesh = cells(region, side);
      const auto add = [&](const Vec3& in_mesh) {
        normals.emplace_back((side == 0 ? -1 : 1) *
                             (bodies_[side].pose.orientation * mesh.direction_in_body(in_mesh)));
      };
      add(mesh.boundary().normal(narrow::cell_of(part_of(region, side))));
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

double extent_along(const Placed& part, const Vec3& direction) {
  const auto& core = part.solid->core;
  const int v = core.support(part.rotation.transpose() * direction);
  return direction.dot(part * core.vertices()[v]) + part.solid->rounding;
}

// Whether the plane across the normal of a contact keeps two pieces that touch apart as well as
// their own does.
bool is_between(const Vec3& normal, const Separation& touch, const Placed& a, const Placed& b,
                double tolerance) {
  if (a.solid->kind == SolidKind::plane || b.solid->kind == SolidKind::plane)
    return (touch.normal - normal).norm() <= one_plane;
  return -extent_along(a, -normal) - extent_along(b, normal) >= touch.gap - tolerance;
}

// Whether who watches what is held takes the face of a cell for what it is.
bool is_told_apart(const Placed& piece, const Vec3& normal, bool is_rounded) {
  if (!narrow::is_cell(piece.solid->part)) return true;
  const Vec3 own = piece.rotation * piece.solid->core.faces().front().normal;
  const double angle = own.cross(normal).norm();
  return angle <= one_plane || (!is_rounded && angle >= other_plane);
}

bool is_flat(const Contact& contact) {
  return (contact.kind == GapKind::point_plane || contact.kind == GapKind::edge_edge) &&
         !contact.arc;
}

/// One side of the bodies, for guards of cells.
struct CellSide {
  Pose pose;    ///< of the body frame
  Pose motion;  ///< the motion frame in it
};

// What round parts touch at an edge or corner of a mesh they leave where they come to lie over any
// of the cells there, not only the one that was found first.
void guard_cell(const Placed& piece, const Feature& feature, int side, const CellSide& at,
                std::vector<Guard>& guards) {
  if (!narrow::is_cell(piece.solid->part)) return;
  const ContactSide made{piece.solid, at.pose, at.motion, feature, feature};
  if (feature.kind == FeatureKind::edge) made.guard_wedge(side, guards);
  if (feature.kind == FeatureKind::vertex) made.guard_point(side, {}, guards);
}

Pose motion_pose(const model::Body& body, const Pose& pose) {
  const Pose frame = toi::motion_frame(body);
  return {pose.position + pose.orientation * frame.position, pose.orientation * frame.orientation};
}

}  // namespace

std::vector<bool> leave_out_unfelt(const ShapeAt& a, const ShapeAt& b, double touching_distance,
                                   const TurnedRegion& turned,
                                   std::vector<ContactRegion>& regions) {
  Felt felt(a, b, touching_distance, turned, regions);
  std::vector<bool> kept;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const bool has_cell =
        narrow::is_cell(part_of(regions[i], 0)) || narrow::is_cell(part_of(regions[i], 1));
    kept.push_back(!has_cell || felt.look_at(i));
  }
  return kept;
}

void leave_out_repeated(double touching_distance, std::vector<ContactRegion>& regions) {
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), 0);
  // Large regions first.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return regions[x].dimension > regions[y].dimension;
  });
  const double within = std::min(touching_distance, 1e-9);
  std::vector<std::pair<Vec3, Vec3>> seen;  // places and normals
  for (const std::size_t i : order) {
    ContactRegion& region = regions[i];
    std::erase_if(region.points, [&](const ContactPoint& point) {
      const bool known = std::any_of(seen.begin(), seen.end(), [&](const auto& other) {
        return (other.first - point.position).norm() <= one_place * within &&
               (other.second - region.normal).norm() <= own_normal;
      });
      if (!known) seen.emplace_back(point.position, region.normal);
      return known;
    });
  }
  std::erase_if(regions, [](const ContactRegion& region) { return region.points.empty(); });
}

void hold_cells_beside(narrow::PairQuery& query, const model::Body& body_a, const Pose& pose_a,
                       const model::Body& body_b, const Pose& pose_b, double touching_distance,
                       std::vector<Contact>& contacts) {
  if (!query.shape_a().has_cells() && !query.shape_b().has_cells()) return;
  const Vec3 offset = pose_a.position - pose_b.position;
  std::vector<std::set<std::pair<int, int>>> held(contacts.size());
  std::vector<Vec3> places;
  for (const Contact& contact : contacts) {
    const body::RigidMotion a{motion_pose(body_a, pose_a)}, b{motion_pose(body_b, pose_b)};
    places.push_back(place_of(contact, evaluate(contact, a, b)));
  }
  for (const Separation& touch : query.separations_within(pose_a, pose_b, touching_distance)) {
    const Placed a = placed(query.shape_a().solid(touch.part_a), offset, pose_a.orientation);
    const Placed b = placed(query.shape_b().solid(touch.part_b), Vec3::Zero(), pose_b.orientation);
    // Of what need not be convex each contact tells of itself alone.
    if (!a.solid->is_convex() || !b.solid->is_convex()) continue;
    const double tolerance = Tolerances(*a.solid, *b.solid, touching_distance).height;
    const bool is_round =
        a.solid->rounding + b.solid->rounding > 0 || a.solid->surface || b.solid->surface;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      Contact& contact = contacts[i];
      const Vec3& normal = contact.first_normal;
      const std::pair<int, int> parts{touch.part_a, touch.part_b};
      if (parts == std::pair(contact.label.part_a, contact.label.part_b)) continue;
      const bool is_in_plane = is_flat(contact) && !a.solid->surface && !b.solid->surface &&
                               is_between(normal, touch, a, b, tolerance) &&
                               is_told_apart(a, normal, is_round) &&
                               is_told_apart(b, normal, is_round);
      const bool is_there = is_round && (touch.normal - normal).norm() <= own_normal &&
                            (0.5 * (touch.point_a + touch.point_b) - places[i]).norm() <=
                                one_place * touching_distance;
      if (!is_in_plane && !is_there) continue;
      held[i].insert(parts);
      if (is_in_plane) continue;
      guard_cell(a, touch.feature_a, 0, {pose_a, toi::motion_frame(body_a)}, contact.guards);
      guard_cell(b, touch.feature_b, 1, {pose_b, toi::motion_frame(body_b)}, contact.guards);
    }
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (held[i].empty()) continue;
    if (contacts[i].flush) held[i].insert(contacts[i].flush->begin(), contacts[i].flush->end());
    held[i].insert({contacts[i].label.part_a, contacts[i].label.part_b});
    contacts[i].flush = std::make_shared<const std::set<std::pair<int, int>>>(std::move(held[i]));
  }
}

}  // namespace abut::contact
