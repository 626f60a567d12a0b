#pragma once
// Proves that the gap of a contact stays between two bounds over a whole step.
//
// Over a step centres and quaternions are polynomials (motion/polynomial_motion.h), so that what a
// body carries moves on rational curves: with N = |q|^2 and M(q) the matrix N R(q), of polynomials,
//     x = (N c + M p) / N,   n = M m / N.
// With these a gap multiplied by its denominators is a polynomial, or compares with one after being
// squared:
//     point on plane    n.(x_a - c_b) - m.f - r
//     point on point    |x_a - x_b|^2 against (r + gap)^2
//     point on line     |(x_a - x_b) x e|^2 against (r + gap)^2 |e|^2
//     edge on edge      (+-)(e_a x e_b).(x_a - x_b) against (r + gap) |e_a x e_b|
// Convex solids are further apart than `gap` if a direction m, of polynomials too, parts them:
//     m.(x_a - x_b) - h_a(-m) - h_b(m) >= gap |m|
// with the support functions h of what is rounded or an ellipse about x: roots of polynomials. A
// polynomial w whose square is larger than what is under a root stands for it; m and w are taken
// from nine instants, and need not be exact for the proof to be one. From a circle a point may be
// apart without that (contact/ring_proof.cpp).
//
// A script's motion is near one of polynomials: by as much as points at the lever of the contact
// may be off that, the bounds are moved towards each other.

#include <cstdint>
#include <span>

#include "contact/contact.h"
#include "motion/frame_over_step.h"

namespace abut::contact {

using motion::FrameOverStep;

enum class GapProof : std::uint8_t {
  holds,  ///< the gap stays between the bounds
  fails,  ///< that could not be shown, though it can for motions that are smooth enough
  no_way  ///< there is no proof for contacts like this
};

/// Instants at which the normal of a contact is asked for.
inline constexpr int proof_instants = 9;

/// `normals` are those of a smooth contact at instants that divide the step evenly, its ends
/// included; for other kinds they are not needed. Without an upper bound `most` is infinite.
GapProof prove_gap(const Contact& contact, const FrameOverStep& a, const FrameOverStep& b,
                   double least, double most, std::span<const Vec3> normals);

}  // namespace abut::contact
