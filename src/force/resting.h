#pragma once
// Forces that keep at rest what is at rest.

#include "force/instant.h"

namespace abut::force {

/// Where some forces keep everything that does not slip from slipping, and everything that touches
/// from parting, it stays so, also if others would let it move: with friction both may obey the
/// laws. Such forces are found between those that have the right effect and those that are allowed,
/// going from one to the other. By row; empty: none.
Vector resting_forces(const Instant& instant, const ContactForces& so_far);

}  // namespace abut::force
