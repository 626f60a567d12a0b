#pragma once
// Where the anchors of joints are.

#include "model/model.h"

namespace abut::verify {

/// Where the anchor on one of the joint's bodies is, in the world. Its frame is given in the
/// central frame of a dynamic body and in the body frame of any other.
inline Vec3 anchor_place(const model::Model& model, const joint::Joint& joint, std::size_t side,
                         const std::vector<BodyState>& states) {
  const Vec3& anchor = joint.frames[side].position;
  if (joint.bodies[side] == world) return anchor;
  const auto i = static_cast<std::size_t>(joint.bodies[side]);
  const model::Body& body = model.bodies[i];
  const Pose& central = body.mass.central;
  const Vec3 in_body =
      body.is_dynamic() ? Vec3(central.position + central.orientation * anchor) : anchor;
  return states[i].position + states[i].orientation.normalized() * in_body;
}

}  // namespace abut::verify
