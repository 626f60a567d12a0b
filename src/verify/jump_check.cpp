#include "verify/jump_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "verify/joint_place.h"
#include "verify/sound_state.h"

namespace abut::verify {
namespace {

/// How far a jump of momentum may be from the impulses recorded, relative to these and to the
/// momenta before and after (dimensionless): impulses are solved for to about 1e-10.
constexpr double jump_tolerance = 1e-8;

/// Speeds that are lost without an impact being told, m/s: an approach of a thousandth of a
/// micrometre per second is what the location of an event leaves, and joints are put right too.
constexpr double untold_speed = 1e-8;

/// Bodies that rock more slowly than the rest speed lose what the sequence of their impacts would
/// take, and get what their weight would give them meanwhile, without an event: up to this many
/// times that speed (dimensionless), of the mass of all that is linked with them by joints.
constexpr double rocking = 2;

/// How far one contact event may move a body, in contact distances (dimensionless): gaps are
/// restored from anywhere within the distance, of each contact between a body and what carries it.
constexpr double distances_per_body = 2;

/// How far rounding moves a body when its state is written anew, relative to its distance and size
/// (dimensionless).
constexpr double place_rounding = 1e-14;

Mat3 world_inertia(const record::RecordedBody& body, const BodyState& state) {
  const Mat3 rotation = state.orientation.normalized().toRotationMatrix();
  return rotation * body.inertia * rotation.transpose();
}

std::vector<double> linked_masses(const std::vector<record::RecordedBody>& bodies,
                                  const model::Model& model) {
  std::vector<std::size_t> group(bodies.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (const joint::Joint& joint : model.joints) {
    const auto [a, b] = joint.bodies;
    if (a == world || b == world || !model.bodies[a].is_dynamic() || !model.bodies[b].is_dynamic())
      continue;
    const std::size_t from = group[b], to = group[a];
    std::replace(group.begin(), group.end(), from, to);
  }
  std::vector<double> sums(bodies.size(), 0.0), masses;
  for (std::size_t i = 0; i < bodies.size(); ++i) sums[group[i]] += bodies[i].mass;
  for (const std::size_t one : group) masses.push_back(sums[one]);
  return masses;
}

bool is_in_contact(BodyIndex body, const record::Frame& frame) {
  return std::any_of(frame.contacts.begin(), frame.contacts.end(), [body](const ContactState& c) {
    return c.body_a == body || c.body_b == body;
  });
}

/// Whether the body has to do with a contact at this instant.
bool touches(std::size_t body, const Instant& now) {
  const auto index = static_cast<BodyIndex>(body);
  const auto is_of = [index](const Event& event) {
    return event.kind != EventKind::impulse && (event.body_a == index || event.body_b == index);
  };
  return std::any_of(now.events.begin(), now.events.end(), is_of) ||
         is_in_contact(index, now.before) || is_in_contact(index, now.after);
}

}  // namespace

JumpCheck::JumpCheck(const record::RunReader& run, const model::Model& model, SteppedTimes stepped)
    : InstantCheck("impulses", run),
      bodies_(run.facts().bodies),
      model_(model),
      linked_masses_(linked_masses(bodies_, model)),
      stepped_(std::move(stepped)) {}

void JumpCheck::instant(const Instant& now) {
  // Another check tells.
  if (!are_sound(now.before) || !are_sound(now.after) || now.before.only != now.after.only) return;
  ++instants_;
  const std::vector<Gain> all = gains(now);
  for (std::size_t told = 0; told < now.after.told_count(); ++told) {
    const std::size_t i = now.after.told(told);
    if (stepped_.covers(static_cast<BodyIndex>(i), now.time)) continue;
    check_place(now.time, i, now);
    if (bodies_[i].motion == record::RecordedMotion::dynamic) compare(now.time, i, now, all[i]);
  }
}

std::vector<JumpCheck::Gain> JumpCheck::gains(const Instant& now) const {
  std::vector<Gain> all(bodies_.size());
  const std::vector<BodyState>& states = now.after.bodies;
  const auto put = [&](BodyIndex body, const Vec3& impulse, const Vec3& point, const Vec3& couple) {
    const auto i = static_cast<std::size_t>(body);
    if (body < 0 || i >= all.size()) return;
    const Vec3 arm = point - states[i].centre_of_mass;
    all[i].linear += impulse;
    all[i].angular += arm.cross(impulse) + couple;
    all[i].linear_scale += impulse.norm();
    all[i].angular_scale += arm.norm() * impulse.norm() + couple.norm();
  };
  for (const Event& event : now.events) {
    put(event.body_a, event.impulse, event.point, Vec3::Zero());
    if (event.kind == EventKind::impact)
      put(event.body_b, -event.impulse, event.point, Vec3::Zero());
  }
  for (const JointState& state : now.after.joints) {
    const auto index = static_cast<std::size_t>(state.joint);
    if (!state.is_impulse || state.joint < 0 || index >= model_.joints.size()) continue;
    const joint::Joint& joint = model_.joints[index];
    const Vec3 point = anchor_place(model_, joint, 1, now.after);
    put(joint.bodies[1], state.force, point, state.torque);
    put(joint.bodies[0], -state.force, point, -state.torque);
  }
  return all;
}

void JumpCheck::compare(double time, std::size_t body, const Instant& now, const Gain& gain) {
  const record::RecordedBody& facts = bodies_[body];
  const BodyState &before = now.before.bodies[body], &after = now.after.bodies[body];
  const Mat3 inertia = world_inertia(facts, after);
  const Vec3 linear = facts.mass * (after.velocity - before.velocity);
  const Vec3 angular =
      inertia * after.angular_velocity - world_inertia(facts, before) * before.angular_velocity;
  const double size = model_.bodies[body].bounding_radius;
  const double linear_scale =
      gain.linear_scale + facts.mass * (before.velocity.norm() + after.velocity.norm());
  const double angular_scale =
      gain.angular_scale + size * gain.linear_scale +
      inertia.norm() * (before.angular_velocity.norm() + after.angular_velocity.norm());
  const double slow = touches(body, now) ? rocking * model_.solver.rest_speed : 0.0;
  const double untold = facts.mass * untold_speed + linked_masses_[body] * slow;
  const double linear_error = (linear - gain.linear).norm();
  const double angular_error = (angular - gain.angular).norm();
  if (linear_scale > 0) worst_ = std::max(worst_, (linear_error - untold) / linear_scale);
  if (linear_error > jump_tolerance * linear_scale + untold)
    fault(time, fmt::format("the momentum of {} jumps by {:.6g} N s, but the impulses on it are "
                            "{:.6g} N s: {:.3g} N s are unexplained",
                            facts.name, linear.norm(), gain.linear.norm(), linear_error));
  if (angular_error > jump_tolerance * angular_scale + untold * size)
    fault(time, fmt::format("the angular momentum of {} jumps by {:.6g} N m s, but the impulses on "
                            "it give {:.6g} N m s: {:.3g} N m s are unexplained",
                            facts.name, angular.norm(), gain.angular.norm(), angular_error));
}

void JumpCheck::check_place(double time, std::size_t body, const Instant& now) {
  const BodyState &before = now.before.bodies[body], &after = now.after.bodies[body];
  const double moved = (after.position - before.position).norm();
  const double turned = after.orientation.angularDistance(before.orientation);
  const double size =
      std::isfinite(model_.bodies[body].bounding_radius) ? model_.bodies[body].bounding_radius : 0;
  const double rounding = place_rounding * (before.position.norm() + size);
  const double allowed =
      distances_per_body * static_cast<double>(bodies_.size()) * model_.solver.contact_distance +
      rounding;
  farthest_ = std::max(farthest_, moved);
  if (moved <= allowed && turned * size <= allowed) return;
  fault(time, fmt::format("{} changes place at an instant, by {:.3g} m and {:.3g} rad",
                          bodies_[body].name, moved, turned));
}

std::string JumpCheck::measured() const {
  return fmt::format(
      "{} instants; momenta jump by the impulses to {:.2g} (relative, {:.0e} allowed), places by "
      "up to {:.2g} m",
      instants_, worst_, jump_tolerance, farthest_);
}

}  // namespace abut::verify
