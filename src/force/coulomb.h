#pragma once
// Forces of contacts with friction at an instant (Baraff 1993, sections 5 and 6): Coulomb's law on
// the true cone, for contacts that slip and contacts that do not, together with joints, limits and
// motors.

#include "force/contact_forces.h"

namespace abut::force {

/// As find_forces (active_set.h), for sets that have friction.
ContactForces find_coulomb_forces(const ConstraintSet& set, const BodiesNow& bodies,
                                  const std::vector<Inertia>& inertias,
                                  const std::vector<Twist>& free,
                                  const std::vector<ContactMode>* known);

}  // namespace abut::force
