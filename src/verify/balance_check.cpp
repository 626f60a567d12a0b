#include "verify/balance_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

/// What is left of the forces on a body that has not moved from one frame to the next, relative to
/// the sum of their magnitudes (dimensionless): where it sleeps, they are as good as they were when
/// it was slow enough for that.
constexpr double rest_tolerance = 0.5;

bool is_still(const BodyState& state) {
  return state.velocity.isZero(0) && state.angular_velocity.isZero(0);
}

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

/// How many nodes of sheets are held: they are numbered after the joints.
std::size_t hold_count(const model::Model& model) {
  std::size_t count = 0;
  for (const model::Body& body : model.bodies)
    if (body.bends()) count += body.bending->holds.size();
  return count;
}

/// The force on a node that is held, and its opposite on what holds it.
void add_hold(const model::Model& model, const record::Frame& frame, const JointState& state,
              std::size_t number, std::vector<Load>& loads) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!model.bodies[i].bends()) continue;
    const std::vector<model::Hold>& holds = model.bodies[i].bending->holds;
    if (number >= holds.size()) {
      number -= holds.size();
      continue;
    }
    const Vec3 place = frame.bending[i].columns.col(holds[number].column);
    const auto put = [&](std::size_t body, const Vec3& force) {
      loads[body].add(force, place - frame.bodies[body].centre_of_mass);
    };
    put(i, state.force);
    if (holds[number].body != world)
      put(static_cast<std::size_t>(holds[number].body), -state.force);
    return;
  }
}

/// Force and torque on the second body at the joint's point, and their opposites on the first.
void add_joints(const model::Model& model, const record::Frame& frame, std::vector<Load>& loads) {
  for (const JointState& state : frame.joints) {
    if (state.is_impulse) continue;
    const auto index = static_cast<std::size_t>(state.joint);
    if (index >= model.joints.size()) {
      add_hold(model, frame, state, index - model.joints.size(), loads);
      continue;
    }
    const joint::Joint& joint = model.joints[index];
    const Vec3 point = anchor_place(model, joint, 1, frame);
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
    return state.joint >= 0 &&
           static_cast<std::size_t>(state.joint) < model.joints.size() + hold_count(model);
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
  if (!joints_exist(model_, frame)) return;  // another check tells
  std::vector<Load> loads = applied_loads(model_, frame);
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
    if (bodies_[i].motion != record::RecordedMotion::dynamic) continue;
    check_rest(frame.time, i, frame.bodies[i]);
    if (is_still(frame.bodies[i])) {
      const double left = bodies_[i].mass * frame.bodies[i].acceleration.norm();
      still_[i] = {frame.time, frame.bodies[i].position,
                   left > solving_rounding * largest ? left / loads[i].force_scale : 0};
    }
    loads[i].force_scale +=
        solving_rounding / balance_tolerance * largest + loads[i].rounding / balance_tolerance;
    check(frame.time, i, frame.bodies[i], loads[i]);
  }
}

/// Who stood still in the last frame that tells of it, and does so here, at the same place, has not
/// accelerated in between.
void BalanceCheck::check_rest(double time, std::size_t body, const BodyState& state) {
  const std::optional<Still> before = std::exchange(still_[body], std::nullopt);
  if (!before || !(before->time < time) || !is_still(state) || state.position != before->position)
    return;
  if (before->left > rest_tolerance)
    fault(before->time,
          fmt::format("{} does not move, but nothing bears {:.2g} of the forces on it",
                      bodies_[body].name, before->left));
}

void BalanceCheck::check(double time, std::size_t body, const BodyState& state, Load load) {
  const record::RecordedBody& facts = bodies_[body];
  if (facts.columns > 0) {  // of a body that bends nothing tells how fast its spin changes
    load.force_scale += facts.mass * state.acceleration.norm();
    return compare_forces(time, facts, facts.mass * state.acceleration - load.force,
                          load.force_scale);
  }
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
  compare_forces(time, facts, inertial_force - load.force, load.force_scale);
  const double torque_error = relative((spin + gyroscopic - load.torque).norm(), load.torque_scale);
  worst_ = std::max(worst_, torque_error);
  if (torque_error > balance_tolerance) {
    const Vec3 rest = spin + gyroscopic - load.torque;
    fault(time, fmt::format("{} turns as if another torque of [{:.3g}, {:.3g}, {:.3g}] N m acted",
                            facts.name, rest.x(), rest.y(), rest.z()));
  }
}

void BalanceCheck::compare_forces(double time, const record::RecordedBody& body, const Vec3& rest,
                                  double scale) {
  const double error = relative(rest.norm(), scale);
  ++compared_;
  worst_ = std::max(worst_, error);
  if (error <= balance_tolerance) return;
  fault(time, fmt::format("{} accelerates as if another force of [{:.3g}, {:.3g}, {:.3g}] N acted",
                          body.name, rest.x(), rest.y(), rest.z()));
}

std::string BalanceCheck::measured() const {
  return fmt::format(
      "{} states; forces and accelerations agree to {:.2g} (relative, {:.0e} allowed)", compared_,
      worst_, balance_tolerance);
}

}  // namespace abut::verify
