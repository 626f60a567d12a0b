#pragma once
// Watches the rest of two parts that already touch.
//
// Where parts touch, their gap says nothing about what comes next. But the contacts hold a plane
// between the parts: the plane of a face that one of them carries, or the one that two crossing
// edges, or two rounded features, span. A further point of either part can only touch after it has
// come down to this plane. Its height h above it obeys, by Taylor's theorem,
//     h(t + s) >= h + s h' - s^2 K / 2,   |h''| <= K on [t, t + s],
// and with n the plane's normal, x the point and q the touching point of the other part,
//     h'' = n.(a_x - a_q) + 2 n'.(v_x - v_q) + n''.(x - q).
// Points that the contacts themselves keep at their height are not watched. Of a curved solid all
// points are: h + s h' is linear in x, so the support function gives its smallest value over the
// solid, a concave function of s.

#include <array>
#include <vector>

#include "motion/path.h"
#include "toi/core.h"
#include "toi/free_interval.h"

namespace abut::toi {

/// How the plane moves.
enum class PlaneMotion {
  carried,  ///< with the body `carrier`
  edges,    ///< spanned by the edges of both
  points    ///< across the line between a point of one body and a point or line of the other
};

struct HeldPlane {
  PlaneMotion motion = PlaneMotion::carried;
  int carrier = 1;              ///< of a carried plane; the side with the line, of points
  Vec3 normal = Vec3::UnitZ();  ///< of a carried plane: outward, in the carrier's motion frame
  double sign = 1;              ///< of edges: n = sign * e_a x e_b points from b to a
  bool has_line = false;        ///< of points: the carrier has a line
  /// A core point of each body that touches, in its motion frame.
  std::array<Vec3, 2> touching = {Vec3::Zero(), Vec3::Zero()};
  /// Of edges or the line, in the motion frames.
  std::array<Vec3, 2> directions = {Vec3::UnitX(), Vec3::UnitX()};
  double radii = 0;                          ///< sum of the roundings, m
  std::array<std::vector<Vec3>, 2> watched;  ///< core points of each body, in its motion frame
  std::array<CarriedSurface, 2> surfaces;    ///< curved solids that are watched
};

/// The longest interval from t, at most to `limit`, over which all watched points can be shown to
/// stay more than `clearance` above the plane.
FreeInterval free_interval(const HeldPlane& plane, const motion::BodyPath& a,
                           const motion::BodyPath& b, double t, double limit, double clearance);

/// The smallest height of a watched point at t, m; infinite if none is watched.
double lowest_height(const HeldPlane& plane, const motion::BodyPath& a, const motion::BodyPath& b,
                     double t);

}  // namespace abut::toi
