#include "verify/contact_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abut::verify {
namespace {

/// How far a gap may be below zero by rounding, relative to the distances of the contact from the
/// origin and from the centres of the bodies (dimensionless): it is a difference of such lengths.
constexpr double gap_rounding = 64 * 2.220446049250313e-16;

/// How far normals may be from unit length, and friction from the tangent plane, relative to the
/// force (dimensionless): each is a handful of roundings.
constexpr double direction_tolerance = 1e-12;

double lengths_at(const ContactState& contact, const std::vector<BodyState>& states) {
  double sum = contact.point.norm();
  for (const BodyIndex body : {contact.body_a, contact.body_b}) {
    if (body == world) continue;
    sum += (contact.point - states[static_cast<std::size_t>(body)].centre_of_mass).norm();
  }
  return sum;
}

}  // namespace

void ContactCheck::frame(const record::Frame& frame) {
  for (const ContactState& contact : frame.contacts) check(contact, frame);
  for (const JointState& joint : frame.joints) check(joint, frame.time);
}

void ContactCheck::check(const ContactState& c, const record::Frame& frame) {
  const double time = frame.time;
  const auto count = static_cast<BodyIndex>(bodies_.size());
  const auto exists = [count](BodyIndex i) { return i >= world && i < count; };
  ++contacts_;
  // Only what bends can touch itself.
  const bool touches_itself = c.body_a == c.body_b && (!exists(c.body_a) || c.body_a == world ||
                                                       bodies_[c.body_a].columns == 0);
  if (!exists(c.body_a) || !exists(c.body_b) || touches_itself) {
    fault(time, fmt::format("a contact is between bodies {} and {}", c.body_a, c.body_b));
    return;
  }
  const bool finite = c.point.allFinite() && c.normal.allFinite() && std::isfinite(c.gap) &&
                      std::isfinite(c.normal_force) && c.friction_force.allFinite();
  if (!finite) {
    fault(time, fmt::format("a contact of {} is not finite", names_of(c)));
    return;
  }
  smallest_gap_ = contacts_ == 1 ? c.gap : std::min(smallest_gap_, c.gap);
  if (c.gap < -gap_rounding * lengths_at(c, frame.bodies) - allowed_depth_) {
    fault(time, fmt::format("a contact of {} has gap {:.3g} m", names_of(c), c.gap));
  }
  if (c.normal_force < 0) {
    fault(time, fmt::format("a contact of {} pulls with {:.3g} N", names_of(c), -c.normal_force));
  }
  if (std::abs(c.normal.norm() - 1) > direction_tolerance) {
    fault(time, fmt::format("the normal of a contact of {} has length {:.9g}", names_of(c),
                            c.normal.norm()));
  }
  const double force = c.friction_force.norm() + c.normal_force;
  if (std::abs(c.friction_force.dot(c.normal)) > direction_tolerance * force) {
    fault(time, fmt::format("friction between {} is not tangential", names_of(c)));
  }
}

void ContactCheck::check(const JointState& joint, double time) {
  ++joint_states_;
  const bool exists = joint.joint >= 0 && static_cast<std::size_t>(joint.joint) < joints_;
  if (!exists) fault(time, fmt::format("joint {} does not exist", joint.joint));
  if (!joint.force.allFinite() || !joint.torque.allFinite() || !(joint.gap >= 0)) {
    fault(time, fmt::format("the state of joint {} is not sound", joint.joint));
  }
}

std::string ContactCheck::names_of(const ContactState& contact) const {
  const auto name = [this](BodyIndex i) {
    return i == world ? std::string("the world") : bodies_[static_cast<std::size_t>(i)].name;
  };
  return name(contact.body_a) + " and " + name(contact.body_b);
}

std::string ContactCheck::measured() const {
  std::string text = fmt::format("{} contacts, {} joint states", contacts_, joint_states_);
  if (contacts_ > 0) text += fmt::format("; smallest gap {:.3g} m", smallest_gap_);
  return text;
}

}  // namespace abut::verify
