#include "contact/hold.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/limits.h"
#include "contact/rim_hold.h"
#include "contact/span.h"
#include "toi/core.h"

namespace abut::contact {
namespace {

using narrow::Solid;
using narrow::SolidKind;
using toi::HeldPlane;
using toi::PlaneMotion;

// One part, as its motion frame carries it, with a core of points.
struct Carried : HeldPart {
  std::vector<Vec3> points() const {
    std::vector<Vec3> all;
    if (solid->kind != SolidKind::plane)
      for (const Vec3& v : solid->core.vertices()) all.push_back(point(v));
    return all;
  }
  std::vector<Vec3> normals() const {
    std::vector<Vec3> all;
    if (solid->kind == SolidKind::plane) all.push_back(direction(solid->normal));
    for (const auto& face : solid->core.faces()) all.push_back(direction(face.normal));
    return all;
  }
  double size() const { return solid->core.radius() + solid->rounding; }
};

class Holder {
 public:
  Holder(const Carried& a, const Carried& b, const body::RigidMotion& motion_a,
         const body::RigidMotion& motion_b, const std::vector<const Contact*>& contacts)
      : parts_{a, b},
        contacts_(contacts),
        orientations_{motion_a.pose.orientation, motion_b.pose.orientation},
        positions_{motion_a.pose.position, motion_b.pose.position} {
    const body::RigidMotion* motions[2] = {&motion_a, &motion_b};
    for (const Contact* contact : contacts) {
      const ContactNow now = evaluate(*contact, motion_a, motion_b);
      for (int side = 0; side < 2; ++side) {
        const Pose& pose = motions[side]->pose;
        touching_[side].push_back(pose.orientation.conjugate() *
                                  (now.points[side] - pose.position));
        normals_[side].push_back(pose.orientation.conjugate() * now.normal);
      }
    }
    for (int side = 0; side < 2; ++side) {
      const Span held(touching_[side], parts_[side].size());
      for (const Vec3& p : parts_[side].points())
        if (!held.contains(p)) free_[side].push_back(p);
    }
  }

  std::vector<HeldPlane> planes() const {
    std::vector<HeldPlane> result;
    // A strictly convex part has one place nearest to another convex one: the contact follows it,
    // and its guards tell when it leaves a feature.
    if (parts_[0].solid->surface || parts_[1].solid->surface) return {HeldPlane{}};
    for (int carrier = 0; carrier < 2; ++carrier) add_faces(carrier, result);
    // A point has nothing besides the place where it touches, and a convex part only one such
    // place nearest to it: its features are guarded by the contact itself.
    const bool is_point = parts_[0].points().size() == 1 || parts_[1].points().size() == 1;
    if (result.empty() && is_point) result.push_back(HeldPlane{});
    // Beside a face that only all but touches, corners of the other part may come down to its plane
    // and touch nothing.
    if (!is_point)
      for (std::size_t i = 0; i < contacts_.size(); ++i) add_own(i, result);
    leave_out_pierced(result);
    return result;
  }

