#pragma once
// Contact by springs (Moore & Wilhelms 1988, section 3.1; Baraff 1993, section 4.2): bodies that
// overlap push each other apart.
//
// Normal force. At depth d > 0, which changes at the rate d' (the gap is -d), a spring of stiffness
// k pushes with
//     f = k d                    while the bodies approach,
//     f = k e^2 d                while they recede,
// with e the coefficient of restitution. On the way in it stores k d^2 / 2 = m v^2 / 2, on the way
// out it gives e^2 of that back: the rebound speed is e v, for every k. (Moore and Wilhelms
// multiply by an elasticity epsilon; that is a ratio of energies, e^2.)
//
// All of it is a spring k and a force that only opposes receding,
//     f = k d (1 - (1 - e^2) s),     s = 0 approaching, 1 receding,
// so that k d^2 / 2 is stored and k d (1 - e^2) s (-d') >= 0 is dissipated: in whatever order a
// spring is compressed and relaxed, it gives no energy that was not put in.
//
// Rest. Where k e^2 d < load < k d, a body that recedes is pressed back and one that approaches is
// pushed out: it stays, and the force is between the two. There s rises with the speed of receding
// from 0 to 1 at the rest speed: the body creeps out until k d is the load.
//
// Friction is Coulomb's law regularised: within the creep speed the coefficient rises with the slip
// from zero to the static one, and beyond it falls to the dynamic one at twice the creep speed. So
// what sticks creeps, more slowly than that; what slides faster has the friction of Coulomb.

#include <cstdint>

#include "contact/contact.h"

namespace abut::force {

/// What a spring does: `loading` while its depth grows, `unloading` while it shrinks, `resting`
/// where it does neither for long.
enum class SpringPhase : std::uint8_t { loading, unloading, resting };

/// A spring at a contact point.
struct ContactSpring {
  contact::Contact contact;
  double stiffness = 0;   ///< N/m
  double rest_speed = 1;  ///< of receding, m/s: at and above it a spring that rests has s = 1
  SpringPhase phase = SpringPhase::loading;

  /// Whether it pushes the same way in and out, so that its phase does not matter.
  bool is_elastic() const { return contact.restitution >= 1; }
};

/// What a spring does to the first body of its contact at an instant, N; the opposite to the second
/// one.
struct SpringForce {
  double normal = 0;             ///< along the normal, >= 0
  Vec3 friction = Vec3::Zero();  ///< across it
  double spent = 0;              ///< power that the normal force dissipates, W
  double rubbed = 0;             ///< power that friction dissipates, W
};

/// At a gap (m; negative: overlap) with its rate (m/s) and the slip of the first body against the
/// second (m/s, across the normal). `creep` is that of friction.
SpringForce force_of(const ContactSpring& spring, double gap, double rate, const Vec3& slip,
                     double creep);

/// k d^2 / 2, J.
double energy_of(const ContactSpring& spring, double gap);

/// The coefficient of friction at a speed of slip, both in the same unit as creep. A coefficient mu
/// above 1 is reached at mu times the creep speed, so that rough contacts are no stiffer than
/// others.
double regularised_friction(const model::Friction& friction, double speed, double creep);

}  // namespace abut::force
