#pragma once
// One point of contact as a function of the motion of its two bodies: the gap, its rate, and how
// its second derivative depends on accelerations.
//
// Curved surfaces are told of in smooth_gap.h. Every other body is a core of flat features,
// thickened by a rounding radius (zero for polyhedra). What touches what decides how the distance d
// of the cores is measured, with x the points of the features that are nearest, v their velocities
// as material points and n the unit normal from b to a:
//   point on plane    n fixed in the plane's body,  n' = omega x n
//   edge on edge      n = +-(e_a x e_b) / |e_a x e_b|,
//                     n' = (I - n n^T) (+-)[(omega_a x e_a) x e_b + e_a x (omega_b x e_b)] / |...|
//   point on point    n = (x_a - x_b) / d
//   point on line     the same, x_b sliding along the line
// In all of them d' = n . (v_a - v_b), and with the accelerations a of the material points
//   plane, edges      d'' = n . (a_a - a_b) + 2 n' . (v_a - v_b) - d |n'|^2
//   point             d'' = n . (a_a - a_b) + (|V|^2 - (n.V)^2) / d,           V = v_a - v_b
//   line              that less d (V.e / d + n.e')^2,                          e' = omega_b x e
// The first is d = n . (x_a - x_b) differentiated twice, n'' . n = -|n'|^2 because n is of unit
// length; the last is the Schur complement of a distance that is minimal along the line.
//
// Friction acts across the normal, at a place p on one of the two surfaces, on the slip
//     u = v_a + omega_a x (p - c_a) - v_b - omega_b x (p - c_b).
// The place moves over both bodies (a wheel's over the wheel and over the road), so that
//     u' = a_a + alpha_a x (p - c_a) + omega_a x (p' - v_a) - (the same of b),
// with p' from the velocities of the nearest points as places, not as material points.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "abut/types.h"
#include "body/constraint.h"
#include "contact/contact_set.h"
#include "model/model.h"
#include "narrow/body_shape.h"

namespace abut::contact {

enum class GapKind { point_plane, edge_edge, point_point, point_line, smooth };

struct SmoothPair;

/// A point, line or plane that a body carries, in its motion frame.
struct CarriedFeature {
  Vec3 point = Vec3::Zero();
  Vec3 direction = Vec3::UnitZ();  ///< of the line, or the plane's outward normal; unit
};

/// What a guard watches. With x the other body's nearest core point (an edge's own one where edges
/// cross) in the motion frame of its side, the contact stays on its features as long as
enum class GuardKind : std::uint8_t {
  border,  ///< inward . x >= offset
  round,   ///< x is within `offset` of the line through `at` along `inward`
  beyond,  ///< x is farther than `offset` from that line
  normal,  ///< inward . m >= offset, with m the side's outward normal; `inward` is in m
  tilt,    ///< the side's point `at` is no higher than `offset` above the other side's plane
  slant    ///< |inward . d| <= offset, with d the direction of the other side's line
};

struct Guard {
  int side = 0;
  Vec3 inward = Vec3::UnitX();
  double offset = 0;
  GuardKind kind = GuardKind::border;
  Vec3 at = Vec3::Zero();
};

/// An arc of a rim that lies on a plane of the other body, or of the circle on which a flat ring
/// rests: contacts can be made at any place of it. In the motion frame of the rim's side the places
/// are centre + cos(angle) x + sin(angle) y.
struct RimArc {
  int side = 0;
  int atom = 0;  ///< ring_atom: a ring has no atoms
  Vec3 centre = Vec3::Zero();
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitY();  ///< as long as the radius
  static constexpr int ring_atom = -1;
  double from = 0, to = 0;  ///< rad; to > from, by 2 pi for the whole rim
  double lift = 0;  ///< height of a point above the plane from which on the rim does not lie on it