 private:
  // Points that contacts hold keep their heights, and are not watched. But where contacts are kept
  // at gaps that differ, a corner beyond them is held below the plane of a face, next to that face:
  // then the plane does not lie between the parts, and says nothing of what comes down inside.
  void leave_out_pierced(std::vector<HeldPlane>& planes) const {
    const auto is_pierced = [&](const HeldPlane& plane) { return lowest_held(plane) < 0; };
    if (!std::all_of(planes.begin(), planes.end(), is_pierced)) std::erase_if(planes, is_pierced);
  }
  // The height of the lowest point that is held above the plane of a face, m.
  double lowest_held(const HeldPlane& plane) const {
    if (plane.motion != PlaneMotion::carried) return 0;
    const int side = 1 - plane.carrier;
    const Vec3 normal = orientations_[plane.carrier] * plane.normal;
    const Vec3 on_plane = in_world(plane.carrier, plane.touching[plane.carrier]);
    double lowest = infinity;
    for (const Vec3& p : parts_[side].points())
      if (std::find(free_[side].begin(), free_[side].end(), p) == free_[side].end())
        lowest = std::min(lowest, normal.dot(in_world(side, p) - on_plane) - plane.radii);
    return lowest;
  }
  Vec3 in_world(int side, const Vec3& point) const {
    return positions_[side] + orientations_[side] * point;
  }
  HeldPlane base(std::size_t contact) const {
    HeldPlane plane;
    plane.touching = {touching_[0][contact], touching_[1][contact]};
    plane.radii = parts_[0].solid->rounding + parts_[1].solid->rounding;
    return plane;
  }
  // The carrier is convex, so all of it is below its own face: only the other part is watched.
  void add_faces(int carrier, std::vector<HeldPlane>& result) const {
    // A half-space has no corners that could be watched.
    if (parts_[1 - carrier].solid->kind == SolidKind::plane) return;
    const double sign = carrier == 0 ? -1 : 1;
    for (const Vec3& normal : parts_[carrier].normals()) {
      if (1 - sign * normal.dot(normals_[carrier].front()) > parallel) continue;
      HeldPlane plane = base(0);
      plane.motion = PlaneMotion::carried;
      plane.carrier = carrier;
      plane.normal = normal;
      plane.watched[1 - carrier] = free_[1 - carrier];
      result.push_back(std::move(plane));
    }
  }
  void add_own(std::size_t i, std::vector<HeldPlane>& result) const {
    const Contact& contact = *contacts_[i];
    HeldPlane plane = base(i);
    for (int side = 0; side < 2; ++side) plane.directions[side] = contact.features[side].direction;
    Vec3 line;
    switch (contact.kind) {
      case GapKind::edge_edge:
        plane.motion = PlaneMotion::edges;
        plane.sign = contact.edge_sign;
        for (int side = 0; side < 2; ++side)
          plane.watched[side] = off_line(side, plane.touching[side], plane.directions[side]);
        break;
      case GapKind::point_point:
        plane.motion = PlaneMotion::points;
        for (int side = 0; side < 2; ++side)
          watch_beyond_edges(side, edges_at(1 - side, plane.touching[1 - side]), plane);
        break;
      case GapKind::point_line:
        plane.motion = PlaneMotion::points;
        plane.has_line = true;
        plane.carrier = 1 - contact.point_side;
        line = orientations_[plane.carrier] * plane.directions[plane.carrier];
        watch_beyond_edges(contact.point_side, {line, -line}, plane);
        plane.watched[plane.carrier] =
            off_line(plane.carrier, plane.touching[plane.carrier], plane.directions[plane.carrier]);
        break;
      case GapKind::smooth:
        break;
      case GapKind::point_plane:
        plane.motion = PlaneMotion::carried;
        plane.carrier = 1 - contact.point_side;
        plane.normal = contact.features[plane.carrier].direction;
        plane.watched[contact.point_side] = free_[contact.point_side];
        break;
    }
    result.push_back(std::move(plane));
  }
  // Lets a rounded part be watched, without the far ends of the edges at the vertex that touches:
  // when one of these comes down to the plane, the contact is about to move from the vertex to the
  // edge, which its guards tell. Along a line of the other part that leads the same way it may
  // touch all the same, as soon as the two have turned to be parallel.
  void watch_beyond_edges(int side, const std::vector<Vec3>& lines, HeldPlane& plane) const {
    const geometry::ConvexPolyhedron& core = parts_[side].solid->core;
    const Vec3& vertex = plane.touching[side];
    const double near = spanned * parts_[side].size();
    std::vector<Vec3> guarded;
    for (int v = 0; v < static_cast<int>(core.vertices().size()); ++v) {
      if ((parts_[side].point(core.vertices()[v]) - vertex).norm() > near) continue;
      for (const int neighbour : core.neighbours(v)) {
        const Vec3 end = parts_[side].point(core.vertices()[neighbour]);
        const double angle = least_angle(orientations_[side] * (end - vertex), lines);
        if (angle <= least_edge_sine) continue;
        guarded.push_back(end);
        plane.valid_turn = std::min(plane.valid_turn, angle - 0.5 * least_edge_sine);
      }
    }
    for (const Vec3& p : free_[side])
      if (std::none_of(guarded.begin(), guarded.end(),
                       [&](const Vec3& end) { return (p - end).norm() <= near; }))
        plane.watched[side].push_back(p);
  }
  static double least_angle(const Vec3& along, const std::vector<Vec3>& lines) {
    double least = M_PI;
    for (const Vec3& line : lines)
      least = std::min(least, std::atan2(along.cross(line).norm(), along.dot(line)));
    return least;
  }
  // Where the edges lead, in the world, at the vertex of a side that touches.
  std::vector<Vec3> edges_at(int side, const Vec3& vertex) const {
    const geometry::ConvexPolyhedron& core = parts_[side].solid->core;
    std::vector<Vec3> lines;
    for (int v = 0; v < static_cast<int>(core.vertices().size()); ++v) {
      const Vec3 at = parts_[side].point(core.vertices()[v]);
      if ((at - vertex).norm() > spanned * parts_[side].size()) continue;
      for (const int neighbour : core.neighbours(v))
        lines.push_back(orientations_[side] *
                        (parts_[side].point(core.vertices()[neighbour]) - at).normalized());
    }
    return lines;
  }
  std::vector<Vec3> off_line(int side, const Vec3& point, const Vec3& direction) const {
    const Span line({point, point + parts_[side].size() * direction}, parts_[side].size());
    std::vector<Vec3> off;
    for (const Vec3& p : free_[side])
      if (!line.contains(p)) off.push_back(p);
    return off;
  }

