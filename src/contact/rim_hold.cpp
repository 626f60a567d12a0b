#include "contact/rim_hold.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "contact/cell_feature.h"
#include "contact/flat_patch.h"
#include "contact/free_of_rims.h"
#include "contact/span.h"
#include "narrow/solid_id.h"

namespace abut::contact {
namespace {

using geometry::ConvexSurface;
using narrow::SolidKind;
using toi::HeldPlane;
using toi::PlaneMotion;

// Lines span a plane that is worth following if their triple product with its normal is larger
// (dimensionless): the plane turns that much faster than they do.
constexpr double least_crossing = 1e-3;

std::vector<int> edges_of(const geometry::ConvexPolyhedron& core, int face) {
  std::vector<int> edges;
  const int first = core.faces()[face].first;
  int h = first;
  do {
    edges.push_back(h / 2);
    h = core.half_edges()[h].next;
  } while (h != first);
  return edges;
}

bool is_on_edge(const geometry::ConvexPolyhedron& core, const Feature& feature, int edge) {
  if (feature.kind == FeatureKind::vertex)
    return feature.index == core.edge_start(edge) || feature.index == core.edge_end(edge);
  return feature.kind == FeatureKind::edge && feature.index == edge;
}

Vec3 in_plane(const Vec3& v, const Vec3& normal) {
  return v - normal * normal.dot(v);
}

Feature feature_of(const Contact& contact, const HeldPart& part, int side, const Vec3& place) {
  const Feature& found = side == 0 ? contact.label.a : contact.label.b;
  const int found_on = side == 0 ? contact.label.part_a : contact.label.part_b;
  const bool is_beside = narrow::is_cell(part.solid->part) && part.solid->part != found_on;
  return is_beside ? feature_at(part, place, spanned * part.solid->bounding_radius()) : found;
}

class RimHolder {
 public:
  RimHolder(const std::array<HeldPart, 2>& parts, const std::array<body::RigidMotion, 2>& motions,
            const std::vector<const Contact*>& contacts)
      : parts_(parts), motions_(motions), contacts_(contacts) {
    for (const Contact* contact : contacts) {
      const ContactNow now = evaluate(*contact, motions[0], motions[1]);
      for (int side = 0; side < 2; ++side) {
        const Vec3 surface =
            now.points[side] + (side == 0 ? -1 : 1) * contact->rounding_of[side] * now.normal;
        const Quat to_body = motions[side].pose.orientation.conjugate();
        const Vec3 place = to_body * (surface - motions[side].pose.position);
        places_[side].push_back(
            {feature_of(*contact, parts[side], side, place), place, contact->flatness});
        normals_[side].push_back(to_body * ((side == 0 ? -1 : 1) * now.normal));
      }
    }
  }

  std::vector<HeldPlane> planes() const {
    std::vector<HeldPlane> result;
    for (int carrier = 0; carrier < 2; ++carrier) {
      if (!lies_in_flat(carrier) || parts_[1 - carrier].solid->kind == SolidKind::plane) continue;
      const auto normal = flat_normal(carrier);
      if (!normal) continue;
      HeldPlane plane;
      plane.carrier = carrier;
      plane.normal = *normal;
      for (int side = 0; side < 2; ++side) plane.touching[side] = places_[side].front().surface;
      plane.radii = parts_[1 - carrier].solid->rounding;
      watch(plane, 1 - carrier);
      result.push_back(std::move(plane));
    }
    if (!result.empty()) return result;
    std::optional<HeldPlane> beside_line = between_lines();
    return {beside_line ? *beside_line : followed()};
  }

