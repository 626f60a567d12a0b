// From the points of a region to contacts that know how to move.

#include <algorithm>
#include <cmath>

#include "contact/contact.h"
#include "contact/contact_side.h"
#include "contact/smooth_gap.h"
#include "narrow/ring_points.h"
#include "toi/core.h"

namespace abut::contact {
namespace {

using narrow::Solid;
using narrow::SolidKind;

// Sine of the angle between edges under which their crossing is no good to measure a gap at
// (dimensionless): its place and normal would lose all but a few digits. The region's own normal
// is taken then. The gap of rounded edges changes by the square of an error of the normal: these
// cross wherever the region says so, which is from about 1e-5 on.
constexpr double least_crossing_sine = 1e-4;
constexpr double least_rounded_sine = 1e-6;

// How far the normal of two edges may be from that of the region (cosine, dimensionless): they
// agree up to the tolerance of the region unless the edges are no better than parallel.
constexpr double least_normal_cosine = 0.999;

// A rim that has tipped counts as lying on a plane up to this multiple of the tolerance by which
// regions are told: none that has just been found to lie has left already.
constexpr double lift_factor = 2;

// Half a chord of a circle that is shorter than this times its radius has no two ends
// (dimensionless).
constexpr double shortest_chord = 0.02;

Feature core_feature(const Solid& solid, const Feature& named) {
  const bool keeps_name = solid.surface || solid.kind == SolidKind::ring;
  if (named.kind != FeatureKind::smooth || keeps_name) return named;
  if (solid.kind == SolidKind::sphere || named.index > 0)
    return {FeatureKind::vertex, std::max(0, named.index - 1)};
  return {FeatureKind::edge, 0};
}

class Maker {
 public:
  Maker(const ContactSide& a, const ContactSide& b, const ContactPoint& point,
        const ContactRegion& region)
      : sides_{a, b},
        point_(point),
        region_(region),
        normal_(region.normal),
        lift_(lift_factor * region.tolerance) {
    for (int side = 0; side < 2; ++side)
      sides_[side].place = sides_[side].point_from_world(
          surface_point(side) - sides_[side].solid->rounding * outward(side));
  }

  Contact make() {
    contact_.label = point_.label;
    contact_.rounding_of = {sides_[0].solid->rounding, sides_[1].solid->rounding};
    const Element a = sides_[0].element(), b = sides_[1].element();
    const auto is_smooth = [](Element e) { return e == Element::curved || e == Element::lines; };
    if (is_smooth(a) || is_smooth(b))
      smooth();
    else if (b == Element::plane)
      point_on_plane(0);
    else if (a == Element::plane)
      point_on_plane(1);
    else if (a == Element::line && b == Element::line && lines_cross())
      crossing_lines();
    else if (contact_.rounding() == 0 || (a == Element::line && b == Element::line))
      point_in_region();
    else if (a == b)
      point_on_point();
    else
      point_on_line(a == Element::point ? 0 : 1);
    return std::move(contact_);
  }

 private:
  bool is_bowl(int side) const { return sides_[side].solid->kind == SolidKind::bowl; }
  Vec3 outward(int side) const { return side == 0 ? Vec3(-normal_) : normal_; }
  Vec3 surface_point(int side) const {
    return point_.position + (side == 0 ? 0.5 : -0.5) * point_.gap * normal_;
  }

  void point_on_plane(int point_side) {
    const int plane_side = 1 - point_side;
    const ContactSide& carrier = sides_[plane_side];
    contact_.kind = GapKind::point_plane;
    contact_.point_side = point_side;
    // A ring that lies flat touches with the same points of its surface as long as it does.
    if (sides_[point_side].solid->kind == SolidKind::ring) contact_.rounding_of[point_side] = 0;
    contact_.features[point_side] = touching_point(point_side);
    contact_.features[plane_side] = carrier.carried_plane(carrier.feature);
    carrier.guard_plane(plane_side, carrier.feature, contact_.guards);
  }

