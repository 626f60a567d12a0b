#pragma once
// The rows that the forces of a solution come from, those of them that are held, and how the forces
// are shared among them.

#include "force/instant.h"

namespace abut::force {

/// Which rows before the joints have a force, and which contacts are guided if they slide.
struct Bearing {
  std::vector<bool> carries;  ///< by row
  std::vector<bool> guided;   ///< by contact
};

/// Finds carriers, guides and basis for the forces, accelerations and grips of the result.
void list_carriers(const Instant& instant, const Bearing& bearing, ContactForces& result);

/// Of all forces with the same effect takes those of least norm, where they are allowed, or what is
/// near them.
void share(const Instant& instant, ContactForces& result);

}  // namespace abut::force
