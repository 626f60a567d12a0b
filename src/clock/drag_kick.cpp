#include "clock/drag_kick.h"

#include <cmath>
#include <utility>

namespace abut::clock {
namespace {

double phi(double z) {
  return z > 0 ? -std::expm1(-z) / z : 1;
}

double slope_of(const model::Drag& drag, const Vec3& velocity) {
  return drag.linear + 2 * drag.quadratic * (velocity - drag.wind).norm();
}

Vec3 resistance_of(const model::Drag& drag, const Vec3& velocity) {
  const Vec3 against = velocity - drag.wind;
  return (drag.linear + drag.quadratic * against.norm()) * against;
}

}  // namespace

DragKick::DragKick(std::vector<const model::Drag*> drags, const body::Mass& mass,
                   const Quat& attitude, const Vec3& velocity, const Vec3& spin, double kick)
    : drags_(std::move(drags)),
      mass_(&mass),
      attitude_(attitude),
      velocity_(velocity),
      spin_(spin),
      kick_(kick) {
  for (const model::Drag* drag : drags_) {
    resistance_ += resistance_of(*drag, velocity);
    slope_ += slope_of(*drag, velocity);
    angular_ += drag->angular;
  }
  yields_.inverse_mass = phi(kick * slope_ / mass.mass) / mass.mass;
  const Mat3 axes = attitude.toRotationMatrix();
  const Vec3 inverse = mass.principal.unaryExpr(
      [&](double moment) { return phi(kick * angular_ / moment) / moment; });
  yields_.inverse_inertia = axes * inverse.asDiagonal() * axes.transpose();
}

Vec3 DragKick::acceleration(const Vec3& force) const {
  return yields_.inverse_mass * (force - resistance_);
}

Vec3 DragKick::slowed(const Vec3& torque) const {
  const Vec3 left = attitude_.conjugate() * (torque - angular_ * spin_);
  const Vec3 part =
      mass_->principal.unaryExpr([&](double moment) { return phi(kick_ * angular_ / moment); });
  return attitude_ * part.cwiseProduct(left);
}

// Each has its part of what the resistances at the beginning do not tell.
double DragKick::work(const Vec3& impulse) const {
  const Vec3 more = impulse + kick_ * resistance_;
  double work = 0;
  for (const model::Drag* drag : drags_) {
    Vec3 own = -kick_ * resistance_of(*drag, velocity_);
    if (slope_ > 0) own += slope_of(*drag, velocity_) / slope_ * more;
    work += own.dot(drag->wind);
  }
  return work;
}

DragKick DragKick::at(const Vec3& velocity, const Vec3& spin) const {
  return {drags_, *mass_, attitude_, velocity, spin, kick_};
}

}  // namespace abut::clock
