#pragma once
// Where a body's motion frame is throughout a step, as polynomials of time, for proofs.
//
// Over a step centres and quaternions of dynamic bodies are polynomials
// (motion/polynomial_motion.h), and those of scripts are near ones (motion/script_motion.h). With
// N = |q|^2 and M(q) = N R(q), the frame's place is c and its rotation M / N.

#include <array>

#include "math/polynomial.h"
#include "motion/polynomial_motion.h"
#include "motion/script_motion.h"

namespace abut::motion {

/// Motion frame of a body over a step.
struct FrameOverStep {
  math::PolynomialVector centre;                   ///< c, m
  std::array<math::PolynomialVector, 3> rotation;  ///< M, by columns
  math::Polynomial weight{1};                      ///< N
  double reach = 0;                                ///< size of the coordinates, m
  double centre_error = 0;  ///< by which the body's centre may be off that, m
  double turn_error = 0;    ///< and its orientation, rad

  static FrameOverStep resting(const Pose& pose);
  /// From the coefficients of a polynomial motion.
  static FrameOverStep moving(const PolynomialMotion::CentreCoefficients& centre,
                              const PolynomialMotion::QuaternionCoefficients& quaternion);
  static FrameOverStep scripted(const ScriptPiece& piece);
  /// As it is at one instant, s in [0, 1].
  FrameOverStep at(double s) const;
};

/// What rounding does to coordinates of two bodies, whose differences are taken first, m.
double rounding_between(const FrameOverStep& a, const FrameOverStep& b);

/// M v.
math::PolynomialVector turned(const FrameOverStep& frame, const Vec3& v);

}  // namespace abut::motion
