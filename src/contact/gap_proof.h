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
// from nine instants, and need not be exact for the proof to be one.

#include <cstdint>
#include <span>

#include "contact/contact.h"
#include "math/polynomial.h"
#include "motion/polynomial_motion.h"

namespace abut::contact {

/// Motion frame of a body over a step.
struct FrameOverStep {
  math::PolynomialVector centre;                   ///< c, m
  std::array<math::PolynomialVector, 3> rotation;  ///< M, by columns
  math::Polynomial weight{1};                      ///< N
  double reach = 0;                                ///< size of the coordinates, m

  static FrameOverStep resting(const Pose& pose);
  /// From the coefficients of a polynomial motion.
  static FrameOverStep moving(const motion::PolynomialMotion::CentreCoefficients& centre,
                              const motion::PolynomialMotion::QuaternionCoefficients& quaternion);
};

enum class GapProof : std::uint8_t {
  holds,  ///< the gap stays between the bounds
  fails,  ///< that could not be shown, though it can for motions that are smooth enough
  no_way  ///< there is no proof for contacts like this
};

/// Instants at which the normal of a contact is asked for.
inline constexpr int proof_instants = 9;

/// `normals` are those of a smooth contact at instants that divide the step evenly, its ends
/// included; for other kinds they are not needed. Without an upper bound `highest` is infinite.
GapProof prove_gap(const Contact& contact, const FrameOverStep& a, const FrameOverStep& b,
                   double lowest, double highest, std::span<const Vec3> normals);

}  // namespace abut::contact
