#include "impulse/hodograph.h"

#include <algorithm>

#include "impulse/accuracy.h"

namespace abut::impulse {

void Hodograph::derivative(double /*tau*/, const ode::Vector& y, ode::Vector& rate) {
  const Vec2 s = direction(y);
  const double v = slip_speed(y);
  rate[theta] = flow_.turning_rate(mu_, s);
  rate[log_speed] = flow_.speed_rate(mu_, s);
  rate[normal] = v;
  rate[tangent_x] = v * s.x();
  rate[tangent_y] = v * s.y();
  rate[work] = normal_speed(y) * v;
  rate[friction] = mu_ * v * v;
}

// Impulses and friction work only grow; the normal work changes by at most u_n p.
double Hodograph::error_norm(const ode::Vector& y0, const ode::Vector& y1, const ode::Vector& error,
                             double /*h*/) const {
  const double impulse = y1[normal];
  const double speed = std::max(std::abs(normal_speed(y0)), std::abs(normal_speed(y1)));
  const double worst = std::max(
      {std::abs(error[theta]), std::abs(error[log_speed]), std::abs(error[normal]) / impulse,
       std::abs(error[tangent_x]) / impulse, std::abs(error[tangent_y]) / impulse,
       speed > 0 ? std::abs(error[work]) / (speed * impulse) : 0,
       std::abs(error[friction]) / y1[friction]});
  return worst / accuracy_of_one;
}

void Hodograph::nudge(ode::Vector& y, double dp) {
  ode::Vector rate(dimension());
  derivative(0, y, rate);
  const double half_change = 0.5 * normal_rate(y) * dp;
  y += dp / slip_speed(y) * rate;
  y[work] += half_change * dp;
}

}  // namespace abut::impulse
