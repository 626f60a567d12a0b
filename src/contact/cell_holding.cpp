#include "contact/cell_holding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "contact/cell_feature.h"
#include "contact/cell_tolerances.h"
#include "contact/contact_side.h"
#include "narrow/solid_id.h"
#include "toi/core.h"

namespace abut::contact {
namespace {

using narrow::Placed;
using narrow::Separation;
using narrow::Solid;
using narrow::SolidKind;

// How far a piece may reach through the plane that holds it, as a part of the touching distance
// (dimensionless): a tenth of the rest gap.
constexpr double held_height = 0.02;

// Angles between the normals of two faces: below the first they are one plane, above the second
// they are told apart by whoever watches what is held (contact/span.h), rad.
constexpr double one_plane = 1e-9, other_plane = 1e-3;

/// A contact where it is now, relative to the second body.
struct PlaceNow {
  Vec3 normal;
  Vec3 points[2];  ///< of the surfaces
};

double extent_along(const Placed& part, const Vec3& direction) {
  if (part.solid->surface)
    return direction.dot(part.position) +
           part.solid->surface->height(part.rotation.transpose() * direction);
  const auto& core = part.solid->core;
  const int v = core.support(part.rotation.transpose() * direction);
  return direction.dot(part * core.vertices()[v]) + part.solid->rounding;
}

// Whether the plane of a contact lies between two pieces that touch: nothing of one is above its
// point of the contact, and nothing of the other below its own.
bool is_between(const PlaceNow& contact, const Separation& touch, const Placed& a, const Placed& b,
                double tolerance) {
  const Vec3& n = contact.normal;
  const bool is_plane_a = a.solid->kind == SolidKind::plane;
  const bool is_plane_b = b.solid->kind == SolidKind::plane;
  if ((is_plane_a || is_plane_b) && (touch.normal - n).norm() > one_plane) return false;
  return (is_plane_a || -extent_along(a, -n) >= n.dot(contact.points[0]) - tolerance) &&
         (is_plane_b || extent_along(b, n) <= n.dot(contact.points[1]) + tolerance);
}

// Whether two contacts lie in one plane, on both bodies.
bool are_coplanar(const PlaceNow& one, const PlaceNow& other, double tolerance) {
  const auto is_level = [&](int side) {
    return std::abs(one.normal.dot(other.points[side] - one.points[side])) <= tolerance;
  };
  return (one.normal - other.normal).norm() <= own_normal && is_level(0) && is_level(1);
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

// The straight line of the side of a cylinder or cone that touches, in the world; or nothing.
std::vector<Vec3> line_of(const ContactSide& other, const Vec3& normal) {
  if (other.element() != Element::lines) return {};
  return {other.direction_to_world(other.straight_line(other.direction_from_world(normal)))};
}

/// Which contacts hold which pairs of cells. Those in one plane hold a pair together: what they
/// span keeps its height above the plane. Contacts in several planes would not.
class Holding {
 public:
  Holding(const CellSide (&sides)[2], double touching_distance, std::vector<Contact>& contacts,
          const std::array<body::RigidMotion, 2>& motions)
      : sides_{sides[0], sides[1]},
        touching_(touching_distance),
        contacts_(contacts),
        held_(contacts.size()) {
    for (const Contact& contact : contacts) {
      const ContactNow now = evaluate(contact, motions[0], motions[1]);
      PlaceNow place{now.normal, {now.points[0], now.points[1]}};
      place.points[0] -= contact.rounding_of[0] * now.normal + sides[1].pose.position;
      place.points[1] += contact.rounding_of[1] * now.normal - sides[1].pose.position;
      places_.push_back(place);
    }
  }

  void look_at(const Separation& touch, const Placed& a, const Placed& b) {
    // Of what need not be convex each contact tells of itself alone.
    if (!a.solid->is_convex() || !b.solid->is_convex()) return;
    const std::pair<int, int> parts{touch.part_a, touch.part_b};
    const double tolerance =
        held_height * touching_ +
        point_rounding * (a.solid->bounding_radius() < infinity ? a.position.norm() : 0);
    if (a.solid->has_rims() || b.solid->has_rims()) return hold_rims(touch, a, b, tolerance);
    if (a.solid->surface || b.solid->surface) return hold_round(touch, a, b);
    // What it touches by itself comes first, unless it took over the normal of a cell beside.
    std::optional<std::size_t> plane;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const bool is_own = is_of(i, parts);
      if (is_own && !is_flat(contacts_[i])) return hold_round(touch, a, b);
      if (plane && (!is_own || is_of(*plane, parts))) continue;
      if (is_own ? is_between(places_[i], touch, a, b, tolerance)
                 : is_plane_for(i, touch, a, b, tolerance))
        plane = i;
    }
    if (!plane) return hold_round(touch, a, b);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (i == *plane || are_above_one_plane(contacts_[*plane], contacts_[i]) ||
          (is_plane_for(i, touch, a, b, tolerance) &&
           are_coplanar(places_[*plane], places_[i], held_height * touching_)))
        held_[i].insert(parts);
  }

  void tell() {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      Contact& contact = contacts_[i];
      if (!is_flat(contact)) held_[i].insert({contact.label.part_a, contact.label.part_b});
      if (contact.flush) held_[i].insert(contact.flush->begin(), contact.flush->end());
      contact.flush = std::make_shared<const std::set<std::pair<int, int>>>(std::move(held_[i]));
    }
  }

