#pragma once
// The motion of a dynamic body over one integration step: polynomials of degree 7 in time.
//
// The attitude is u(t) = q(t) / |q(t)| with q a polynomial in R^4, so it is a rotation exactly at
// every instant, not only at the ends of the step.

#include "math/bernstein.h"
#include "motion/kinematics.h"

namespace abut::motion {

class PolynomialMotion {
 public:
  using CentreCoefficients = math::BernsteinCoefficients<3, 8>;
  using QuaternionCoefficients = math::BernsteinCoefficients<4, 8>;  // x, y, z, w

  PolynomialMotion() = default;
  PolynomialMotion(double begin, double end, const CentreCoefficients& centre,
                   const QuaternionCoefficients& quaternion);

  double begin() const { return begin_; }
  double end() const { return end_; }

  Pose pose(double t) const;
  Kinematics kinematics(double t) const;

  /// Of the part of the motion over [from, to] within [begin, end].
  CentreCoefficients centre_over(double from, double to) const;
  QuaternionCoefficients quaternion_over(double from, double to) const;

  /// Holds over all of [from, to], which must lie within [begin, end].
  SpeedBound speed_bound(double from, double to) const;
  AccelerationBound acceleration_bound(double from, double to) const;

 private:
  // Bounds over the whole step, by its length and its square.
  struct Largest {
    double velocity = 0;      // |c'|
    double acceleration = 0;  // |c''|
    double turn = 0;          // |q'|
    double bend = 0;          // |q''|
  };

  double parameter(double t) const;
  template <int Rows>
  static double derivative_bound(const math::BernsteinCoefficients<Rows, 8>& p, double largest,
                                 double largest_second, double a, double b);
  double turn_bound(double a, double b) const;               // of |q'|
  double spin_bound(double turn, double a, double b) const;  // of |omega|, rad/s

  double begin_ = 0;
  double end_ = 0;
  CentreCoefficients centre_;
  QuaternionCoefficients quaternion_;
  Largest largest_;
};

}  // namespace abut::motion