 private:
  // Whether the contacts are on a face or disc of this side, or on the rim of a disc that lies
  // flat. A body that only touches at the border of a face may go below its plane beside it.
  bool lies_in_flat(int side) const {
    std::vector<Vec3> crossings, on_rim;
    for (const HeldPlace& place : places_[side]) {
      if (place.feature.kind == FeatureKind::face) return true;
      if (!parts_[side].solid->has_rims()) continue;
      if (place.feature.kind == FeatureKind::rim_place) on_rim.push_back(place.surface);
      if (place.feature.kind == FeatureKind::edge && is_rim_crossing(place.feature))
        crossings.push_back(place.surface);
    }
    // One crossing with an edge does not hold the disc parallel to it. Of places on a face it takes
    // three.
    if (crossings.size() > 1) return true;
    on_rim.insert(on_rim.end(), crossings.begin(), crossings.end());
    if (!on_rim.empty() && Span(on_rim, parts_[side].solid->bounding_radius()).dimension() > 1)
      return true;
    return lies_across_face(side);
  }

  // Whether a line lies across a face of this side, and touches it at two places of its border: not
  // where these are on one edge, along which the line lies then.
  bool lies_across_face(int side) const {
    const narrow::Solid& solid = *parts_[side].solid;
    const int face = solid.kind == SolidKind::polyhedron ? parallel_face(side) : -1;
    if (face < 0) return false;
    const std::vector<HeldPlace>& places = places_[side];
    std::vector<bool> on_border(places.size(), false);
    for (const int edge : edges_of(solid.core, face)) {
      std::size_t on_edge = 0;
      for (std::size_t i = 0; i < places.size(); ++i)
        if (is_on_edge(solid.core, places[i].feature, edge)) {
          on_border[i] = true;
          ++on_edge;
        }
      if (on_edge == places.size()) return false;
    }
    return std::count(on_border.begin(), on_border.end(), true) > 1;
  }

  bool is_parallel(int side, const Vec3& local) const {
    return 1 - parts_[side].direction(local).dot(normals_[side].front()) <= parallel;
  }
  // The face of a polyhedron that lies in the plane of contact; -1: none.
  int parallel_face(int side) const {
    const auto& faces = parts_[side].solid->core.faces();
    for (std::size_t i = 0; i < faces.size(); ++i)
      if (is_parallel(side, faces[i].normal)) return static_cast<int>(i);
    return -1;
  }

  // Outward, in the motion frame.
  std::optional<Vec3> flat_normal(int side) const {
    const HeldPart& part = parts_[side];
    if (part.solid->kind == SolidKind::plane) return part.direction(part.solid->normal);
    if (part.solid->surface) {
      for (const ConvexSurface::Disc& disc : part.solid->surface->discs())
        if (is_parallel(side, disc.normal)) return part.direction(disc.normal);
      return std::nullopt;
    }
    const int face = parallel_face(side);
    if (face < 0) return std::nullopt;
    return part.direction(part.solid->core.faces()[face].normal);
  }

  void watch(HeldPlane& plane, int side) const {
    const narrow::Solid& solid = *parts_[side].solid;
    if (solid.has_rims()) {
      watch_free_rims(parts_[side], places_[side], plane, side);
    } else if (!solid.surface && solid.kind != SolidKind::plane) {
      plane.watched[side] = free_points(side);
    }
  }

  // Corners that the contacts do not span.
  std::vector<Vec3> free_points(int side) const {
    const narrow::Solid& solid = *parts_[side].solid;
    std::vector<Vec3> held;
    held.reserve(places_[side].size());
    for (std::size_t i = 0; i < places_[side].size(); ++i)
      held.push_back(places_[side][i].surface - solid.rounding * normals_[side][i]);
    const Span span(held, solid.bounding_radius());
    std::vector<Vec3> free;
    for (const Vec3& v : solid.core.vertices())
      if (!span.contains(parts_[side].point(v))) free.push_back(parts_[side].point(v));
    return free;
  }

