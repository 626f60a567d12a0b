#include "force/instant.h"

#include "impulse/equalities.h"
#include "impulse/mixed_problem.h"

namespace abut::force {

Instant::Instant(const ConstraintSet& set, const BodiesNow& bodies,
                 const std::vector<Inertia>& inertias, const std::vector<Twist>& free)
    : set_(set), bodies_(bodies), inertias_(inertias), rows_(set.evaluate(bodies)) {
  plain_ = impulse::RowSystem(rows_.rows, inertias);
  free_ = impulse::acceleration_bias(set, rows_, bodies, {}) + plain_.along(free);
}

void Instant::lean_against(int contact, const Vec3& along, double friction) {
  lean(rows_.rows[contact], &rows_.rows[set_.tangent_of(contact)], along, friction);
}

Vector Instant::rounding(const Vector& forces, const std::vector<int>& rows) const {
  return acceleration_rounding *
         (impulse::gathered(free_, rows).cwiseAbs() + system_.terms(rows, forces));
}

Vec3 Instant::slipping(const Vector& accelerations, int contact) const {
  Vec3 slipping = Vec3::Zero();
  for (const int k : {0, 1})
    slipping += accelerations[set_.tangent_of(contact) + k] * direction(contact, k);
  return slipping;
}

Vec3 Instant::force_on_a(const Vector& forces, int contact) const {
  Vec3 force = forces[contact] * rows_.rows[contact].push(0).linear;
  if (const int t = set_.tangent_of(contact); t >= 0)
    for (const int k : {0, 1}) force += forces[t + k] * direction(contact, k);
  return force;
}

}  // namespace abut::force