  // Corners on corners and edges, and parallel edges: the region knows the normal, which a face
  // carries if there is one.
  void point_in_region() {
    const int face_side = carrier_in_region();
    const int point_side = 1 - face_side;
    const ContactSide& carrier = sides_[face_side];
    contact_.kind = GapKind::point_plane;
    contact_.point_side = point_side;
    contact_.features[point_side] = touching_point(point_side);
    if (carrier.region_feature.kind == FeatureKind::face) {
      contact_.features[face_side] = carrier.carried_plane(carrier.region_feature);
      carrier.guard_plane(face_side, carrier.region_feature, contact_.guards);
    } else {
      contact_.features[face_side] = {carrier.place,
                                      carrier.direction_from_world(outward(face_side))};
      guard_edge_or_corner(face_side);
    }
  }

  // Once the place has left the edge or the corner that it is on to one side, it lies over a face,
  // or edges of its own cross that edge.
  void guard_edge_or_corner(int edge_side) {
    const ContactSide& edge = sides_[edge_side];
    const bool is_tangent = edge.has_rims() && edge.element() == Element::line;
    if (contact_.rounding() > 0 || (edge.has_rims() && !is_tangent)) return;
    const Feature& feature = region_.dimension > 0 ? edge.region_feature : edge.feature;
    CarriedFeature line{edge.place, edge.direction_from_world(normal_)};
    if (is_tangent)
      line = edge.carried_line();
    else if (feature.kind == FeatureKind::edge)
      line = edge.carried_edge(feature.index);
    contact_.guards.push_back({edge_side, line.direction, 0, GuardKind::round, line.point});
  }

  // A corner stays the point that touches wherever it slides, the place on an edge does not: so the
  // other side of a corner carries the plane if it has a face there, else whichever side has one.
  int carrier_in_region() const {
    const auto has_face = [&](int side) {
      return sides_[side].region_feature.kind == FeatureKind::face;
    };
    const auto is_corner = [&](int side) { return sides_[side].element() == Element::point; };
    for (const int side : {1, 0})
      if (has_face(side) && is_corner(1 - side)) return side;
    if (has_face(0) || has_face(1)) return has_face(1) ? 1 : 0;
    return is_corner(1) && !is_corner(0) ? 0 : 1;
  }

  bool lines_cross() const {
    const Vec3 cross = world_line(0).cross(world_line(1));
    const double sine = cross.norm();
    const double least = contact_.rounding() > 0 ? least_rounded_sine : least_crossing_sine;
    return sine > least && std::abs(cross.dot(normal_)) > least_normal_cosine * sine;
  }
  Vec3 world_line(int side) const {
    return sides_[side].direction_to_world(sides_[side].carried_line().direction);
  }
  void crossing_lines() {
    contact_.kind = GapKind::edge_edge;
    contact_.edge_sign = world_line(0).cross(world_line(1)).dot(normal_) > 0 ? 1 : -1;
    for (int side = 0; side < 2; ++side) {
      contact_.features[side] = sides_[side].carried_line();
      sides_[side].guard_line_ends(side, 0, contact_.guards);
      if (sides_[side].has_rims())
        sides_[side].guard_slant(side, sides_[side].direction_from_world(world_line(1 - side)),
                                 lift_, contact_.guards);
    }
  }

  void point_on_point() {
    contact_.kind = GapKind::point_point;
    for (int side = 0; side < 2; ++side) {
      contact_.features[side] = sides_[side].carried_point();
      sides_[side].guard_point(side, lines_beside(side), contact_.guards);
    }
  }

  void point_on_line(int point_side) {
    const int line_side = 1 - point_side;
    contact_.kind = GapKind::point_line;
    contact_.point_side = point_side;
    contact_.features[point_side] = sides_[point_side].carried_point();
    contact_.features[line_side] = sides_[line_side].carried_line();
    sides_[point_side].guard_point(point_side, lines_beside(point_side), contact_.guards);
    sides_[line_side].guard_line_ends(line_side, 0, contact_.guards);
    sides_[line_side].guard_wedge(line_side, contact_.guards);
  }

