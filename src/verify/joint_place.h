#pragma once
// Where the anchors of joints and forces are.

#include "model/material.h"
#include "record/frame.h"

namespace abut::verify {

/// Whether a frame holds the columns of that body, which bends.
inline bool bends_in(const record::Frame& frame, std::size_t body) {
  return body < frame.bending.size() && frame.bending[body].columns.cols() > 0;
}

/// The frame that a joint holds on one of its bodies: the central frame of a dynamic body, the body
/// frame of any other; of a body that bends, that of a rigid one that moves as the point does.
inline body::RigidMotion joint_frame(const model::Model& model, const joint::Joint& joint,
                                     std::size_t side, const record::Frame& frame) {
  if (joint.bodies[side] == world) return {};
  const auto i = static_cast<std::size_t>(joint.bodies[side]);
  const model::Body& body = model.bodies[i];
  if (bends_in(frame, i))
    return model::carrier(body, frame.bending[i], model::material_anchor(model, joint, side));
  const Quat turned = frame.bodies[i].orientation.normalized();
  const Vec3& position = frame.bodies[i].position;
  if (!body.is_dynamic()) return {{position, turned}};
  const Pose& central = body.mass.central;
  return {{position + turned * central.position, turned * central.orientation}};
}

/// Where the anchor on one of the joint's bodies is, in the world.
inline Vec3 anchor_place(const model::Model& model, const joint::Joint& joint, std::size_t side,
                         const record::Frame& frame) {
  const Pose pose = joint_frame(model, joint, side, frame).pose;
  return pose.position + pose.orientation * joint.frames[side].position;
}

}  // namespace abut::verify
