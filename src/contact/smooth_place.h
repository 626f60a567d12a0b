#pragma once
// Where the two sides of a smooth contact come nearest: of all such places the one that the contact
// is about, as a function of the poses alone.

#include <limits>

#include "contact/smooth_gap.h"
#include "geometry/circle_minima.h"

namespace abut::contact {

/// A contact that lasts has a gap below this times the reach of the coordinates (dimensionless):
/// other local minima are told from it by theirs.
inline constexpr double plausible_gap = 1e-6;

struct SmoothPlace {
  geometry::Extremum extremum;  ///< between the cores, without their roundings
  /// How far the place is from being lost, m: the whole circle of a ring may come to be as near.
  double firmness = std::numeric_limits<double>::infinity();
};

/// Bodies should be near the origin, or digits are lost.
SmoothPlace smooth_place(const SmoothPair& pair, const body::RigidMotion& a,
                         const body::RigidMotion& b);

/// The same where side `ring` is one.
SmoothPlace place_of_ring(const SmoothPair& pair, int ring, const body::RigidMotion& a,
                          const body::RigidMotion& b);

/// An atom of a curved solid, or a point.
geometry::PlacedAtom placed(const SmoothSide& side, const body::RigidMotion& body);

/// Of a ring or a rim.
geometry::PlacedCircle circle_of(const SmoothSide& side, const body::RigidMotion& body);

/// Of a line, a plane or the axis of a cone.
inline Vec3 direction(const SmoothSide& side, const body::RigidMotion& body) {
  return body.pose.orientation * side.feature.direction;
}

inline bool is_line(const SmoothSide& side) {
  return side.kind == SmoothSideKind::line;
}

inline bool is_rim(const SmoothSide& side) {
  return side.kind == SmoothSideKind::surface &&
         side.surface.surface->atoms()[side.atom].is_circle();
}

}  // namespace abut::contact
