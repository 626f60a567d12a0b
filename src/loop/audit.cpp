#include "loop/audit.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"

namespace abut::loop {
namespace {

// What is not a number is worse than any.
double worse(double worst, double error) {
  return std::isfinite(error) ? std::max(worst, error) : infinity;
}

double ratio(double error, double scale) {
  if (error == infinity) return infinity;
  return scale > 0 ? error / scale : error;
}

}  // namespace

void ExactSum::add(double term) {
  const double sum = sum_ + term;
  carry_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
}

void MomentumAudit::add(double t, const integrate::Momentum& now, const integrate::Balance& came_in,
                        const record::Load& load) {
  if (!started_) {
    first_ = now;
    came_in_before_ = came_in;
  }
  started_ = true;
  pressed_ += record::load_fraction * load.force * (t - time_);
  time_ = t;
  const double held = std::max({scale_.weight * t, pressed_, scale_.resting});
  const Vec3 linear = came_in.impulse - came_in_before_.impulse;
  const Vec3 angular = came_in.angular_impulse - came_in_before_.angular_impulse;
  worst_linear_ = worse(worst_linear_, (now.linear - first_.linear - linear).norm());
  linear_scale_ = std::max({linear_scale_, now.linear_scale, linear.norm(), held});
  worst_angular_ = worse(worst_angular_, (now.angular - first_.angular - angular).norm());
  angular_scale_ = std::max(
      {angular_scale_, now.angular_scale, angular.norm(), held * std::max(now.reach, scale_.size)});
}

double MomentumAudit::relative_error() const {
  return std::max(ratio(worst_linear_, linear_scale_), ratio(worst_angular_, angular_scale_));
}

}  // namespace abut::loop
