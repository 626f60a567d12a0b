#pragma once
// Whether a ring is apart from another solid: a certificate of its own.
//
// If a plane is between the ring's hull and the other solid (curved_judge.h), they are apart.
// Otherwise something is in the hole. An arc of the ring's circle lies in a capsule around its
// chord, as much thicker than the tube as the arc bulges; the ring is apart if all its capsules
// are. Arcs are halved until that is so: near the place of contact they become short. Against
// another ring both are cut.

#include "verify/pair_judge.h"

namespace abut::verify {

/// Whether `ring` is one and `other` something that can be judged beside it.
bool is_ring_pair(const Solid& ring, const Solid& other);

/// Precondition: is_ring_pair(ring, other).
Verdict judge_ring(const Solid& ring, const BodyState& state_ring, const Solid& other,
                   const BodyState& state_other, Hint& hint);

}  // namespace abut::verify