  // Where a corner or an edge of a polyhedron touches the side of a cylinder or cone: the plane
  // that has the edge in it and touches the side along a line. A plane that stays where it is just
  // now would not do: the edge tilts and dips below it, and between the edge and a corner that is
  // still above it the part may be below. The centre of a rim is at a constant depth below the
  // plane,
  //     n.c + R sqrt(1 - l^2),   l = n.axis,
  // the support function of the rim. A corner, or an edge along the line, which two contacts hold,
  // is where the plane touches; edges that cross the line span it.
  std::optional<HeldPlane> between_lines() const {
    for (int side = 0; side < 2; ++side) {
      const narrow::Solid& curved = *parts_[side].solid;
      const narrow::Solid& other = *parts_[1 - side].solid;
      if (!curved.has_rims() || other.kind != SolidKind::polyhedron) continue;
      const std::vector<HeldPlace>& places = places_[side];
      const auto on_side = std::find_if(places.begin(), places.end(), [](const HeldPlace& place) {
        return place.feature.kind == FeatureKind::smooth;
      });
      if (on_side == places.end()) continue;
      const auto i = static_cast<std::size_t>(on_side - places.begin());
      const Feature& feature = places_[1 - side][i].feature;
      if (feature.kind != FeatureKind::edge && feature.kind != FeatureKind::vertex) continue;
      return between_lines(side, i);
    }
    return std::nullopt;
  }

  HeldPlane between_lines(int side, std::size_t contact) const {
    const ConvexSurface& surface = *parts_[side].solid->surface;
    const geometry::NormalCircle& normals = surface.lines().front().normals;
    const geometry::SupportAtom& rim = surface.atoms()[surface.discs().front().atom];
    const int other = 1 - side;
    const narrow::Solid& polyhedron = *parts_[other].solid;
    const HeldPlace& place = places_[other][contact];
    HeldPlane plane;
    plane.motion = PlaneMotion::points;
    plane.carrier = side;
    plane.has_line = true;
    plane.directions[side] = parts_[side].direction(normals.axis);
    plane.levels[side] = (side == 0 ? -1 : 1) * normals.level;
    plane.touching[side] = parts_[side].point(rim.centre());
    plane.touching[other] = place.surface - polyhedron.rounding * normals_[other][contact];
    plane.radii =
        rim.outer_radius() * std::sqrt(1 - normals.level * normals.level) + polyhedron.rounding;
    plane.watched[other] = beside(other, contact);
    if (place.feature.kind != FeatureKind::edge || contacts_.size() > 1) return plane;
    plane.directions[other] = parts_[other].direction(edge_of(polyhedron, place.feature.index));
    const auto in_space = [&](int of) {
      return motions_[of].pose.orientation * plane.directions[of];
    };
    const Vec3 normal = -(motions_[0].pose.orientation * normals_[0][contact]);
    const double crossing = in_space(0).cross(in_space(1)).dot(normal);
    if (std::abs(crossing) < least_crossing) return plane;
    plane.motion = PlaneMotion::edges;
    plane.sign = crossing > 0 ? 1 : -1;
    return plane;
  }

  static Vec3 edge_of(const narrow::Solid& polyhedron, int edge) {
    const geometry::ConvexPolyhedron& core = polyhedron.core;
    return (core.vertices()[core.edge_end(edge)] - core.vertices()[core.edge_start(edge)])
        .normalized();
  }

  HeldPlane followed() const {
    HeldPlane plane;
    plane.motion = PlaneMotion::followed;
    const Contact contact = *contacts_.front();
    const std::array<Vec3, 2> axes = {straight_axis(0), straight_axis(1)};
    plane.follow = [contact, axes](const Pose& a, const Pose& b) {
      const ContactNow now =
          evaluate(contact, {a, Vec3::Zero(), Vec3::Zero()}, {b, Vec3::Zero(), Vec3::Zero()});
      toi::FollowedPlane followed{now.normal, now.points[0] - contact.rounding_of[0] * now.normal,
                                  now.points[1] + contact.rounding_of[1] * now.normal};
      for (int side = 0; side < 2; ++side)
        if (!axes[side].isZero(0))
          followed.lines[side] =
              in_plane((side == 0 ? a : b).orientation * axes[side], now.normal).normalized();
      return followed;
    };
    for (int side = 0; side < 2; ++side) {
      const narrow::Solid& solid = *parts_[side].solid;
      if (solid.has_rims()) watch(plane, side);
      if (solid.kind == SolidKind::polyhedron) {
        plane.watched[side] = beside(side, 0);
        plane.radii = solid.rounding;
      }
    }
    return plane;
  }

