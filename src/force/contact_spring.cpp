#include "force/contact_spring.h"

#include <algorithm>
#include <cmath>

namespace abut::force {
namespace {

// Rises from 0 at x = 0 to 1 at x = 1, where it becomes level.
double ramp(double x) {
  if (x <= 0) return 0;
  return x < 1 ? x * (2 - x) : 1;
}

// From 0 to 1, level at both ends.
double smooth_step(double x) {
  const double y = std::clamp(x, 0.0, 1.0);
  return y * y * (3 - 2 * y);
}

// The s of the header.
double receding(const ContactSpring& spring, double rate) {
  switch (spring.phase) {
    case SpringPhase::loading:
      return 0;
    case SpringPhase::unloading:
      return 1;
    case SpringPhase::resting:
      break;
  }
  return ramp(rate / spring.rest_speed);
}

}  // namespace

double regularised_friction(const model::Friction& friction, double speed, double creep) {
  const double rough = friction.static_coefficient, smooth = friction.dynamic_coefficient;
  const double x = speed / (creep * std::max(1.0, rough));
  return x <= 1 ? rough * ramp(x) : rough + (smooth - rough) * smooth_step(x - 1);
}

SpringForce force_of(const ContactSpring& spring, double gap, double rate, const Vec3& slip,
                     double creep) {
  SpringForce force;
  if (!(gap < 0)) return force;
  const double stored = -spring.stiffness * gap;
  const double e = spring.contact.restitution;
  const double lost = stored * (1 - e * e) * receding(spring, rate);
  force.normal = stored - lost;
  force.spent = lost * rate;
  const double speed = slip.norm();
  if (speed > 0 && spring.contact.has_friction()) {
    const double friction =
        regularised_friction(spring.contact.friction, speed, creep) * force.normal;
    force.friction = (-friction / speed) * slip;
    force.rubbed = friction * speed;
  }
  return force;
}

double energy_of(const ContactSpring& spring, double gap) {
  return gap < 0 ? 0.5 * spring.stiffness * gap * gap : 0;
}

}  // namespace abut::force
