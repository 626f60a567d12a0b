#pragma once
// Whether a mesh that need not be convex is apart from another solid.
//
// Two closed surfaces bound solids without a common point if they do not meet and neither is inside
// the other. Triangles whose boxes meet are compared one by one: a plane between them is proven by
// doubles with a margin, anything nearer is decided in rational arithmetic. Whether one point is
// inside is told by counting how often a line from it passes through the surface. Nothing of this
// is shared with how the simulator finds distances.

#include "verify/pair_judge.h"

namespace abut::verify {

/// Whether `mesh` is one and `other` something that can be judged beside it.
bool is_mesh_pair(const Solid& mesh, const Solid& other);

/// Precondition: is_mesh_pair(mesh, other).
Verdict judge_mesh(const Solid& mesh, const BodyState& state_mesh, const Solid& other,
                   const BodyState& state_other);

/// Whether a point, in the coordinates of the mesh, is inside; where a line from it meets the
/// surface at edges only, by what it sees of it.
bool is_inside(const Solid& mesh, const Vec3& point);

}  // namespace abut::verify
