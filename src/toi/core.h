#pragma once
// A convex part as points and a radius: the part lies within the convex hull of the points,
// thickened by the radius. For spheres, capsules, boxes and convex polyhedra it is exactly that;
// every other bounded shape is enclosed by its bounding sphere, which is safe but not sharp.

#include <optional>
#include <vector>

#include "abut/types.h"
#include "model/model.h"

namespace abut::toi {

struct Core {
  std::vector<Vec3> points;  ///< in the body's motion frame
  double radius = 0;         ///< m
  double reach = 0;          ///< largest distance of a point from the frame's origin, m
  bool exact = true;         ///< false: the part is only enclosed
};

/// Nothing for parts without bounds.
std::optional<Core> core_of(const model::Body& body, const shape::Part& part);

/// The body's motion frame in its body frame: central for dynamic bodies, the body frame itself
/// otherwise.
Pose motion_frame(const model::Body& body);

/// The pose of the body frame, given that of the motion frame.
Pose body_pose(const model::Body& body, const Pose& motion_pose);

}  // namespace abut::toi
