#pragma once
// Which contacts carry forces, and how large these are at an instant (Baraff 1990, section 2;
// 1993, section 2): f >= 0, the accelerations of the gaps A f + b >= 0, complementary; joints
// without acceleration.
//
// Solved once where motion begins anew. In between the rows that carry the forces stay the same,
// and one factorisation of theirs gives the forces at each stage of the integration: no pivots.

#include "force/contact_forces.h"

namespace abut::force {

/// `free` are the accelerations of the bodies without the forces looked for, by slot. `known`, if
/// given, says what contacts do: those that stick have no slip, whatever little the bodies have
/// between the steps of the integration.
ContactForces find_forces(const ConstraintSet& set, const BodiesNow& bodies,
                          const std::vector<Inertia>& inertias, const std::vector<Twist>& free,
                          const std::vector<ContactMode>* known = nullptr);

/// Among all forces with the same effect those of least norm, for reports: f of `find_forces` is
/// one of many where contacts are redundant.
Vector least_norm_forces(const ConstraintSet& set, const BodiesNow& bodies,
                         const std::vector<Inertia>& inertias, const std::vector<Twist>& free);

}  // namespace abut::force
