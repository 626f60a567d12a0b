#pragma once
// Forces that are not unique: four corners of a block bear its weight in infinitely many ways.

#include <memory>

#include "force/contact_forces.h"

namespace abut::force {

/// Rows of a system that forces come from, and those that the forces hold; all ascending.
struct Carrying {
  std::vector<int> held;
  std::vector<int> carriers;
  std::vector<int> guides;  ///< of the carriers those that bear nothing that others can
};

/// Finds forces under which the held rows do not accelerate, among all such forces those nearest to
/// `wanted`. From instant to instant of a smooth motion the same rows meet on the same bodies: what
/// depends on that alone is found once.
class Sharing {
 public:
  Sharing();
  ~Sharing();

  /// By row of the system; b are the accelerations without.
  Vector nearest_forces(const impulse::RowSystem& system, const Carrying& rows, const Vector& b,
                        const Vector& wanted);

  /// The same without pulls: of the rows before `first_to_pull` those that would pull have no
  /// force, as long as the others hold what is held; else as nearest_forces.
  Vector nearest_pushing_forces(const impulse::RowSystem& system, const Carrying& rows,
                                int first_to_pull, const Vector& b, const Vector& wanted);

 private:
  struct Equations;
  std::unique_ptr<Equations> equations_;  // of large systems
  std::unique_ptr<Sharing> fewer_;        // for those that push, where others would pull
};

/// Whether forces push, stay within cones and bounds, up to rounding.
bool are_allowed(const ConstraintSet& set, const std::vector<ContactGrip>& grips,
                 const Vector& forces);

/// Forces without what is not allowed of them, and a little within.
Vector cut_off(const ConstraintSet& set, const std::vector<ContactGrip>& grips, Vector forces);

}  // namespace abut::force
