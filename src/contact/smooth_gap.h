#pragma once
// The gap of a curved surface from a curved surface, a corner, an edge or a plane, as a function of
// the motion.
//
// Let n be the unit normal from b to a along which the gap chi is measured, x and y the nearest
// points, P the projection across n, and W_a, W_b the radii of curvature at x and y
// (geometry/convex_surface.h). The places x and y move with the bodies' material and, by xi and eta
// across n, over it:
//     x' = v_a(x) + xi,   y' = v_b(y) + eta.
// The normal belongs to both surfaces, so that it turns with each body and with the way over its
// surface, and x - y = chi n stays along it:
//     xi  = W_a (omega_a x n - n'),   eta = W_b (n' - omega_b x n),
//     P (v_a - v_b) + xi - eta = chi n'.
// Together
//     (W_a + W_b + chi) n' = P (v_a - v_b) + W_a (omega_a x n) + W_b (omega_b x n):
// a 2 x 2 system. It is exact at any gap; at chi = 0 it is the Schur complement of Baraff 1990,
// appendix C, with radii in place of curvatures. A plane carries n with it (n' = omega x n), an
// edge e one component of it (n'.e = (omega x n).e), and what is left of the last equation says how
// far the place moves along them. Then
//     chi'  = n . (v_a - v_b),
//     chi'' = n . (a_a - a_b) + n' . (v_a - v_b) + n . (omega_a x xi - omega_b x eta)
// with a the accelerations of the material points.
//
// The side of a cone is made of lines too, but its normals lean: m . e = level, with e its axis.
// Its radius of curvature across the line is s level / sqrt(1 - level^2) at the distance s from the
// apex. Where two such lines cross, both components of n are given, and the places run along the
// lines g_a, g_b with
//     alpha g_a - beta g_b = chi n' - P (v_a - v_b) - W_a (omega_a x n - n') + W_b (n' - omega_b x
//     n).
//
// The radii add up, so the system is singular only where corner meets corner without a gap. Flat
// spots, where Baraff's Jacobians are singular (appendix E), have radii that are large but cut off
// (geometry::largest_radius_factor): the gap's second derivative is then large, and finite.
//
// Nothing in this needs the surfaces to be convex. A bowl has the normal n of its solid where its
// cavity has -n, so its radii are those of the cavity with a minus sign. A ring has the outward
// normal m at x = R e + r m, with e the unit vector from its axis to the place on its circle, and
// m across the circle's direction t: turning m by dm moves e by t (t.dm) / (m.e), so that
//     W = r P + R / (m.e) t t^T:
// negative along the circle on the inner side (m.e < 0), infinite at the top.

#include <array>
#include <cstdint>

#include "contact/contact.h"
#include "geometry/extremal_normal.h"
#include "toi/core.h"

namespace abut::contact {

enum class SmoothSideKind : std::uint8_t {
  surface,  ///< an atom of a curved solid
  point,    ///< a corner, or the centre of a ball
  line,     ///< an edge, the axis of a capsule, or the lines of the side of a cylinder or cone
  plane,
  bowl,  ///< what is outside of a surface
  ring   ///< a circle, rounded
};

struct SmoothSide {
  SmoothSideKind kind = SmoothSideKind::surface;
  toi::CarriedSurface surface;  ///< of a curved solid; of a ring only its pose
  int atom = 0;
  double circle = 0;       ///< radius of a ring's circle, m
  CarriedFeature feature;  ///< point, line or plane, in the motion frame
  double rounding = 0;     ///< around a point, line or circle, m
  /// Of the side of a cone, whose feature is the apex and the axis towards it: the sine of half its
  /// angle. Outward normals m have m . direction = level, those of an edge 0.
  double level = 0;
};

/// What a contact of kind `smooth` measures its gap between.
struct SmoothPair {
  std::array<SmoothSide, 2> sides;
  Vec3 start = Vec3::UnitZ();  ///< normal to search from, from b to a, in b's motion frame
  /// How far below its surface each side's core point is taken to be, m: the rounding, or for a
  /// curved solid a depth that its guards can tell angles by.
  std::array<double, 2> depth = {0, 0};
  /// Of several places at once the one that lies farthest along this, in b's motion frame; zero:
  /// the nearest one.
  Vec3 apart = Vec3::Zero();
  /// Where each side touched when the contact was found, in its motion frame.
  std::array<Vec3, 2> places = {Vec3::Zero(), Vec3::Zero()};
  /// Of a rim or ring and a line across its circle: 1 for the end of the chord that the line's
  /// direction leads to, -1 for the other one, 0 if there is none.
  double chord_end = 0;
  double tolerance = 0;  ///< distance up to which parts count as touching, m
};

/// The same value for the same poses, whatever happened before: the search always begins at
/// `start` and goes on to what rounding allows.
ContactNow evaluate_smooth(const SmoothPair& pair, const body::RigidMotion& a,
                           const body::RigidMotion& b);

}  // namespace abut::contact
