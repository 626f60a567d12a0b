#pragma once
// Forces that keep at rest what is at rest.

#include "force/instant.h"

namespace abut::force {

/// Where some forces keep everything that does not slip from slipping, and everything that touches
/// from parting, it stays so, also if others would let it move: with friction both may obey the
/// laws. Of all such forces those of least norm are tried. By row; empty: these are not allowed.
Vector resting_forces(const Instant& instant, const ContactForces& so_far);

}  // namespace abut::force
