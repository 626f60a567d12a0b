#pragma once
// Whether one body is within another without their surfaces meeting.

#include "abut/types.h"
#include "narrow/body_shape.h"

namespace abut::narrow {

/// Of meshes and what is near them, whose distance is that of surfaces. Poses are those of the body
/// frames. Precondition: no surface of one meets one of the other.
bool are_nested(const BodyShape& a, const Pose& pose_a, const BodyShape& b, const Pose& pose_b);

}  // namespace abut::narrow
