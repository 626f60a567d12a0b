#include "clock/steady_push.h"

#include <algorithm>

namespace abut::clock {
namespace {

// What changes by less than this part of itself from kick to kick does not strike (dimensionless).
constexpr double steady_change = 0.5;

bool is_steady(double now, double before, double product) {
  const double change = now + before - 2 * product;
  return change <= steady_change * steady_change * std::min(now, before);
}

integrate::Wrench sum(double a, const integrate::Wrench& p, double b, const integrate::Wrench& q) {
  return {a * p.force + b * q.force, a * p.torque + b * q.torque};
}

}  // namespace

// Forces and torques are measured by the energy of the motion that they give. A push w that does
// the work w.u on a motion u is without it less M u (w.u) / (u.M u).
SteadyPush steady_push(const impulse::Inertia& inertia, const impulse::Twist& twist,
                       const Push& now, const Push& before, double h, double ago) {
  const auto product = [&inertia](const integrate::Wrench& p, const integrate::Wrench& q) {
    return inertia.inverse_mass * p.force.dot(q.force) +
           p.torque.dot(inertia.inverse_inertia * q.torque);
  };
  const double size = product(now.on, now.on), last = product(before.on, before.on);
  const double both = product(now.on, before.on);
  SteadyPush steady;
  if (is_steady(size, last, both)) {
    const double rate = 1 / std::max(h, ago), on = 0.5 * h * rate;
    steady.middle = sum(1 + on, now.on, -on, before.on);
    steady.rate = sum(rate, now.on, -rate, before.on);
    steady.power = (1 + on) * now.power - on * before.power;
  } else if (both > 0) {
    const integrate::Wrench momentum = {twist.linear / inertia.inverse_mass,
                                        inertia.inverse_inertia.inverse() * twist.angular};
    const integrate::Wrench& shared = size < last ? now.on : before.on;
    const double work = shared.force.dot(twist.linear) + shared.torque.dot(twist.angular);
    const double energy = product(momentum, momentum);
    steady.middle = energy > 0 ? sum(1, shared, -work / energy, momentum) : shared;
  }
  return steady;
}

}  // namespace abut::clock
