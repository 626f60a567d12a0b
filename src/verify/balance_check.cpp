#include "verify/balance_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/sound_state.h"

namespace abut::verify {
namespace {

/// Remainder of the forces, relative to the sum of their magnitudes (dimensionless), above which
/// acceleration and forces do not belong together. Forces are solved for to about 1e-9.
constexpr double balance_tolerance = 1e-7;

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

double relative(double remainder, double scale) {
  return scale > 0 ? remainder / scale : remainder;
}

}  // namespace

void BalanceCheck::frame(const record::Frame& frame) {
  using record::FrameKind;
  // Accelerations and forces are those after the events.
  if (frame.kind == FrameKind::before) return;
  if (!std::all_of(frame.bodies.begin(), frame.bodies.end(), is_sound)) return;
  if (!frame.joints.empty()) {
    could_not_check("balance of forces in frames with joints");
    return;
  }
  std::vector<Load> loads = applied_loads(model_, frame.bodies);
  add_contacts(frame, loads);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (bodies_[i].motion != record::RecordedMotion::dynamic) continue;
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
