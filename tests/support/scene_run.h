#pragma once
// Scenes as text, run to the end, and what must hold of every run with joints.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "joint/placement.h"
#include "joint/rows.h"
#include "scene/loader.h"
#include "support/models.h"

namespace abut::test {

inline model::Model scene(std::string_view text) {
  return scene::load_scene_text(text, "test.yaml").model;
}

inline int body_named(const model::Model& model, std::string_view name) {
  const auto found = std::find_if(model.bodies.begin(), model.bodies.end(),
                                  [&](const model::Body& body) { return body.name == name; });
  return found == model.bodies.end() ? world : static_cast<int>(found - model.bodies.begin());
}

/// A run with all that it said.
struct Ran {
  model::Model model;
  KeepingSink sink;
  record::Summary summary;

  const BodyState& last(std::string_view body) const { return sink.last(body_named(model, body)); }
  std::vector<Event> events(EventKind kind) const {
    std::vector<Event> some;
    for (const Event& event : sink.events)
      if (event.kind == kind) some.push_back(event);
    return some;
  }
};

/// Runs with one thread, and once more with two: both must give every bit the same.
inline Ran run_of(const model::Model& model) {
  Ran ran{model, {}, {}};
  loop::RunOptions options;
  options.threads = 1;
  ran.summary = loop::run(ran.model, ran.sink, options);
  KeepingSink again;
  options.threads = 2;
  EXPECT_EQ(loop::run(ran.model, again, options).state_hash, ran.summary.state_hash);
  return ran;
}

inline Ran run_of(std::string_view text) {
  return run_of(scene(text));
}

/// The largest gap of a joint in any frame, m.
inline double largest_gap(const Ran& ran) {
  double largest = 0;
  for (const auto& frame : ran.sink.frames)
    for (const JointState& joint : frame.joints) largest = std::max(largest, joint.gap);
  return largest;
}

/// The state of a joint, not of its impulse.
inline const JointState& joint_in(const record::Frame& frame, JointIndex joint) {
  return *std::find_if(frame.joints.begin(), frame.joints.end(), [&](const JointState& state) {
    return state.joint == joint && !state.is_impulse;
  });
}

/// The impulses of joints in a frame.
inline std::vector<JointState> joint_impulses(const record::Frame& frame) {
  std::vector<JointState> some;
  for (const JointState& state : frame.joints)
    if (state.is_impulse) some.push_back(state);
  return some;
}

/// The moving frame of a body as recorded: at its centre of mass, if it is dynamic.
inline body::RigidMotion motion_in(const model::Model& model, const record::Frame& frame,
                                   BodyIndex body) {
  if (body == world) return {};
  const BodyState& s = frame.bodies[body];
  if (!model.bodies[body].is_dynamic())
    return {{s.position, s.orientation}, s.velocity, s.angular_velocity};
  return {body::central_from_body(model.bodies[body].mass, {s.position, s.orientation}), s.velocity,
          s.angular_velocity};
}

/// What is missing to Newton's and Euler's equations in a frame, from accelerations, weight, joints
/// and contacts as recorded, relative to the largest force and torque of any body. For scenes
/// without other forces.
inline double imbalance(const model::Model& model, const record::Frame& frame) {
  const std::size_t n = model.bodies.size();
  std::vector<Vec3> force(n, Vec3::Zero()), torque(n, Vec3::Zero());
  double largest_force = 0, largest_torque = 0;
  const auto apply = [&](BodyIndex body, const Vec3& f, const Vec3& couple, const Vec3& at) {
    if (body == world || !model.bodies[body].is_dynamic()) return;
    const Vec3 t = couple + (at - frame.bodies[body].centre_of_mass).cross(f);
    force[body] += f;
    torque[body] += t;
    largest_force = std::max(largest_force, f.norm());
    const double arm = (at - frame.bodies[body].centre_of_mass).norm();
    largest_torque = std::max({largest_torque, arm * f.norm(), couple.norm()});
  };
  for (const JointState& state : frame.joints) {
    if (state.is_impulse) continue;
    const joint::Joint& joint = model.joints[state.joint];
    const Vec3 at = joint::joint_point(joint, motion_in(model, frame, joint.bodies[1]));
    apply(joint.bodies[1], state.force, state.torque, at);
    apply(joint.bodies[0], -state.force, -state.torque, at);
  }
  for (const ContactState& contact : frame.contacts) {
    const Vec3 f = contact.normal_force * contact.normal + contact.friction_force;
    apply(contact.body_a, f, Vec3::Zero(), contact.point);
    apply(contact.body_b, -f, Vec3::Zero(), contact.point);
  }
  double worst_force = 0, worst_torque = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!model.bodies[i].is_dynamic()) continue;
    const body::Mass& mass = model.bodies[i].mass;
    const BodyState& s = frame.bodies[i];
    const Mat3 axes =
        motion_in(model, frame, static_cast<int>(i)).pose.orientation.toRotationMatrix();
    const Mat3 inertia = axes * mass.principal.asDiagonal() * axes.transpose();
    const Vec3 weight = mass.mass * model.gravity;
    const Vec3 spin = inertia * s.angular_acceleration;
    const Vec3 gyroscopic = s.angular_velocity.cross(inertia * s.angular_velocity);
    largest_force = std::max({largest_force, weight.norm(), mass.mass * s.acceleration.norm()});
    largest_torque = std::max({largest_torque, spin.norm(), gyroscopic.norm(),
                               weight.norm() * model.bodies[i].bounding_radius});
    worst_force = std::max(worst_force, (mass.mass * s.acceleration - weight - force[i]).norm());
    worst_torque = std::max(worst_torque, (spin + gyroscopic - torque[i]).norm());
  }
  return std::max(largest_force > 0 ? worst_force / largest_force : 0,
                  largest_torque > 0 ? worst_torque / largest_torque : 0);
}

inline double largest_imbalance(const Ran& ran) {
  double largest = 0;
  for (const auto& frame : ran.sink.frames)
    largest = std::max(largest, imbalance(ran.model, frame));
  return largest;
}

/// The books close, joints stay closed, and the recorded forces explain the recorded motion.
inline void expect_sound(const Ran& ran) {
  EXPECT_EQ(ran.summary.status, RunStatus::complete) << ran.summary.message;
  EXPECT_LT(ran.summary.energy_error, 1e-9);
  EXPECT_LT(ran.summary.momentum_error, 1e-9);
  EXPECT_LT(largest_gap(ran), 1e-12);
  if (ran.model.forces.empty()) {
    EXPECT_LT(largest_imbalance(ran), 1e-9);
  }
}

}  // namespace abut::test
