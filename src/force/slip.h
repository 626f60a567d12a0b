#pragma once
// Contacts that slip, and the lean that friction gives their force.
//
// Sliding friction is mu f against the direction t of the slip, f being the normal force: of both
// together the direction is n - mu t (Baraff 1993, section 5). So it takes no unknown of its own.
//
// The slower the slip v, the faster its direction t turns to where friction balances what else acts
// across it: within times of v m / (mu f). Where slip begins from rest that is no time at all, and
// no integration could follow. But it needs none: the direction is where it settles from the
// beginning. Such a contact is guided: it keeps the direction in which slip began, with as little
// force across it as that takes, like a blade. Once that force says that the direction should turn,
// or slip is fast enough to be followed, it is set free.

#include "force/contact_forces.h"

namespace abut::force {

// Slip may also become slow without stopping, where a body turns about another contact, or where
// its direction goes round. Its direction would have to be followed in steps that are as short.
// Slip that friction could stop within creep_time is stopped where motion begins anew, if it does
// not go on when all contacts are asked (loop/implicit_step.h).

/// Under the weight, at the gravity of the earth, the slip that is taken out would have gone on for
/// 5e-12 m at most, s.
inline constexpr double creep_time = 1e-6;

/// Contacts that stick are left with slip of up to this, m/s: rows that depend on each other are
/// not held to the last digit.
inline constexpr double still_speed = 1e-9;

/// Slip is fast once it has the speed that the accelerations give it in this time, s: then its
/// direction takes about that time to settle, and can be followed.
inline constexpr double free_slip_time = 1e-3;

/// The angle by which the direction of a guided contact may be wrong, rad: that must not make a
/// speed across it of more than 1e-10 m/s, and be small in any case.
double allowed_guiding_angle(double speed);

/// A contact's slip at an instant.
struct Slip {
  Vec3 velocity = Vec3::Zero();  ///< of a against b, across the normal, m/s
  double none = 0;               ///< speed up to which rounding cannot tell it from zero, m/s
  double still = 0;              ///< speed up to which a contact that sticks may be left with, m/s
  double stopped = 0;            ///< speed up to which a contact is let stick if it can, m/s

  bool is_none() const { return velocity.norm() <= none; }
  bool is_still() const { return velocity.norm() <= still; }
  bool has_stopped() const { return velocity.norm() <= stopped; }
  /// Whether slip along a direction is at its end: rounding is all that is left of it, or it has
  /// hardly begun to turn back, as where several stop within less than a time can be told by.
  bool is_over(const Vec3& along) const {
    return is_still() || (has_stopped() && velocity.dot(along) < 0);
  }
};

/// `tangents`: the two rows of slip of a contact of the set.
Slip slip_of(const ConstraintSet& set, const BodiesNow& bodies, int contact,
             const impulse::SystemRow* tangents);

/// The unit direction of the slip, near `before`, which it had a moment ago. Slip that stops is
/// continued beyond as if it went on backwards with its direction kept: what lies beyond is never
/// kept, but to find where the slip stops the forces must be smooth there. Slip that is all but
/// still has no direction of its own: what it has left across `before` would turn it there and back
/// within no time.
Vec3 continued_direction(const Slip& slip, const Vec3& before);

/// What is left to a contact that begins to slip along a direction from before, where it was still,
/// or about to turn back.
Vec3 leftover_of(const Slip& slip, const Vec3& along);

/// The unit direction of the slip; `otherwise` if there is none.
Vec3 direction_of(const Slip& slip, const Vec3& otherwise);

/// Lets the force of a contact lean against slip along a unit direction.
void lean(impulse::SystemRow& normal, const impulse::SystemRow* tangents, const Vec3& along,
          double friction);

}  // namespace abut::force
