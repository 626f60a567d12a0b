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

/// What forces of the rows of a system may be.
struct AllowedForces {
  struct Cone {
    int normal = 0, tangent = 0;  ///< rows; the other tangent is the next one
    double friction = 0;
  };
  int first_to_pull = 0;    ///< rows before it only push
  std::vector<Cone> cones;  ///< of contacts that stick
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

  /// The nearest that are allowed, where any are; else the nearest.
  Vector nearest_allowed_forces(const impulse::RowSystem& system, const Carrying& rows,
                                const AllowedForces& allowed, const Vector& b,
                                const Vector& wanted);

 private:
  Vector nearest(const impulse::RowSystem& system, const Carrying& rows,
                 const AllowedForces* allowed, const Vector& b, const Vector& wanted);

  struct SparseEquations;
  std::unique_ptr<SparseEquations> equations_;  // of large systems
};

/// Whether forces push, stay within cones and bounds, up to rounding.
bool are_allowed(const ConstraintSet& set, const std::vector<ContactMode>& modes,
                 const Vector& forces);

}  // namespace abut::force