  Carried parts_[2];
  const std::vector<const Contact*>& contacts_;
  Quat orientations_[2];  // of the motion frames
  Vec3 positions_[2];
  std::vector<Vec3> touching_[2];  // core points by contact, motion frames
  std::vector<Vec3> normals_[2];   // from b to a, in each motion frame
  std::vector<Vec3> free_[2];      // core points that no contact holds
};

// The corner of a core that touches, as its feature names it.
int corner_of(const Solid& solid, const narrow::Feature& feature) {
  if (feature.kind == FeatureKind::vertex) return feature.index;
  return solid.kind == SolidKind::capsule ? feature.index - 1 : 0;
}

// Of a bowl the corners that touch; of a ring how many places, or whether points of it hold the
// whole circle: three of them keep it where it is; the same for rims in a bowl.
toi::HeldPlaces held_places(const Solid& a, const Solid& b,
                            const std::vector<const Contact*>& contacts) {
  toi::HeldPlaces held;
  held.any = true;
  const bool is_in_bowl = a.kind == SolidKind::bowl || b.kind == SolidKind::bowl;
  int ring_points = 0;
  std::map<int, int> rim_places;  // by atom
  for (const Contact* contact : contacts) {
    const bool on_a = a.kind == SolidKind::ring && contact->label.a.kind == FeatureKind::vertex;
    const bool on_b = b.kind == SolidKind::ring && contact->label.b.kind == FeatureKind::vertex;
    const Feature& of_rim = a.has_rims() ? contact->label.a : contact->label.b;
    if (is_in_bowl && of_rim.kind == FeatureKind::rim_place) {
      ++rim_places[of_rim.index / geometry::places_per_rim];
      continue;
    }
    if (is_in_bowl && (a.has_rims() || b.has_rims()) && of_rim.kind == FeatureKind::vertex) {
      held.points.push_back(of_rim.index);
      continue;
    }
    if (a.kind == SolidKind::bowl) held.points.push_back(corner_of(b, contact->label.b));
    if (b.kind == SolidKind::bowl) held.points.push_back(corner_of(a, contact->label.a));
    if (on_a || on_b)
      ++ring_points;
    else
      held.gaps.push_back(contact->kept_gap);
  }
  held.whole = ring_points >= 3;
  for (const auto& [atom, count] : rim_places)
    if (count >= 3) held.rims.push_back(atom);
  return held;
}

}  // namespace

std::vector<toi::PartHold> holds_of(std::span<const Contact> contacts, const model::Body& body_a,
                                    const narrow::BodyShape& shape_a, const body::RigidMotion& a,
                                    const model::Body& body_b, const narrow::BodyShape& shape_b,
                                    const body::RigidMotion& b) {
  std::map<std::pair<int, int>, std::vector<const Contact*>> groups;
  for (const Contact& contact : contacts) {
    if (!contact.flush) groups[{contact.label.part_a, contact.label.part_b}].push_back(&contact);
    // What lies on the plane of a contact is held by it, whichever parts the contact was found on.
    if (contact.flush)
      for (const auto& parts : *contact.flush) groups[parts].push_back(&contact);
  }
  std::vector<toi::PartHold> holds;
  for (const auto& [parts, group] : groups) {
    const HeldPart part_a{&shape_a.solid(parts.first), toi::motion_frame(body_a)};
    const HeldPart part_b{&shape_b.solid(parts.second), toi::motion_frame(body_b)};
    toi::PartHold hold;
    hold.part_a = parts.first;
    hold.part_b = parts.second;
    if (!part_a.solid->is_convex() || !part_b.solid->is_convex())
      hold.places = held_places(*part_a.solid, *part_b.solid, group);
    else if (part_a.solid->has_rims() || part_b.solid->has_rims())
      hold.planes = rim_planes({part_a, part_b}, {a, b}, group);
    else
      hold.planes = Holder({part_a}, {part_b}, a, b, group).planes();
    holds.push_back(std::move(hold));
  }
  return holds;
}

}  // namespace abut::contact
