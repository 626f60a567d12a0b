#include "integrate/held_now.h"

#include <algorithm>
#include <cmath>

#include "impulse/equalities.h"

namespace abut::integrate {
namespace {

double margin_of(const AppliedForces& applied, int contact, const contact::ContactNow& now) {
  const impulse::ConstraintSet& set = applied.constraints();
  const impulse::BodiesNow bodies = applied.now().placed();
  return contact::support_margin(set.contacts()[contact], now,
                                 set.motion_of_contact(bodies, contact, 0),
                                 set.motion_of_contact(bodies, contact, 1));
}

// Forces by row of all, and what they do to the bodies.
std::vector<impulse::Twist> hold(Equations& equations, double t, const ode::Vector& y,
                                 HeldNow& held) {
  HeldRows& rows = equations.rows();
  AppliedForces& applied = equations.applied();
  if (equations.constraints().has_friction()) {
    applied.evaluate(t, y);
    held.rows = rows.modes().leaning_rows({}, SlipThatIsOver::goes_on);
    const HeldRows::Shared shared = rows.shared_forces_of(held.rows);
    held.forces = shared.forces;
    return shared.system.response(impulse::gathered(held.forces, rows.active()));
  }
  const IslandNow& now = rows.evaluate(t, applied.side_at(t), y);
  held.rows = equations.constraints().evaluate(now.placed());
  held.forces = rows.forces_of_basis();
  return now.system(held.rows.rows).response(held.forces);
}

}  // namespace

HeldNow held_now(Equations& equations, double t, const ode::Vector& y) {
  const impulse::ConstraintSet& set = equations.constraints();
  const IslandNow& now = equations.applied().now();
  HeldNow held;
  std::vector<impulse::Twist> twists = hold(equations, t, y, held);
  for (std::size_t i = 0; i < twists.size(); ++i) {
    twists[i].linear += now.free[i].linear;
    twists[i].angular += now.free[i].angular;
  }
  held.accelerations = impulse::acceleration_bias(set, held.rows, now.placed(), {}) +
                       impulse::along(held.rows.rows, twists);
  for (int i = 0; i < set.contact_count(); ++i) {
    held.margins.push_back(margin_of(equations.applied(), i, held.rows.contacts[i]));
    const int tangent = set.tangent_of(i);
    held.slips.push_back(tangent < 0 ? force::Slip{}
                                     : equations.rows().modes().slip(i, &held.rows.rows[tangent]));
  }
  return held;
}

force::Slip slip_at(Equations& equations, double t, const ode::Vector& y, int contact) {
  equations.applied().evaluate(t, y);
  return equations.rows().modes().slip_now(contact).second;
}

double margin_at(Equations& equations, double t, const ode::Vector& y, int contact) {
  const IslandNow& now = equations.applied().evaluate(t, y);
  return margin_of(equations.applied(), contact,
                   equations.constraints().contact_now(contact, now.placed()));
}

Changes changes_at(Equations& equations, double t, const ode::Vector& y) {
  HeldRows& rows = equations.rows();
  const force::ContactForces found = rows.found_at(t, y);
  const double tolerance =
      force::row_accuracy *
      std::max(equations.model().gravity.norm(), found.accelerations.lpNorm<Eigen::Infinity>());
  Changes changes;
  changes.only_shares = rows.are_held_by(found);
  for (int i = 0; i < equations.constraints().contact_count(); ++i) {
    if (found.opens(i, tolerance)) changes.opening.push_back(i);
    if (rows.modes().sticks(i) && found.modes[i].mode == force::FrictionMode::slides)
      changes.slipping.emplace_back(i, found.modes[i].along);
  }
  return changes;
}

int creeping_contact(Equations& equations, double t, const ode::Vector& y) {
  const FrictionModes& modes = equations.rows().modes();
  if (!modes.any_slides()) return -1;
  const impulse::Vector forces = held_now(equations, t, y).forces;
  for (int i = 0; i < equations.constraints().contact_count(); ++i) {
    const contact::Contact& contact = equations.constraints().contacts()[i];
    if (!modes.slides(i) || contact.is_guided()) continue;
    // One that has just begun is slow because it has, and one that others drive cannot be stopped.
    const force::ContactMode& mode = modes.all()[i];
    if (mode.begins || mode.creeps || contact.begins_to_slip()) continue;
    if (modes.slip_now(i).second.velocity.norm() <= modes.stopping_speed(i, forces[i])) return i;
  }
  return -1;
}

}  // namespace abut::integrate
