#pragma once
// Whether a solid is inside of a curved cavity: a certificate of its own.
//
// Whether a point is in a cavity is told by a convex function of the point. A ball, or a ball that
// is stretched to an ellipsoid, is cut into cones over triangles of directions; each cone lies in
// the pyramid whose base touches the ball above it, and a convex cavity that holds the four corners
// of the pyramid holds all of it. Triangles are quartered until that is so. A capsule is in the
// cavity if the balls at its ends are, a polyhedron if its corners are, an arc of a ring if balls
// at its ends and at the crossing of its end tangents are.

#include "verify/pair_judge.h"

namespace abut::verify {

/// Whether `bowl` is a cavity or bowl and `inside` something that can be judged in it.
bool is_bowl_pair(const Solid& inside, const Solid& bowl);

/// Precondition: is_bowl_pair(inside, bowl).
Verdict judge_in_bowl(const Solid& inside, const BodyState& state_inside, const Solid& bowl,
                      const BodyState& state_bowl);

}  // namespace abut::verify