  // At least one side is curved; the other may be anything.
  void smooth() {
    contact_.kind = GapKind::smooth;
    auto pair = std::make_shared<SmoothPair>();
    for (int side = 0; side < 2; ++side) {
      pair->sides[side] =
          follows_circle(side) ? sides_[side].smooth_rim() : sides_[side].smooth_side();
      contact_.rounding_of[side] = sides_[side].depth();
    }
    for (int side = 0; side < 2; ++side)
      // A corner stays the place that touches a concave wall, wherever it goes.
      if (!is_bowl(1 - side)) guard_smooth(side);
    const bool is_curved =
        sides_[0].solid->surface || sides_[0].feature.kind == FeatureKind::smooth;
    contact_.point_side = (is_curved && !is_bowl(0)) || is_bowl(1) ? 0 : 1;
    pair->start = sides_[1].direction_from_world(normal_);
    for (int side = 0; side < 2; ++side)
      pair->places[side] = sides_[side].point_from_world(surface_point(side));
    pair->apart = sides_[1].direction_from_world(region_.apart);
    for (int side = 0; side < 2; ++side) pair->chord_end += chord_end(*pair, side);
    pair->tolerance = region_.touching;
    pair->depth = contact_.rounding_of;
    contact_.smooth = std::move(pair);
  }
  // Which end of the chord that a line has in common with the disc of this side's rim or ring.
  double chord_end(const SmoothPair& pair, int round) const {
    const SmoothSide &own = pair.sides[round], &other = pair.sides[1 - round];
    if (other.kind != SmoothSideKind::line || other.level != 0) return 0;
    Vec3 centre = own.surface.position;
    double radius = own.circle;
    if (own.kind == SmoothSideKind::surface) {
      const geometry::SupportAtom& atom = own.surface.surface->atoms()[own.atom];
      if (!atom.is_circle()) return 0;
      centre += own.surface.rotation * atom.centre();
      radius = atom.outer_radius();
    } else if (own.kind != SmoothSideKind::ring) {
      return 0;
    }
    const Vec3 out = sides_[round].direction_to_world(
        sides_[round].point_from_world(surface_point(round)) - centre);
    const double along = out.dot(sides_[1 - round].direction_to_world(other.feature.direction));
    if (std::abs(along) < shortest_chord * radius) return 0;
    return along > 0 ? 1 : -1;
  }
  // The straight lines of the other side, where it touches with one or where they end.
  std::vector<Vec3> lines_beside(int side) const {
    const ContactSide& other = sides_[1 - side];
    std::vector<Vec3> lines;
    const auto add = [&](const Vec3& direction) {
      lines.push_back(sides_[side].direction_from_world(other.direction_to_world(direction)));
    };
    if (is_straight(1 - side))
      add(other.straight_line(other.direction_from_world(normal_)));
    else if (other.element() == Element::point && other.solid->kind != SolidKind::ring &&
             !other.solid->surface)
      for (const int neighbour : other.core().neighbours(other.feature.index))
        add((other.vertex(neighbour) - other.vertex(other.feature.index)).normalized());
    return lines;
  }
  bool is_straight(int side) const {
    return sides_[side].element() == Element::line || sides_[side].element() == Element::lines;
  }
  bool is_ball(int side) const {
    return sides_[side].element() == Element::point && sides_[side].solid->rounding > 0;
  }
  bool is_rim(int side) const {
    return sides_[side].has_rims() && sides_[side].element() == Element::curved;
  }
  // Whether a side touches with a rounded point or a smooth surface: on a flat end it has one place
  // of contact, which moves.
  bool is_round(int side) const {
    return is_ball(side) || (sides_[side].element() == Element::curved && !sides_[side].has_rims());
  }
  // A rim that something round moves over on its way to the flat end, or that touches a bowl, is a
  // circle, whose distance goes on smoothly where the normal is along the axis.
  bool follows_circle(int side) const {
    return is_rim(side) && (is_bowl(1 - side) || is_round(1 - side));
  }
  void guard_smooth(int side) {
    const ContactSide& s = sides_[side];
    switch (s.element()) {
      case Element::curved:
        if (s.has_rims()) {
          s.guard_rim(side, is_straight(1 - side), contact_.guards);
          if (is_round(1 - side) || is_rim(1 - side)) s.guard_flat_end(side, contact_.guards);
        }
        break;
      case Element::plane:
        s.guard_plane(side, s.feature, contact_.guards);
        break;
      case Element::line:
        s.guard_line_ends(side, 0, contact_.guards);
        s.guard_wedge(side, contact_.guards);
        break;
      case Element::lines:
        s.guard_line_ends(side, contact_.rounding_of[1 - side], contact_.guards);
        break;
      case Element::point:
        s.guard_point(side, lines_beside(side), contact_.guards);
        break;
    }
  }

