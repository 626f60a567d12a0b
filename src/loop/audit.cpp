#include "loop/audit.h"

#include <algorithm>
#include <cmath>

namespace abut::loop {
namespace {

// Of what a load would do or give, this fraction is a scale to compare errors with (dimensionless):
// much more than its rounding, and so little that it hides no error of bodies in motion.
constexpr double load_fraction = 1e-3;

double ratio(double error, double scale) {
  return scale > 0 ? error / scale : error;
}

}  // namespace

void ExactSum::add(double term) {
  const double sum = sum_ + term;
  carry_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
}

void EnergyAudit::add(const Energy& energy, const Load& load) {
  if (!started_) first_ = energy;
  started_ = true;
  last_ = energy;
  worst_ = std::max(worst_, std::abs(energy.balance() - first_.balance()));
  scale_ =
      std::max({scale_, load_fraction * load.work,
                energy.kinetic + energy.elastic + std::abs(energy.potential - first_.potential) +
                    std::abs(energy.dissipated) + std::abs(energy.work)});
}

double EnergyAudit::relative_error() const {
  return ratio(worst_, scale_);
}

void MomentumAudit::add(double t, const integrate::Momentum& now, const integrate::Balance& came_in,
                        const Load& load) {
  if (!started_) {
    first_ = now;
    came_in_before_ = came_in;
  }
  started_ = true;
  pressed_ += load_fraction * load.force * (t - time_);
  time_ = t;
  const double held = std::max({scale_.weight * t, pressed_, scale_.resting});
  const Vec3 linear = came_in.impulse - came_in_before_.impulse;
  const Vec3 angular = came_in.angular_impulse - came_in_before_.angular_impulse;
  worst_linear_ = std::max(worst_linear_, (now.linear - first_.linear - linear).norm());
  linear_scale_ = std::max({linear_scale_, now.linear_scale, linear.norm(), held});
  worst_angular_ = std::max(worst_angular_, (now.angular - first_.angular - angular).norm());
  angular_scale_ = std::max(
      {angular_scale_, now.angular_scale, angular.norm(), held * std::max(now.reach, scale_.size)});
}

double MomentumAudit::relative_error() const {
  return std::max(ratio(worst_linear_, linear_scale_), ratio(worst_angular_, angular_scale_));
}

}  // namespace abut::loop
