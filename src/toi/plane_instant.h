#pragma once
// A held plane at an instant, and how fast it can turn over an interval.
//
// A carried plane turns with its body. Every other one is told by unit directions e_a, e_b of the
// bodies to which its normal keeps constant angles, n.e_a = l_a and n.e_b = l_b: those of edges and
// of cylinders' axes lie in the plane (l = 0), the lines of a cone lean towards its axis. With
//     D = (e_a x e_b) . n
// the derivative follows from n'.e_a = -n.e_a', n'.e_b = -n.e_b' and n'.n = 0,
//     n' = [ -(n.e_a') e_b x n - (n.e_b') n x e_a ] / D,
// and with w and c bounds of the sums of the spins and of the angular accelerations
//     |n'| <= w / D,     |n''| <= (c + w^2) / D + 2 |n'|^2 + |n'|^2 |e_a x e_b| / D,
// since n''.e = -2 n'.e' - n.e'' and n''.n = -|n'|^2. D itself changes by w + |n'| at most.
// Between a point and a line e, with r the unit vector across the line to the point,
//     n = l e + sqrt(1 - l^2) r.

#include "toi/held_plane.h"

namespace abut::toi {

struct PlaneInstant {
  motion::Kinematics a, b;
  Vec3 n, turning;    ///< the normal from b to a, and its rate
  Vec3 qa, qb;        ///< points of both bodies from which heights are measured, world
  double spread = 1;  ///< D of directions, or distance of points
};

/// Precondition: the plane is not a followed one.
PlaneInstant plane_instant(const HeldPlane& plane, const motion::BodyPath& a,
                           const motion::BodyPath& b, double t);

/// An upper bound of |h''| over [t, t + h] for the height of all watched points. Infinite if a
/// plane that is not carried could lose more of its spread than the bounds of n' and n'' allow for.
double curvature_bound(const HeldPlane& plane, const PlaneInstant& now, const motion::BodyPath& a,
                       const motion::BodyPath& b, double t, double h);

/// Of a point that a body carries, in space.
inline Vec3 place_of(const motion::Kinematics& k, const Vec3& local) {
  return k.pose.position + k.pose.orientation * local;
}
inline Vec3 velocity_at(const motion::Kinematics& k, const Vec3& x) {
  return k.velocity + k.angular_velocity.cross(x - k.pose.position);
}

}  // namespace abut::toi
