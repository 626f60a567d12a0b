#pragma once
// How the relative velocity at a contact changes with the normal impulse while it slips or sticks.
//
// With p the normal impulse so far, s the direction of slip, v its speed and mu the dynamic
// coefficient, the impulse grows by dr = (1, -mu s) dp (Keller 1986). Write the collision matrix as
//     W = [ w  c^T ]
//         [ c   T  ].
// Then
//     du_n/dp =  w - mu c.s                    the normal rate
//     du_t/dp =  c - mu T s,                   or in polar coordinates, s' being s turned by 90
//     degrees, dv/dp   =  a(s) = c.s  - mu s.T s        the speed rate v dtheta/dp = b(s) = c.s' -
//     mu s'.T s    the turning rate
// b is the derivative of
//     Phi = c.s - mu s.T s / 2
// with respect to theta: the direction of slip climbs Phi towards a maximum, never past a zero of
// b, and never in circles.
//
// Slip that has stopped stays so if some tangential impulse q dp with |q| <= mu_static keeps it:
//     c + T q = 0.
// Otherwise slip begins anew, in a direction that it then keeps: b(s) = 0 with a(s) > 0, or
//     (mu T + a I) s = c,   |s| = 1.
// |(mu T + a I)^-1 c| falls as a grows, from |T^-1 c| / mu > 1 to 0: there is exactly one such a.
// (It is the multiplier of |s| <= 1 where the concave Phi is greatest on the disc: slip begins in
// the direction where Phi is greatest.)
//
// Wherever the normal rate is negative (jamb) slip slows down: W being positive semidefinite,
// (1, -mu s) . W (1, -mu s) = (w - mu c.s) - mu a >= 0, so mu a <= w - mu c.s < 0. So slip stops,
// and after that the normal rate is w - c.T^-1 c or at least mu a > 0: compression always ends.

#include <Eigen/Core>

#include "abut/types.h"

namespace abut::impulse {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

/// A collision matrix in axes in which T is diagonal.
class SlipFlow {
 public:
  /// Directions in which the bodies cannot yield are made exactly so.
  explicit SlipFlow(const Mat3& matrix);

  Vec2 to_principal(const Vec2& tangential) const { return axes_.transpose() * tangential; }
  Vec2 from_principal(const Vec2& principal) const { return axes_ * principal; }

  double normal() const { return normal_; }
  const Vec2& coupling() const { return coupling_; }

  double normal_rate(double mu, const Vec2& s) const { return normal_ - mu * coupling_.dot(s); }
  double speed_rate(double mu, const Vec2& s) const {
    return coupling_.dot(s) - mu * s.dot(tangential_.cwiseProduct(s));
  }
  double turning_rate(double mu, const Vec2& s) const {
    const Vec2 turned(-s.y(), s.x());
    return coupling_.dot(turned) - mu * turned.dot(tangential_.cwiseProduct(s));
  }
  /// The derivative of the turning rate with respect to the angle.
  double turning_slope(double mu, const Vec2& s) const {
    const Vec2 turned(-s.y(), s.x());
    return -speed_rate(mu, s) - mu * turned.dot(tangential_.cwiseProduct(turned));
  }
  /// The size of the terms in the rates of slip.
  double slip_scale(double mu) const { return coupling_.norm() + mu * tangential_.maxCoeff(); }

  /// q = -T^-1 c, of least norm: the tangential impulse per normal impulse that keeps a contact
  /// from slipping.
  Vec2 sticking_ratio() const;
  /// The normal rate while it sticks.
  double sticking_rate() const { return normal_ + coupling_.dot(sticking_ratio()); }
  /// The direction in which slip begins where sticking would take |q| > mu.
  Vec2 starting_direction(double mu) const;

 private:
  double normal_ = 0;
  Vec2 coupling_, tangential_;
  Mat2 axes_;  // columns: principal directions in the given tangents
};

}  // namespace abut::impulse
