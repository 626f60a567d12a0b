#pragma once
// Which contacts carry forces, and how large these are at an instant (Baraff 1990, section 2;
// 1993, section 2): f >= 0, the accelerations of the gaps A f + b >= 0, complementary; joints
// without acceleration.
//
// Solved once where motion begins anew. In between the rows that carry the forces stay the same,
// and one factorisation of theirs gives the forces at each stage of the integration: no pivots.

#include <algorithm>
#include <vector>

#include "impulse/constraint_set.h"
#include "impulse/mixed_problem.h"

namespace abut::force {

using impulse::BodiesNow;
using impulse::ConstraintSet;
using impulse::Inertia;
using impulse::Twist;
using impulse::Vector;

struct ContactForces {
  lcp::Status status = lcp::Status::solved;
  Vector forces;           ///< by row of the set, N (N m for angular rows)
  Vector accelerations;    ///< of the rows: the second derivatives of their gaps
  Vector free;             ///< what they would be without the forces
  Vector rounding;         ///< by which rounding may change them: they are sums of large terms
  std::vector<int> basis;  ///< rows that carry the forces and are independent of each other
  double residual = 0;
  double joint_residual =
      0;  ///< relative acceleration that redundant joints contradict each other by
  long pivots = 0;

  /// Whether nothing keeps a contact or limit closed, and it opens: its acceleration is more than
  /// rounding and than a tolerance.
  bool opens(int row, double tolerance) const {
    return forces[row] <= 0 && accelerations[row] > std::max(tolerance, rounding[row]);
  }
};

/// `free` are the accelerations of the bodies without the forces looked for, by slot.
ContactForces find_forces(const ConstraintSet& set, const BodiesNow& bodies,
                          const std::vector<Inertia>& inertias, const std::vector<Twist>& free);

/// Among all forces with the same effect those of least norm, for reports: f of `find_forces` is
/// one of many where contacts are redundant.
Vector least_norm_forces(const ConstraintSet& set, const BodiesNow& bodies,
                         const std::vector<Inertia>& inertias, const std::vector<Twist>& free);

}  // namespace abut::force
