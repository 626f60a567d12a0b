#pragma once
// Watches the rest of two parts that already touch.
//
// Where parts touch, their gap says nothing about what comes next. But the contacts hold a plane
// between the parts: the plane of a face that one of them carries, or the one that two crossing
// edges, or two rounded features, span. A further point of either part can only touch after it has
// come down to this plane; where points of both are watched, also two of them to each other. The
// height h of a point above the plane obeys, by Taylor's theorem,
//     h(t + s) >= h + s h' - s^2 K / 2,   |h''| <= K on [t, t + s],
// and with n the plane's normal, x the point and q the touching point of the other part,
//     h'' = n.(a_x - a_q) + 2 n'.(v_x - v_q) + n''.(x - q).
// Points that the contacts themselves keep at their height are not watched. Of a curved solid all
// points are: h + s h' is linear in x, so the support function gives its smallest value over the
// solid, a concave function of s.
//
// A rim that touches at one place stays off the plane elsewhere as long as its highest place does.
// The material point that is highest at t bounds it from below over the next interval.

#include <array>
#include <functional>
#include <vector>

#include "base/limits.h"
#include "motion/path.h"
#include "toi/core.h"
#include "toi/free_interval.h"

namespace abut::toi {

/// How the plane moves.
enum class PlaneMotion {
  carried,  ///< with the body `carrier`
  edges,    ///< spanned by straight lines of both, or at fixed angles to them
  points,   ///< across the line between a point of one body and a point or line of the other
  followed  ///< where a contact is just now; each body's points are watched from the other one
};

/// Where the plane of a contact is at an instant.
struct FollowedPlane {
  Vec3 normal = Vec3::UnitZ();  ///< from b to a, world
  Vec3 on_a = Vec3::Zero();     ///< surface points that touch, world
  Vec3 on_b = Vec3::Zero();
  /// The straight line of each body that touches, unit, world; zero if it touches with none. It
  /// lies in the plane.
  std::array<Vec3, 2> lines = {Vec3::Zero(), Vec3::Zero()};
};

/// A rim that touches the plane at one place, as a body carries it.
struct CarriedRim {
  Vec3 centre = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();  ///< unit
  double radius = 0;
  double flatness = 0;  ///< height up to which its highest place counts as touching too, m
};

struct HeldPlane {
  PlaneMotion motion = PlaneMotion::carried;
  int carrier = 1;              ///< of a carried plane; the side with the line, of points
  Vec3 normal = Vec3::UnitZ();  ///< of a carried plane: outward, in the carrier's motion frame
  double sign = 1;              ///< of edges: n = sign * e_a x e_b points from b to a
  bool has_line = false;        ///< of points: the carrier has a line in place of a point
  /// A core point of each body that touches, in its motion frame. Of a cylinder or cone that
  /// touches with its side, where the plane is not carried: the centre of a rim, which keeps its
  /// height.
  std::array<Vec3, 2> touching = {Vec3::Zero(), Vec3::Zero()};
  /// Of edges or the line, or the axes of cylinders and cones, in the motion frames.
  std::array<Vec3, 2> directions = {Vec3::UnitX(), Vec3::UnitX()};
  /// n.e of these: zero but for the axis of a cone, to which its lines lean.
  std::array<double, 2> levels = {0, 0};
  /// Of a carried plane: rims of the other body touch a line of the carrier along its direction.
  bool rims_cross_line = false;
  /// Sum of the roundings, m; of a followed plane that of the watched core points.
  double radii = 0;
  std::array<std::vector<Vec3>, 2> watched;     ///< core points of each body, in its motion frame
  std::array<CarriedSurface, 2> surfaces;       ///< curved solids that are watched
  std::array<std::vector<CarriedRim>, 2> rims;  ///< whose highest places are watched
  /// By what angle the bodies may turn against each other, from where the plane was found, before
  /// points that are not watched may touch, rad.
  double valid_turn = infinity;
  /// Of a followed plane: from the poses of the motion frames.
  std::function<FollowedPlane(const Pose& a, const Pose& b)> follow;
};

/// The longest interval from t, at most to `limit`, over which all watched points can be shown to
/// stay more than `clearance` above the plane.
FreeInterval free_interval(const HeldPlane& plane, const motion::BodyPath& a,
                           const motion::BodyPath& b, double t, double limit, double clearance);

/// The smallest height of a watched point at t, m; infinite if none is watched.
double lowest_height(const HeldPlane& plane, const motion::BodyPath& a, const motion::BodyPath& b,
                     double t);

}  // namespace abut::toi
