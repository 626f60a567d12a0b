#include "verify/friction_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "joint/rows.h"
#include "model/contact_law.h"
#include "model/joints.h"
#include "model/promises.h"
#include "verify/joint_place.h"
#include "verify/sound_state.h"

namespace abut::verify {
namespace {

/// How far friction may be outside of its cone, relative to the largest it may be (dimensionless):
/// where slow slip is about to begin or to end, forces are found for a microsecond ahead and kept
/// that long, while the load changes.
constexpr double cone_tolerance = 1e-2;

/// The same relative to the largest term that the forces in the frame are made of (dimensionless):
/// forces are solved for all contacts together, to about 1e-9 of it.
constexpr double solving_tolerance = 1e-7;

/// Slip of contacts that stick, relative to the speeds of the bodies there (dimensionless), and
/// absolute, m/s: creep of less than a micrometre per second counts as none in a contact event.
constexpr double slip_tolerance = 1e-7;
constexpr double slip_of_none = 1e-6;

/// How far a recorded gap of a joint may be from the distance of its anchors, relative to the
/// lengths that go into it (dimensionless).
constexpr double anchor_tolerance = 1e-12;

/// Limits that are this far apart, rad, leave no angle out.
constexpr double one_turn = 6.283185307179586;

/// How many contact distances a gap may be (dimensionless): a point of a face that rests on others
/// is kept where it was when the face came to rest.
constexpr double largest_kept_gap = 2;

/// How far above that a gap may be, relative to the lengths that go into it
/// (dimensionless): rounding.
constexpr double kept_rounding = 64 * 2.220446049250313e-16;

Vec3 velocity_at(const BodyState& state, const Vec3& point) {
  return state.velocity + state.angular_velocity.cross(point - state.centre_of_mass);
}

double speed_of(const BodyState& state, const Vec3& point) {
  return state.velocity.norm() +
         state.angular_velocity.norm() * (point - state.centre_of_mass).norm();
}

/// Forces of contacts and joints, and what these are to balance: weights and inertia, also where
/// they all but cancel.
double largest_term(const model::Model& model, const record::Frame& frame) {
  double largest = 0;
  for (const ContactState& contact : frame.contacts)
    largest = std::max(largest, contact.normal_force);
  for (const JointState& joint : frame.joints)
    if (!joint.is_impulse) largest = std::max(largest, joint.force.norm());
  for (std::size_t told = 0; told < frame.told_count(); ++told) {
    const model::Body& body = model.bodies[frame.told(told)];
    if (!body.is_dynamic()) continue;
    const double change = frame.bodies[frame.told(told)].acceleration.norm();
    largest = std::max(largest, body.mass.mass * std::max(model.gravity.norm(), change));
  }
  return largest;
}

}  // namespace

void FrictionCheck::frame(const record::Frame& frame) {
  if (!are_sound(frame)) return;
  for (const ContactState& contact : frame.contacts) check(contact, frame);
  for (const JointState& joint : frame.joints) check(joint, frame);
}

void FrictionCheck::check(const ContactState& c, const record::Frame& frame) {
  const auto count = static_cast<BodyIndex>(model_.bodies.size());
  const auto has_part = [&](BodyIndex body, int part) {
    if (body < 0 || body >= count || part < 0) return false;
    const std::size_t parts = model_.bodies[body].parts.size();  // a sheet has none, but a material
    const std::size_t pieces = parts == 0 && model_.bodies[body].bends() ? 1 : parts;
    return static_cast<std::size_t>(part) < pieces;
  };
  if (!has_part(c.body_a, c.feature_a.part) || !has_part(c.body_b, c.feature_b.part)) {
    fault(frame.time, "a contact is of parts that do not exist");
    return;
  }
  ++contacts_;
  const model::ContactLaw law =
      model::contact_law(model_, c.body_a, c.feature_a.part, c.body_b, c.feature_b.part);
  const double friction = c.friction_force.norm();
  const double most = law.friction.static_coefficient * c.normal_force;
  const double scale = (1 + law.friction.static_coefficient) * largest_term(model_, frame);
  const double beyond = friction - most - solving_tolerance * scale;
  if (most > 0) worst_cone_ = std::max(worst_cone_, beyond / most);
  if (beyond > cone_tolerance * most)
    fault(frame.time,
          fmt::format("friction between {} is {:.6g} N, but cannot be more than {:.6g} N",
                      names_of(c), friction, most));
  if (model_.solver.contact == model::ContactModel::penalty) return;
  if (stepped_.covers(c.body_a, c.body_b, frame.time)) return;
  check_gap(c, frame);
  check_mode(c, law.friction.static_coefficient, frame);
}

void FrictionCheck::check_mode(const ContactState& c, double friction, const record::Frame& frame) {
  const BodyState &a = frame.bodies[c.body_a], &b = frame.bodies[c.body_b];
  if ((c.mode == ContactMode::frictionless) != (friction == 0)) {
    fault(frame.time, fmt::format("a contact of {} is `{}`, but its coefficient of friction is {}",
                                  names_of(c), to_string(c.mode), friction));
    return;
  }
  if (c.mode != ContactMode::stick) return;
  const Vec3 slip = velocity_at(a, c.point) - velocity_at(b, c.point);
  const Vec3 tangential = slip - slip.dot(c.normal) * c.normal;
  const double allowed =
      slip_of_none + slip_tolerance * (speed_of(a, c.point) + speed_of(b, c.point));
  worst_slip_ = std::max(worst_slip_, tangential.norm());
  if (tangential.norm() > allowed)
    fault(frame.time, fmt::format("a contact of {} sticks, but slips at {:.3g} m/s", names_of(c),
                                  tangential.norm()));
}

void FrictionCheck::check_gap(const ContactState& c, const record::Frame& frame) {
  const double lengths = c.point.norm() + (c.point - frame.bodies[c.body_a].centre_of_mass).norm() +
                         (c.point - frame.bodies[c.body_b].centre_of_mass).norm();
  if (c.gap > largest_kept_gap * model_.solver.contact_distance + kept_rounding * lengths)
    fault(frame.time, fmt::format("a contact of {} has gap {:.3g} m, more than counts as touching",
                                  names_of(c), c.gap));
}

void FrictionCheck::check(const JointState& state, const record::Frame& frame) {
  const auto index = static_cast<std::size_t>(state.joint);
  if (state.joint < 0 || index >= model_.joints.size()) return;  // another check tells
  ++joints_;
  const joint::Joint& joint = model_.joints[index];
  double lengths = 0;
  for (const std::size_t side : {0U, 1U}) {
    const Vec3 anchor = anchor_place(model_, joint, side, frame);
    lengths += anchor.norm();
    if (joint.bodies[side] == world) continue;
    lengths += (anchor - frame.bodies[joint.bodies[side]].position).norm();
    // Of a joint at the origin, in the middle of its body, there is no other length.
    const double size = model_.bodies[joint.bodies[side]].bounding_radius;
    if (std::isfinite(size)) lengths += size;
  }
  const double gap = joint::anchor_gap(joint, joint_frame(model_, joint, 0, frame),
                                       joint_frame(model_, joint, 1, frame));
  if (std::abs(gap - state.gap) > anchor_tolerance * lengths)
    fault(frame.time,
          fmt::format("the gap of joint {} is recorded as {:.6g} m, but its anchors are "
                      "{:.6g} m off",
                      joint.name, state.gap, gap));
  if (!state.is_impulse) check_closed(state, frame);
}

// Joints are closed and within their limits, as far as the run promises. An angle is the one
// nearest to the middle of its limits: which turn it is in, a frame does not tell.
void FrictionCheck::check_closed(const JointState& state, const record::Frame& frame) {
  const joint::Joint& joint = model_.joints[static_cast<std::size_t>(state.joint)];
  const auto& [a, b] = joint.bodies;
  const bool stepped = (a != world && stepped_.covers(a, frame.time)) ||
                       (b != world && stepped_.covers(b, frame.time));
  const double size = model::size_of_joint(model_, joint);
  const double allowed = model::promised_joint_gap(stepped);
  widest_ = std::max(widest_, state.gap);
  const double bend = stepped ? model::gap_within_step(model_, joint, frame.bodies) : 0;
  if (state.gap > allowed * size + bend)
    fault(frame.time, fmt::format("joint {} is open by {:.3g} m", joint.name, state.gap));
  if (!joint.limits) return;
  const auto& [least, greatest] = *joint.limits;
  const bool is_angle = joint::coordinate_of(joint.type) == joint::Coordinate::angle;
  if (is_angle && !(greatest - least < one_turn)) return;
  const double value =
      joint::coordinate_row(joint, joint_frame(model_, joint, 0, frame),
                            joint_frame(model_, joint, 1, frame), 0.5 * (least + greatest))
          .value;
  if (std::max(least - value, value - greatest) > allowed * (is_angle ? 1 : size))
    fault(frame.time, fmt::format("joint {} is at {:.6g}, beyond its limits {:.6g} and {:.6g}",
                                  joint.name, value, least, greatest));
}

std::string FrictionCheck::names_of(const ContactState& contact) const {
  return model_.bodies[contact.body_a].name + " and " + model_.bodies[contact.body_b].name;
}

std::string FrictionCheck::measured() const {
  return fmt::format(
      "{} contacts, {} joint states; friction beyond its cone by {:.2g} (relative, {:.0e} "
      "allowed), slip of what sticks up to {:.2g} m/s{}",
      contacts_, joints_, std::max(0.0, worst_cone_), cone_tolerance, worst_slip_,
      joints_ > 0 ? fmt::format(", joints open by up to {:.2g} m", widest_) : "");
}

}  // namespace abut::verify