  Vec3 at(double angle) const { return centre + std::cos(angle) * x + std::sin(angle) * y; }
};

struct Contact {
  std::array<BodyIndex, 2> bodies = {world, world};  ///< a, b
  ContactLabel label;
  GapKind kind = GapKind::point_plane;
  /// Which side has the point, where the features differ: then the other one has plane or line.
  int point_side = 0;
  std::array<CarriedFeature, 2> features;
  std::array<double, 2> rounding_of = {0, 0};  ///< radius of each side, m
  double edge_sign = 1;                        ///< before e_a x e_b
  std::shared_ptr<const SmoothPair> smooth;    ///< of that kind
  std::vector<Guard> guards;
  std::shared_ptr<const RimArc> arc;  ///< of a place on a rim that lies on a plane
  /// The pairs of parts that lie on its plane, where it stands for contacts of several
  /// (contact/reduced.h); null: only its own.
  std::shared_ptr<const std::set<std::pair<int, int>>> flush;
  /// Heights above the plane of contact up to which a rim counts as lying on it, m.
  double flatness = 0;
  /// The gap it is kept at while it lasts, where that is more than the rest gap, m: see
  /// loop/gaps.h.
  double kept_gap = 0;
  double restitution = 0;
  model::Friction friction;
  /// The normal where the contact was found: the tangents are turned with the normal from there,
  /// so that they change smoothly (half a turn away they would not).
  Vec3 first_normal = Vec3::UnitZ();
  /// Where slip begins from rest: the unit direction in which a begins to slip against b, across
  /// first_normal; otherwise zero. Such contacts are guided: see force/slip.h.
  Vec3 gives_way = Vec3::Zero();
  /// Slip does not begin but goes on, slowly and straight, in the direction that it had.
  bool slips_on = false;
  /// The force on a that was found where motion is to begin, N: whoever looks for it there again
  /// starts from it, and so finds the same where it is not unique. Zero: not known.
  Vec3 force_found = Vec3::Zero();
  /// Of a corner that sticks on a face: where, in the motion frame of the face's body. Its rows of
  /// slip then have values, the distance from there, and it cannot creep.
  std::optional<Vec3> anchor;

  void give_way(const Vec3& along) {
    gives_way = (along - first_normal * first_normal.dot(along)).normalized();
    slips_on = false;
  }
  void slip_on(const Vec3& along) {
    give_way(along);
    slips_on = true;
  }
  void hold() {
    gives_way = Vec3::Zero();
    slips_on = false;
  }
  /// Whether it touches with the same points of both bodies as long as it sticks: it does not roll.
  bool is_corner_on_face() const {
    return kind == GapKind::point_plane && rounding_of[point_side] == 0;
  }
  bool is_guided() const { return !gives_way.isZero(0); }
  bool begins_to_slip() const { return is_guided() && !slips_on; }
  bool has_friction() const { return friction.static_coefficient > 0; }
  double rounding() const { return rounding_of[0] + rounding_of[1]; }
  /// Whether it is the same place of the same bodies.
  bool is_same_place(const Contact& other) const {
    return bodies == other.bodies && label == other.label;
  }
};

/// Whether the list has a contact at the same place.
inline bool contains(const std::vector<Contact>& list, const Contact& contact) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Contact& one) { return one.is_same_place(contact); });
}

/// How far outside of its features a contact may be, as multiples of the contact distance. The
/// search for regions tells neighbouring features apart only beyond four: a place it finds on a
/// feature that is outside by `lost_support` has its right feature found beside it. A contact that
/// moves has left its features halfway to `support_slack`, which is where the event is located.
inline constexpr double support_slack = 12;
inline constexpr double lost_support = 5;

/// A contact at one instant.
struct ContactNow {
  body::ConstraintRow row;          ///< value: the gap
  Vec3 normal = Vec3::UnitZ();      ///< from b to a
  std::array<Vec3, 2> points = {};  ///< nearest points of the cores
  Vec3 turning = Vec3::Zero();      ///< n'
  std::array<Vec3, 2> drift = {};   ///< velocities of the nearest points, as places
  /// A margin like those of guards, m: negative where the place of a ring's contact is no longer
  /// one of its own, because the whole circle comes as near.
  double firmness = std::numeric_limits<double>::infinity();
};

ContactNow evaluate(const Contact& contact, const body::RigidMotion& a, const body::RigidMotion& b);

/// The smallest of inward . x - offset over the guards, m; negative once the contact has left its
/// features, infinite where it cannot.
double support_margin(const Contact& contact, const ContactNow& now, const body::RigidMotion& a,
                      const body::RigidMotion& b);

/// The place of the contact in the world: halfway between the surfaces.
Vec3 place_of(const Contact& contact, const ContactNow& now);

/// The slip along two directions across the normal, of a guided contact across its direction and
/// along it, as rows: their rates are the components of u, their values are not defined without an
/// anchor. The bias holds where the bodies stick, u = 0.
std::array<body::ConstraintRow, 2> tangent_rows(const Contact& contact, const ContactNow& now,
                                                const body::RigidMotion& a,
                                                const body::RigidMotion& b);

/// The contact moved to another angle (rad) of its arc.
Contact moved_along_arc(const Contact& contact, double angle);

/// The contacts at the points of a region. Poses are those of the body frames, at which the region
/// was found; the bodies' indices and restitution are left to the caller.
std::vector<Contact> contacts_of(const ContactRegion& region, const model::Body& a,
                                 const narrow::BodyShape& shape_a, const Pose& pose_a,
                                 const model::Body& b, const narrow::BodyShape& shape_b,
                                 const Pose& pose_b);

}  // namespace abut::contact
