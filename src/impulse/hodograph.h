#pragma once
// The curve of the slip velocity as an impact's impulse grows, as a system of differential
// equations.
//
// With the independent variable tau, dtau = dp / v, the equations of slip_flow.h are regular
// however slow the slip becomes:
//     theta' = b(theta),   (ln v)' = a(theta),   p' = v,   (integral of s dp)' = v s,
//     (normal work)' = u_n v,   (friction work)' = mu v^2,
// and u_n is linear in the impulse.

#include <cmath>

#include "impulse/slip_flow.h"
#include "ode/dormand_prince_853.h"

namespace abut::impulse {

class Hodograph final : public ode::System {
 public:
  /// The unknowns, from where the curve began. `work` is that of the normal impulse, whatever its
  /// sign.
  enum Unknown { theta, log_speed, normal, tangent_x, tangent_y, work, friction, unknowns };

  /// Keeps a reference to the flow.
  Hodograph(const SlipFlow& flow, double mu, double slip_speed, double normal_speed)
      : flow_(flow), mu_(mu), slip_speed_(slip_speed), normal_speed_(normal_speed) {}

  int dimension() const override { return unknowns; }
  void derivative(double tau, const ode::Vector& y, ode::Vector& rate) override;
  double error_norm(const ode::Vector& y0, const ode::Vector& y1, const ode::Vector& error,
                    double h) const override;

  static Vec2 direction(const ode::Vector& y) { return {std::cos(y[theta]), std::sin(y[theta])}; }
  double slip_speed(const ode::Vector& y) const { return slip_speed_ * std::exp(y[log_speed]); }
  double normal_speed(const ode::Vector& y) const {
    const Vec2 tangent(y[tangent_x], y[tangent_y]);
    return normal_speed_ + flow_.normal() * y[normal] - mu_ * flow_.coupling().dot(tangent);
  }
  double normal_rate(const ode::Vector& y) const { return flow_.normal_rate(mu_, direction(y)); }

  /// Goes on by a normal impulse so small that the direction does not change.
  void nudge(ode::Vector& y, double dp);

 private:
  const SlipFlow& flow_;
  double mu_;
  double slip_speed_, normal_speed_;  // where the curve began
};

}  // namespace abut::impulse
