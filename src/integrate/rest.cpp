#include "integrate/rest.h"

#include <algorithm>
#include <cmath>

#include "integrate/path_signals.h"

namespace abut::integrate {
namespace {

// Speeds up to which a body is at rest, m/s: what contacts that have stopped leave of them is a
// thousandth of it, and in a thousand seconds it would be a nanometre.
constexpr double speed_at_rest = 1e-12;

// How far contacts may be from the rest gap, as a fraction of it: the first step of a motion brings
// them there.
constexpr double gap_at_rest = 0.01;

// Forces by law, springs and scripts change with time, and joints may break under a load that does
// not.
bool may_rest(const Equations& equations) {
  const model::Model& model = equations.model();
  const impulse::ConstraintSet& set = equations.constraints();
  const auto is_fixed = [&](BodyIndex body) {
    return body == world || std::holds_alternative<model::Fixed>(model.bodies[body].motion);
  };
  const auto is_unbreakable = [&](JointIndex joint) {
    return model.joints[joint].break_force == joint::unbreakable &&
           model.joints[joint].break_torque == joint::unbreakable;
  };
  return !equations.rows().modes().any_slides() && equations.applied().has_no_laws() &&
         equations.applied().springs().empty() &&
         std::all_of(set.supports().begin(), set.supports().end(), is_fixed) &&
         std::all_of(set.joints().begin(), set.joints().end(), is_unbreakable);
}

}  // namespace

bool is_at_rest(Equations& equations, double t, const ode::Vector& y) {
  AppliedForces& applied = equations.applied();
  const impulse::ConstraintSet& set = equations.constraints();
  const IslandNow& now = applied.observe(y);
  const auto radius = [&](int slot) { return applied.body(slot).bounding_radius; };
  for (int i = 0; i < applied.body_count(); ++i) {
    const double turning = now.bodies[i].angular_velocity.norm() * radius(i);
    if (!(now.bodies[i].state.velocity.norm() + turning <= speed_at_rest)) return false;
  }
  if (!may_rest(equations)) return false;
  equations.rows().evaluate(t, applied.side_at(t), y);
  for (int i = 0; i < applied.body_count(); ++i) {
    const double left = now.wrenches[i].force.norm() + now.wrenches[i].torque.norm() / radius(i);
    if (!(left <= force_rounding * now.loads[i])) return false;
  }
  const double allowed = gap_at_rest * model::rest_gap(equations.model().solver);
  const impulse::RowsNow rows = set.evaluate(now.placed());
  for (int i = 0; i < set.contact_count(); ++i)
    if (!(std::abs(rows.contacts[i].row.value - applied.kept_gap(i)) <= allowed)) return false;
  return true;
}

void stop(const Island& island, ode::Vector& y, ode::Vector& rate) {
  for (int i = 0; i < static_cast<int>(island.bodies.size()); ++i) {
    body::RigidState state = body_in(y, i);
    state.velocity.setZero();
    state.angular_momentum.setZero();
    put_body(state, i, y);
    rate.segment<body_size>(body_size * i).setZero();
  }
}

}  // namespace abut::integrate
