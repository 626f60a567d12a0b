#pragma once
// One side of a contact while it is made: what it touches with, as its body carries it, and the
// borders within which it does.

#include <vector>

#include "contact/contact.h"
#include "contact/smooth_gap.h"

namespace abut::contact {

/// What a side touches with, as far as the gap is concerned.
enum class Element : std::uint8_t {
  point,   ///< a corner, the centre of a ball, an apex, a place on a rim
  line,    ///< an edge, the axis of a capsule, the tangent of a rim that lies in the plane
  lines,   ///< the side of a cylinder or cone
  curved,  ///< a smooth surface, a rim, a ring, the wall of a bowl
  plane
};

struct ContactSide {
  const narrow::Solid* solid = nullptr;
  Pose pose;    ///< of the body frame
  Pose motion;  ///< the motion frame in the body frame
  Feature feature;
  Feature region_feature;
  Vec3 place = Vec3::Zero();  ///< of the contact on the core, in the motion frame

  Element element() const;
  bool has_rims() const { return solid->has_rims(); }

  Vec3 from_body(const Vec3& x) const {
    return motion.orientation.conjugate() * (x - motion.position);
  }
  Vec3 point(const Vec3& core) const {
    return from_body(solid->position + solid->orientation * core);
  }
  Vec3 direction(const Vec3& core) const {
    return motion.orientation.conjugate() * (solid->orientation * core);
  }
  Vec3 point_from_world(const Vec3& x) const {
    return from_body(pose.orientation.conjugate() * (x - pose.position));
  }
  Vec3 direction_from_world(const Vec3& d) const {
    return motion.orientation.conjugate() * (pose.orientation.conjugate() * d);
  }
  Vec3 direction_to_world(const Vec3& d) const {
    return pose.orientation * (motion.orientation * d);
  }

  const geometry::ConvexPolyhedron& core() const { return solid->core; }
  Vec3 vertex(int v) const;
  Vec3 edge_vector(int e) const;

  /// Of the element, in the motion frame.
  CarriedFeature carried_point() const;
  CarriedFeature carried_line() const;
  CarriedFeature carried_edge(int edge) const;  ///< of a core with edges, of which it is one
  /// The direction of the line, also on the side of a cylinder or cone, where the normal is along
  /// `normal`.
  Vec3 straight_line(const Vec3& normal) const;
  CarriedFeature carried_plane(const Feature& face) const;
  /// The side of a contact of kind `smooth`.
  SmoothSide smooth_side() const;
  /// The same for a rim in a bowl: a ring without a tube.
  SmoothSide smooth_rim() const;
  /// How far below the surface the core point of a contact of kind `smooth` is taken to be, m.
  double depth() const {
    return solid->kind == narrow::SolidKind::curved ? solid->surface->inner_radius()
                                                    : solid->rounding;
  }
  /// Of an arc on the rim of this side.
  RimArc carried_arc(int atom) const;
  /// Of the circle on the surface of a ring that has a given point of it, at the angle of this
  /// side's feature.
  RimArc carried_circle(const Vec3& on_surface) const;

  /// Guards of what the element is part of. `other_depth` is the depth of the other side.
  void guard_plane(int side, const Feature& face, std::vector<Guard>& guards) const;
  void guard_line_ends(int side, double other_depth, std::vector<Guard>& guards) const;
  void guard_wedge(int side, std::vector<Guard>& guards) const;
  /// `lines` are the directions of straight lines with which the other side touches, or which end
  /// there, in this side's motion frame.
  void guard_point(int side, const std::vector<Vec3>& lines, std::vector<Guard>& guards) const;
  /// Of the tangent of a rim: the other side's line, in this side's motion frame, leaves the disc
  /// by `lift` (m) over the chord that they have in common.
  void guard_slant(int side, const Vec3& line, double lift, std::vector<Guard>& guards) const;
  /// `on_line`: the other side touches with a straight line.
  void guard_rim(int side, bool on_line, std::vector<Guard>& guards) const;
  /// Of a rim that something round touches, which may come to lie over the flat end.
  void guard_flat_end(int side, std::vector<Guard>& guards) const;

 private:
  Vec3 rim_centre(int atom) const { return point(solid->surface->atoms()[atom].centre()); }
  double rim_radius(int atom) const { return solid->surface->atoms()[atom].outer_radius(); }
  /// The place on the rim that is nearest to the place of the contact.
  Vec3 nearest_on_rim(int atom) const;
};

}  // namespace abut::contact
