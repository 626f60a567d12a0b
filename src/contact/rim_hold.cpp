#include "contact/rim_hold.h"

#include <algorithm>

#include "contact/flat_patch.h"
#include "contact/span.h"

namespace abut::contact {
namespace {

using geometry::ConvexSurface;
using narrow::SolidKind;
using toi::HeldPlane;
using toi::PlaneMotion;

// A rim counts as lying on the plane from this fraction of the tolerance of regions on
// (dimensionless): the region that is then found is that of the disc.
constexpr double flat_fraction = 0.5;

// Where one contact is on a side: in its motion frame.
struct Place {
  Feature feature;
  GapKind kind = GapKind::smooth;
  Vec3 surface = Vec3::Zero();
  double flatness = 0;
};

toi::CarriedRim carried_rim(const HeldPart& part, int atom, double flatness) {
  const geometry::SupportAtom& rim = part.solid->surface->atoms()[atom];
  return {part.point(rim.centre()), part.direction(Vec3::UnitZ()), rim.outer_radius(), flatness};
}

// What is free of a cylinder or cone.
class FreeOfRims {
 public:
  FreeOfRims(const HeldPart& part, const std::vector<Place>& places)
      : part_(part), surface_(*part.solid->surface), touched_(surface_.atoms().size(), false) {
    std::vector<std::vector<Vec3>> on_rim(touched_.size());
    for (const Place& place : places) note(place, on_rim);
    // Three places of a rim hold its whole plane.
    for (std::size_t i = 0; i < on_rim.size(); ++i)
      if (!on_rim[i].empty() && Span(on_rim[i], part_.solid->bounding_radius()).dimension() >= 2)
        touched_[i] = true;
    // Of a side that touches, no end can turn up.
    if (std::all_of(touched_.begin(), touched_.end(), [](bool t) { return t; })) rims_.clear();
  }

  void watch(HeldPlane& plane, int side) const {
    plane.rims[side] = rims_;
    std::vector<int> free;
    for (std::size_t i = 0; i < touched_.size(); ++i)
      if (!touched_[i]) free.push_back(static_cast<int>(i));
    if (free.empty()) return;
    auto surface = part_.solid->surface;
    if (free.size() < touched_.size())
      surface =
          std::make_shared<const ConvexSurface>(ConvexSurface::of(surface_.atoms()[free.front()]));
    const Quat turned = part_.frame.orientation.conjugate() * part_.solid->orientation;
    plane.surfaces[side] = {surface, turned.toRotationMatrix(), part_.point(Vec3::Zero())};
  }

 private:
  void note(const Place& place, std::vector<std::vector<Vec3>>& on_rim) {
    const int index = place.feature.index;
    switch (place.feature.kind) {
      case FeatureKind::smooth:
        touched_.assign(touched_.size(), true);
        break;
      case FeatureKind::face:
        touched_[surface_.discs()[index].atom] = true;
        break;
      case FeatureKind::rim_place:
        on_rim[index / geometry::places_per_rim].push_back(place.surface);
        break;
      case FeatureKind::vertex:
        touched_[index] = true;
        break;
      case FeatureKind::edge:
        if (is_rim_crossing(place.feature)) {
          on_rim[atom_of_rim(place.feature)].push_back(place.surface);
          break;
        }
        touched_[index] = true;
        rims_.push_back(carried_rim(part_, index, flat_fraction * place.flatness));
        break;
    }
  }

  const HeldPart& part_;
  const ConvexSurface& surface_;
  std::vector<bool> touched_;
  std::vector<toi::CarriedRim> rims_;
};

Vec3 in_plane(const Vec3& v, const Vec3& normal) {
  return v - normal * normal.dot(v);
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
        places_[side].push_back({side == 0 ? contact->label.a : contact->label.b, contact->kind,
                                 to_body * (surface - motions[side].pose.position),
                                 contact->flatness});
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
    if (result.empty()) result.push_back(followed());
    return result;
  }

 private:
  // Whether the contacts are on a face or disc of this side, or on the rim of a disc that lies
  // flat. A body that only touches at the border of a face may go below its plane beside it.
  bool lies_in_flat(int side) const {
    std::vector<Vec3> on_rim;
    for (const Place& place : places_[side]) {
      if (place.feature.kind == FeatureKind::face) return true;
      if (!parts_[side].solid->has_rims()) continue;
      if (place.feature.kind == FeatureKind::rim_place) return true;
      if (place.feature.kind == FeatureKind::edge && is_rim_crossing(place.feature))
        on_rim.push_back(place.surface);
    }
    // One crossing with an edge does not hold the disc parallel to it.
    return on_rim.size() > 1;
  }

  // Outward, in the motion frame.
  std::optional<Vec3> flat_normal(int side) const {
    const HeldPart& part = parts_[side];
    const auto is_parallel = [&](const Vec3& local) {
      return 1 - part.direction(local).dot(normals_[side].front()) <= parallel;
    };
    if (part.solid->kind == SolidKind::plane) return part.direction(part.solid->normal);
    if (part.solid->surface) {
      for (const ConvexSurface::Disc& disc : part.solid->surface->discs())
        if (is_parallel(disc.normal)) return part.direction(disc.normal);
      return std::nullopt;
    }
    for (const auto& face : part.solid->core.faces())
      if (is_parallel(face.normal)) return part.direction(face.normal);
    return std::nullopt;
  }

  void watch(HeldPlane& plane, int side) const {
    const narrow::Solid& solid = *parts_[side].solid;
    if (solid.has_rims()) {
      FreeOfRims(parts_[side], places_[side]).watch(plane, side);
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
        plane.watched[side] = beside(side);
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
    const geometry::ConvexPolyhedron& core = solid.core;
    const int edge = is_axis ? 0 : feature.index;
    return parts_[side].direction(core.vertices()[core.edge_end(edge)] -
                                  core.vertices()[core.edge_start(edge)]);
  }

  // Of a polyhedron that touches the side of a cylinder or cone, or the rim of a flat end, with an
  // edge: the corners off it;
  // with a corner: the far ends of edges along the surface's line. Others, and all where a rim
  // touches, come down smoothly, which guards tell.
  std::vector<Vec3> beside(int side) const {
    const Place& own = places_[side].front();
    const Place& others = places_[1 - side].front();
    const bool on_line =
        others.feature.kind == FeatureKind::smooth ||
        (others.feature.kind == FeatureKind::edge && is_rim_crossing(others.feature));
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
  // The line on the side of a cylinder or cone that touches, in the world.
  Vec3 line_of(int side) const {
    const ConvexSurface& surface = *parts_[side].solid->surface;
    const Vec3 axis = parts_[side].direction(surface.lines().front().normals.axis);
    return motions_[side].pose.orientation * in_plane(axis, normals_[side].front()).normalized();
  }

  const std::array<HeldPart, 2>& parts_;
  const std::array<body::RigidMotion, 2>& motions_;
  const std::vector<const Contact*>& contacts_;
  std::vector<Place> places_[2];
  std::vector<Vec3> normals_[2];  // outward, in each motion frame
};

}  // namespace

std::vector<HeldPlane> rim_planes(const std::array<HeldPart, 2>& parts,
                                  const std::array<body::RigidMotion, 2>& motions,
                                  const std::vector<const Contact*>& contacts) {
  return RimHolder(parts, motions, contacts).planes();
}

}  // namespace abut::contact
