#pragma once
// A joint put where its bodies stand at time 0.

#include <array>
#include <optional>

#include "joint/joint.h"

namespace abut::joint {

/// World values at time 0. Directions need not have unit length, but some.
struct Placement {
  /// The anchors on the first and the second body; one point, but for a distance joint.
  std::array<Vec3, 2> points = {Vec3::Zero(), Vec3::Zero()};
  /// The joint's axis, if it has one; of a universal joint, the one in the first body.
  Vec3 axis = Vec3::UnitZ();
  /// The axis of a universal joint in the second body; without it, some perpendicular one.
  std::optional<Vec3> axis2;
};

/// Whether two directions are meant to be perpendicular: they are, to the digits people write.
bool nearly_perpendicular(const Vec3& u, const Vec3& w);

/// Sets the frames and the length of a joint whose bodies' motion frames stand as given at time 0.
/// The joint is then closed, and its coordinate zero. The part of `axis2` along `axis` is dropped.
void place(Joint& joint, const Placement& placement, const std::array<Pose, 2>& motion_frames);

}  // namespace abut::joint