 private:
  bool is_of(std::size_t i, const std::pair<int, int>& parts) const {
    return parts == std::pair(contacts_[i].label.part_a, contacts_[i].label.part_b);
  }
  // Points of one body above one plane of the other: each keeps its height above it, and so does
  // what they span, though they may be kept at gaps that differ.
  bool are_above_one_plane(const Contact& one, const Contact& other) const {
    if (one.kind != GapKind::point_plane || other.kind != GapKind::point_plane) return false;
    if (one.arc || other.arc || one.point_side != other.point_side) return false;
    const CarriedFeature& plane = one.features[1 - one.point_side];
    const CarriedFeature& beside = other.features[1 - one.point_side];
    return (plane.direction - beside.direction).norm() <= one_plane &&
           std::abs(plane.direction.dot(beside.point - plane.point)) <= held_height * touching_;
  }
  bool is_plane_for(std::size_t i, const Separation& touch, const Placed& a, const Placed& b,
                    double tolerance) const {
    const Contact& contact = contacts_[i];
    if (!is_flat(contact) || !is_between(places_[i], touch, a, b, tolerance)) return false;
    const bool is_rounded = a.solid->rounding + b.solid->rounding > 0;
    // The plane of two edges is watched for all that is not on them.
    if (is_rounded && contact.kind == GapKind::edge_edge) return true;
    return is_told_apart(a, places_[i].normal, is_rounded) &&
           is_told_apart(b, places_[i].normal, is_rounded);
  }

