#include "model/material.h"

#include "flexible/material_frame.h"
#include "model/joints.h"

namespace abut::model {

Vec3 material_point_at_start(const Body& body, const Vec3& x) {
  const Vec3 local = body.pose.orientation.conjugate() * (x - body.pose.position);
  if (!body.bends()) return local;
  const flexible::BendingBody& bending = *body.bending->body;
  const flexible::Columns& columns = body.bending->initial.columns;
  if (bending.is_sheet())
    return flexible::combined(flexible::weights_at(bending, local),
                              flexible::placed(bending, Pose{}));
  // Of a body that starts undeformed that is all; of another, Newton's method finds the point.
  constexpr double rounding = 1e-13;  // of the lengths it is computed from
  const double off = (flexible::combined(flexible::weights_at(bending, local), columns) - x).norm();
  if (off <= rounding * (x.norm() + body.pose.position.norm() + bending.extent)) return local;
  Vec3 p;
  return flexible::material_point(bending, columns, x, p) ? p : local;
}

body::RigidMotion carrier(const Body& body, const flexible::State& state, const Vec3& p) {
  const flexible::MaterialFrame frame(*body.bending->body, state.columns, p);
  body::RigidMotion motion;
  motion.pose = body::central_from_body(body.mass, frame.body_frame());
  if (state.rates.cols() == 0) return motion;
  motion.angular_velocity = frame.angular_velocity(state.rates);
  motion.velocity = frame.velocity(state.rates) +
                    motion.angular_velocity.cross(motion.pose.position - frame.place());
  return motion;
}

Pose motion_frame_at_start(const Model& model, BodyIndex index, const Vec3& x) {
  if (index == world || !model.bodies[index].bends()) return motion_frame_at_start(model, index);
  const Body& body = model.bodies[index];
  return carrier(body, body.bending->initial, material_point_at_start(body, x)).pose;
}

Vec3 material_anchor(const Model& model, const joint::Joint& joint, std::size_t side) {
  const Vec3& anchor = joint.frames[side].position;
  if (joint.bodies[side] == world || !model.bodies[joint.bodies[side]].is_dynamic()) return anchor;
  const Pose& central = model.bodies[joint.bodies[side]].mass.central;
  return central.position + central.orientation * anchor;
}

std::array<body::RigidMotion, 2> joint_motions_at_start(const Model& model,
                                                        const joint::Joint& joint) {
  std::array<body::RigidMotion, 2> motions;
  for (std::size_t side = 0; side < 2; ++side) {
    const BodyIndex index = joint.bodies[side];
    motions[side].pose = motion_frame_at_start(model, index);
    if (index == world || !model.bodies[index].is_dynamic()) continue;
    const Body& body = model.bodies[index];
    motions[side].velocity = body.velocity;
    motions[side].angular_velocity = body.angular_velocity;
    if (body.bends())
      motions[side] = carrier(body, body.bending->initial, material_anchor(model, joint, side));
  }
  return motions;
}

}  // namespace abut::model
