#include "loop/audit.h"

#include <algorithm>
#include <cmath>

namespace abut::loop {
namespace {

double ratio(double error, double scale) {
  return scale > 0 ? error / scale : error;
}

}  // namespace

void ExactSum::add(double term) {
  const double sum = sum_ + term;
  carry_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
}

void EnergyAudit::add(const Energy& energy) {
  if (!started_) first_ = energy;
  started_ = true;
  last_ = energy;
  worst_ = std::max(worst_, std::abs(energy.balance() - first_.balance()));
  scale_ = std::max(scale_, energy.kinetic + energy.elastic +
                                std::abs(energy.potential - first_.potential) +
                                std::abs(energy.dissipated) + std::abs(energy.work));
}

double EnergyAudit::relative_error() const {
  return ratio(worst_, scale_);
}

void MomentumAudit::add(double t, const integrate::Momentum& now,
                        const integrate::Balance& came_in) {
  if (!started_) {
    first_ = now;
    first_.linear -= came_in.impulse;  // of impacts at time 0
    first_.angular -= came_in.angular_impulse;
  }
  started_ = true;
  const double fallen = weight_ * t;
  worst_linear_ = std::max(worst_linear_, (now.linear - first_.linear - came_in.impulse).norm());
  linear_scale_ = std::max({linear_scale_, now.linear_scale, came_in.impulse.norm(), fallen});
  worst_angular_ =
      std::max(worst_angular_, (now.angular - first_.angular - came_in.angular_impulse).norm());
  angular_scale_ = std::max(
      {angular_scale_, now.angular_scale, came_in.angular_impulse.norm(), fallen * now.reach});
}

double MomentumAudit::relative_error() const {
  return std::max(ratio(worst_linear_, linear_scale_), ratio(worst_angular_, angular_scale_));
}

}  // namespace abut::loop