  // A cylinder or cone on the cells of a mesh: all contacts in one plane that lies between the two
  // pieces, whichever cells they were found on. At an edge or corner several cells have the place
  // in common; a side that lies across a cell may touch it at its borders only.
  void hold_rims(const Separation& touch, const Placed& a, const Placed& b, double tolerance) {
    const std::pair<int, int> parts{touch.part_a, touch.part_b};
    std::optional<std::size_t> plane;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (is_of(i, parts)) held_[i].insert(parts);
      if (plane && (!is_of(i, parts) || is_of(*plane, parts))) continue;
      if (is_between(places_[i], touch, a, b, tolerance)) plane = i;
    }
    if (!plane) return;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (!is_between(places_[i], touch, a, b, tolerance) ||
          !are_coplanar(places_[*plane], places_[i], held_height * touching_))
        continue;
      held_[i].insert(parts);
      if (!is_of(i, parts) && contacts_[i].kind == GapKind::smooth) guard_cells(i, touch, a, b);
    }
  }

  // Places that are one, m.
  double near_place(const Placed& a, const Placed& b) const {
    const double size = std::min(a.solid->bounding_radius(), b.solid->bounding_radius());
    return same_curved_place * size + same_place * touching_;
  }

  // What round parts touch at an edge or corner of a mesh they leave where they come to lie over
  // any of the cells there, not only the one that was found first. A part that has come over this
  // cell by less than is told apart is nearest to its face, and is on its border all the same.
  void guard_cells(std::size_t contact, const Separation& touch, const Placed& a, const Placed& b) {
    const Solid* solids[2] = {a.solid, b.solid};
    ContactSide made[2];
    for (int side = 0; side < 2; ++side) {
      Feature feature = side == 0 ? touch.feature_a : touch.feature_b;
      made[side] = {solids[side], sides_[side].pose, sides_[side].motion, feature, feature};
      if (!narrow::is_cell(solids[side]->part)) continue;
      const Vec3 place =
          made[side].point_from_world(places_[contact].points[side] + sides_[1].pose.position);
      made[side].feature = feature_at({solids[side], sides_[side].motion}, place, near_place(a, b));
    }
    std::vector<Guard>& guards = contacts_[contact].guards;
    for (int side = 0; side < 2; ++side) {
      if (!narrow::is_cell(solids[side]->part)) continue;
      if (made[side].feature.kind == FeatureKind::edge) made[side].guard_wedge(side, guards);
      if (made[side].feature.kind != FeatureKind::vertex) continue;
      std::vector<Vec3> lines = line_of(made[1 - side], touch.normal);
      for (Vec3& line : lines) line = made[side].direction_from_world(line);
      made[side].guard_point(side, lines, guards);
    }
  }

  // A ball, a capsule or a smooth part at an edge or corner that cells have in common.
  void hold_round(const Separation& touch, const Placed& a, const Placed& b) {
    const auto is_round = [](const Solid& solid) {
      return solid.surface || solid.kind == SolidKind::capsule || solid.core.vertices().size() == 1;
    };
    if (!is_round(*a.solid) && !is_round(*b.solid)) return;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (is_of(i, {touch.part_a, touch.part_b})) continue;
      const Vec3 between = touch.point_a - sides_[1].pose.position - places_[i].points[0];
      if ((touch.normal - places_[i].normal).norm() > same_curved_normal ||
          between.norm() > near_place(a, b))
        continue;
      held_[i].insert({touch.part_a, touch.part_b});
      guard_cells(i, touch, a, b);
    }
  }

  CellSide sides_[2];
  double touching_;
  std::vector<Contact>& contacts_;
  std::vector<PlaceNow> places_;
  std::vector<std::set<std::pair<int, int>>> held_;
};

Pose motion_pose(const model::Body& body, const Pose& pose) {
  const Pose frame = toi::motion_frame(body);
  return {pose.position + pose.orientation * frame.position, pose.orientation * frame.orientation};
}

}  // namespace

void hold_cells_beside(narrow::PairQuery& query, const model::Body& body_a, const Pose& pose_a,
                       const model::Body& body_b, const Pose& pose_b, double touching_distance,
                       std::vector<Contact>& contacts) {
  if (!query.shape_a().has_cells() && !query.shape_b().has_cells()) return;
  const CellSide sides[2] = {{pose_a, toi::motion_frame(body_a)},
                             {pose_b, toi::motion_frame(body_b)}};
  const std::array<body::RigidMotion, 2> motions = {body::RigidMotion{motion_pose(body_a, pose_a)},
                                                    body::RigidMotion{motion_pose(body_b, pose_b)}};
  Holding holding(sides, touching_distance, contacts, motions);
  const Vec3 offset = pose_a.position - pose_b.position;
  for (const Separation& touch : query.separations_within(pose_a, pose_b, touching_distance))
    holding.look_at(touch, placed(query.shape_a().solid(touch.part_a), offset, pose_a.orientation),
                    placed(query.shape_b().solid(touch.part_b), Vec3::Zero(), pose_b.orientation));
  holding.tell();
}

}  // namespace abut::contact
