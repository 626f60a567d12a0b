#include "verify/balance_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/joint_place.h"
#include "verify/sound_state.h"

namespace abut::verify {
namespace {

/// Remainder of the forces, relative to the sum of their magnitudes (dimensionless), above which
/// acceleration and forces do not belong together. Forces are solved for to about 1e-9.
constexpr double balance_tolerance = 1e-7;

/// The same relative to the largest force in the frame (dimensionless): forces of bodies that hang
/// together are solved for together, to about 1e-9 of the largest of them.
constexpr double solving_rounding = 1e-9;

/// Equal and opposite on the two bodies.
void add_contacts(const record::Frame& frame, std::vector<Load>& loads) {
  const auto put = [&](BodyIndex body, const Vec3& force, const Vec3& point) {
    const auto i = static_cast<std::size_t>(body);
    if (body >= 0 && i < loads.size()) loads[i].add(force, point - frame.bodies[i].centre_of_mass);
  };
  for (const ContactState& c : frame.contacts) {
    const Vec3 force = c.normal_force * c.normal + c.friction_force;
    put(c.body_a, force, c.point);
    put(c.body_b, -force, c.point);
  }
}

/// Force and torque on the second body at the joint's point, and their opposites on the first.
void add_joints(const model::Model& model, const record::Frame& frame, std::vector<Load>& loads) {
  for (const JointState& state : frame.joints) {
    if (state.is_impulse) continue;
    const joint::Joint& joint = model.joints[static_cast<std::size_t>(state.joint)];
    const Vec3 point = anchor_place(model, joint, 1, frame.bodies);
    for (const std::size_t side : {0U, 1U}) {
      if (joint.bodies[side] == world) continue;
      const auto i = static_cast<std::size_t>(joint.bodies[side]);
      const double sign = side == 1 ? 1 : -1;
      loads[i].add(sign * state.force, point - frame.bodies[i].centre_of_mass, sign * state.torque);
    }
  }
}

bool joints_exist(const model::Model& model, const record::Frame& frame) {
  return std::all_of(frame.joints.begin(), frame.joints.end(), [&](const JointState& state) {
    return state.joint >= 0 && static_cast<std::size_t>(state.joint) < model.joints.size();
  });
}

/// What it takes to keep a body's own mass on its way round: forces of contacts and joints are
/// differences of such terms, and may all but vanish.
double centrifugal_force(const record::RecordedBody& body, const BodyState& state) {
  return std::sqrt(body.mass * body.inertia.norm()) * state.angular_velocity.squaredNorm();
}

double relative(double remainder, double scale) {
  return scale > 0 ? remainder / scale : remainder;
}

}  // namespace

void BalanceCheck::frame(const record::Frame& frame) {
  if (!are_sound(frame)) return;
  const bool bends = !frame.bending.empty();
  if (bends) could_not_check("forces on bodies that touch or hold bodies that bend");
  if (bends || !joints_exist(model_, frame)) return;  // another check tells
  std::vector<Load> loads = applied_loads(model_, frame.bodies);
  add_contacts(frame, loads);
  add_joints(model_, frame, loads);
  double largest = 0;
  for (std::size_t told = 0; told < frame.told_count(); ++told) {
    const std::size_t i = frame.told(told);
    largest = std::max(largest, loads[i].force_scale);
    if (bodies_[i].motion == record::RecordedMotion::dynamic)
      largest = std::max(largest, centrifugal_force(bodies_[i], frame.bodies[i]));
  }
  for (std::size_t told = 0; told < frame.told_count(); ++told) {
    const std::size_t i = frame.told(told);
    if (bodies_[i].motion != record::RecordedMotion::dynamic || bodies_[i].columns > 0) continue;
    loads[i].force_scale += solving_rounding / balance_tolerance * largest;
    check(frame.time, i, frame.bodies[i], loads[i]);
  }
}

void BalanceCheck::check(double time, std::size_t body, const BodyState& state, Load load) {
  const record::RecordedBody& facts = bodies_[body];
  const Mat3 rotation = state.orientation.normalized().toRotationMatrix();
  const Mat3 inertia = rotation * facts.inertia * rotation.transpose();
  const Vec3 inertial_force = facts.mass * state.acceleration;
  const Vec3 spin = inertia * state.angular_acceleration;
  const Vec3 gyroscopic = state.angular_velocity.cross(inertia * state.angular_velocity);
  load.force_scale += inertial_force.norm();
  // Of the terms within the products, which may cancel: a ball has no gyroscopic torque.
  load.torque_scale +=
      inertia.norm() * (state.angular_acceleration.norm() + state.angular_velocity.squaredNorm());
  // Forces that all but pass through the centre of mass have torques that are rounding; what the
  // same forces could do at the radius of gyration tells how much that may be.
  load.torque_scale += std::sqrt(inertia.norm() / facts.mass) * load.force_scale;
  const double force_error = relative((inertial_force - load.force).norm(), load.force_scale);
  const double torque_error = relative((spin + gyroscopic - load.torque).norm(), load.torque_scale);
  ++compared_;
  worst_ = std::max({worst_, force_error, torque_error});
  if (force_error > balance_tolerance) {
    const Vec3 rest = inertial_force - load.force;
    fault(time,
          fmt::format("{} accelerates as if another force of [{:.3g}, {:.3g}, {:.3g}] N acted",
                      facts.name, rest.x(), rest.y(), rest.z()));
  }
  if (torque_error > balance_tolerance) {
    const Vec3 rest = spin + gyroscopic - load.torque;
    fault(time, fmt::format("{} turns as if another torque of [{:.3g}, {:.3g}, {:.3g}] N m acted",
                            facts.name, rest.x(), rest.y(), rest.z()));
  }
}

std::string BalanceCheck::measured() const {
  return fmt::format(
      "{} states; forces and accelerations agree to {:.2g} (relative, {:.0e} allowed)", compared_,
      worst_, balance_tolerance);
}

}  // namespace abut::verify