  // The direction, in the motion frame, of the edge or axis along which this side touches with a
  // straight line; of a cone, whose lines lean towards its axis, that axis. Zero without a line.
  Vec3 straight_axis(int side) const {
    const narrow::Solid& solid = *parts_[side].solid;
    const Feature& feature = places_[side].front().feature;
    const bool is_side = feature.kind == FeatureKind::smooth && feature.index == 0;
    if (solid.has_rims())
      return is_side ? parts_[side].direction(solid.surface->lines().front().normals.axis)
                     : Vec3(Vec3::Zero());
    const bool is_axis = solid.kind == SolidKind::capsule && is_side;
    if (solid.surface || !(is_axis || feature.kind == FeatureKind::edge)) return Vec3::Zero();
    return parts_[side].direction(edge_of(solid, is_axis ? 0 : feature.index));
  }

  // Of a polyhedron that touches the side of a cylinder or cone, or the rim of a flat end, with an
  // edge: the corners off it; with a corner: the far ends of edges along the surface's line. Others
  // come down smoothly, which guards tell: they are late by an angle x, and where a rim leads from
  // the edge down to a face that its disc has an angle y to, it is below it by no more than its
  // radius times x^2 / y by then. Over a face that is all but parallel that is too much.
  std::vector<Vec3> beside(int side, std::size_t contact) const {
    const HeldPlace& own = places_[side][contact];
    const HeldPlace& others = places_[1 - side][contact];
    const bool on_line =
        others.feature.kind == FeatureKind::smooth ||
        (others.feature.kind == FeatureKind::edge &&
         (is_rim_crossing(others.feature) || is_rim_of_parallel_disc(1 - side, others.feature)));
    if (!on_line) return {};
    const geometry::ConvexPolyhedron& core = parts_[side].solid->core;
    std::vector<Vec3> result;
    if (own.feature.kind == FeatureKind::edge) {
      for (int v = 0; v < static_cast<int>(core.vertices().size()); ++v)
        if (v != core.edge_start(own.feature.index) && v != core.edge_end(own.feature.index))
          result.push_back(parts_[side].point(core.vertices()[v]));
    } else if (own.feature.kind == FeatureKind::vertex &&
               others.feature.kind == FeatureKind::smooth) {
      const Vec3 at = parts_[side].point(core.vertices()[own.feature.index]);
      for (const int neighbour : core.neighbours(own.feature.index)) {
        const Vec3 end = parts_[side].point(core.vertices()[neighbour]);
        const Vec3 along = motions_[side].pose.orientation * (end - at).normalized();
        if (along.cross(line_of(1 - side)).norm() <= least_edge_sine) result.push_back(end);
      }
    }
    return result;
  }
  bool is_rim_of_parallel_disc(int side, const Feature& rim) const {
    const narrow::Solid& solid = *parts_[side].solid;
    if (!solid.has_rims()) return false;
    const int disc = solid.surface->disc_of(rim.index);
    return disc >= 0 && is_parallel(side, solid.surface->discs()[disc].normal);
  }
  // The line on the side of a cylinder or cone that touches, in the world.
  Vec3 line_of(int side) const {
    const ConvexSurface& surface = *parts_[side].solid->surface;
    const Vec3 axis = parts_[side].direction(surface.lines().front().normals.axis);
    return motions_[side].pose.orientation * in_plane(axis, normals_[side].front()).normalized();
  }

  const std::array<HeldPart, 2>& parts_;
  const std::array<body::RigidMotion, 2>& motions_;
  const std::vector<const Contact*>& contacts_;
  std::vector<HeldPlace> places_[2];
  std::vector<Vec3> normals_[2];  // outward, in each motion frame
};

}  // namespace

std::vector<HeldPlane> rim_planes(const std::array<HeldPart, 2>& parts,
                                  const std::array<body::RigidMotion, 2>& motions,
                                  const std::vector<const Contact*>& contacts) {
  return RimHolder(parts, motions, contacts).planes();
}

}  // namespace abut::contact