  // The core point that touches: a corner, or the place of the contact on an edge.
  CarriedFeature touching_point(int side) const {
    const ContactSide& s = sides_[side];
    if (s.solid->kind == SolidKind::ring)
      return {s.point_from_world(surface_point(side) - contact_.rounding_of[side] * outward(side)),
              Vec3::UnitZ()};
    if (s.element() == Element::point) return s.carried_point();
    return {s.place, Vec3::UnitZ()};
  }

  ContactSide sides_[2];
  const ContactPoint& point_;
  const ContactRegion& region_;
  Vec3 normal_;
  double lift_;
  Contact contact_;
};

// A place on a rim or ring that lies on a plane belongs to an arc, and leaves it when that tips.
void put_on_arc(Contact& contact, const ContactRegion& region, const ContactSide* sides) {
  for (const RegionArc& arc : region.arcs) {
    if (contact.kind != GapKind::point_plane || contact.point_side != arc.side) continue;
    const ContactSide& side = sides[arc.side];
    const bool is_ring = side.solid->kind == SolidKind::ring;
    const bool on_rim = side.feature.kind == FeatureKind::rim_place &&
                        side.feature.index / geometry::places_per_rim == arc.atom;
    if (!on_rim && !is_ring) continue;
    RimArc carried = is_ring ? side.carried_circle(contact.features[arc.side].point)
                             : side.carried_arc(arc.atom);
    carried.side = arc.side;
    carried.from = arc.from;
    carried.to = arc.to;
    carried.lift = lift_factor * region.tolerance;
    const Vec3 out = contact.features[arc.side].point - carried.centre;
    double angle = std::atan2(carried.y.dot(out), carried.x.dot(out));
    angle += 2 * M_PI * std::ceil((arc.from - angle) / (2 * M_PI) - 1e-9);
    if (angle > arc.to + 1e-9) continue;
    contact.arc = std::make_shared<const RimArc>(carried);
    contact = moved_along_arc(contact, angle);
    return;
  }
}

}  // namespace

Contact moved_along_arc(const Contact& contact, double angle) {
  Contact moved = contact;
  const RimArc& arc = *contact.arc;
  const auto steps = [angle](int around) {
    const int step = static_cast<int>(std::lround(angle / (2 * M_PI) * around)) % around;
    return step < 0 ? step + around : step;
  };
  (arc.side == 0 ? moved.label.a : moved.label.b) =
      arc.atom == RimArc::ring_atom
          ? Feature{FeatureKind::vertex, steps(narrow::ring_point_steps)}
          : Feature{FeatureKind::rim_place,
                    geometry::rim_place_index(arc.atom, steps(geometry::places_per_rim))};
  moved.features[arc.side].point = arc.at(angle);
  std::erase_if(moved.guards, [](const Guard& g) { return g.kind == GuardKind::tilt; });
  moved.guards.push_back(
      {arc.side, Vec3::UnitZ(), arc.lift, GuardKind::tilt, arc.at(angle + M_PI)});
  return moved;
}

std::vector<Contact> contacts_of(const ContactRegion& region, const model::Body& a,
                                 const narrow::BodyShape& shape_a, const Pose& pose_a,
                                 const model::Body& b, const narrow::BodyShape& shape_b,
                                 const Pose& pose_b) {
  std::vector<Contact> contacts;
  for (const ContactPoint& point : region.points) {
    const Solid& solid_a = shape_a.solid(point.label.part_a);
    const Solid& solid_b = shape_b.solid(point.label.part_b);
    ContactSide sides[2];
    sides[0] = {&solid_a, pose_a, toi::motion_frame(a), core_feature(solid_a, point.label.a),
                core_feature(solid_a, region.label.a)};
    sides[1] = {&solid_b, pose_b, toi::motion_frame(b), core_feature(solid_b, point.label.b),
                core_feature(solid_b, region.label.b)};
    contacts.push_back(Maker(sides[0], sides[1], point, region).make());
    contacts.back().flatness = region.tolerance;
    put_on_arc(contacts.back(), region, sides);
  }
  return contacts;
}

}  // namespace abut::contact
