#pragma once
// Whether a curved convex solid is apart from another solid: a certificate of its own.
//
// Solids are apart if some plane is between them. The highest point of a curved solid along a
// direction has a closed form, or for surfaces of the user's a bound (user_reach.h), so whether a
// given plane is between two solids is a matter of one evaluation, with a margin for rounding.
// Which plane is looked for by trying: directions around the best one so far, closer and closer.
// That needs no derivatives and shares nothing with how the simulator finds it.

#include "verify/pair_judge.h"

namespace abut::verify {

/// How far a curved solid reaches along m, in its own frame.
double curved_reach(const Solid& solid, const Vec3& m);

/// Negative at points of a curved solid, in its own frame, and relative to its size there.
double curved_level(const Solid& solid, const Vec3& p);

/// Precondition: one of the two is curved, the other curved, a hull or a half-space. Of a ring,
/// which is not convex, only the outcome `apart` means what it says.
Verdict judge_curved(const Solid& a, const BodyState& state_a, const Solid& b,
                     const BodyState& state_b, Hint& hint);

}  // namespace abut::verify
