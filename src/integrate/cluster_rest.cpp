// Clusters at rest: nothing of them moves, and nothing will until something new acts on them. They
// need no integration, and cost nothing.

#include <algorithm>
#include <cmath>

#include "integrate/cluster_system.h"

namespace abut::integrate {
namespace {

// Speeds up to which a body is at rest, m/s: what contacts that have stopped leave of them is a
// thousandth of it, and in a thousand seconds it would be a nanometre.
constexpr double speed_at_rest = 1e-12;

// Forces on a body balance if no more than this part of their sizes is left (dimensionless): the
// accuracy of the solver of the rows on badly conditioned clusters.
constexpr double balance_rounding = 1e-10;

// How far contacts may be from the rest gap, as a fraction of it: the first step of a motion brings
// them there.
constexpr double gap_at_rest = 0.01;

}  // namespace

// Forces by law, springs and scripts change with time, and joints may break under a load that does
// not.
bool ClusterSystem::may_rest() const {
  const auto is_fixed = [&](BodyIndex body) {
    return body == world || std::holds_alternative<model::Fixed>(model_->bodies[body].motion);
  };
  const auto is_unbreakable = [&](JointIndex joint) {
    return model_->joints[joint].break_force == joint::unbreakable &&
           model_->joints[joint].break_torque == joint::unbreakable;
  };
  return !slides_ && laws_.empty() && springs_.empty() &&
         std::all_of(constraints_.supports().begin(), constraints_.supports().end(), is_fixed) &&
         std::all_of(constraints_.joints().begin(), constraints_.joints().end(), is_unbreakable);
}

bool ClusterSystem::is_at_rest(double t, const ode::Vector& y) {
  observe(y);
  for (int i = 0; i < body_count(); ++i) {
    const double turning = moving_[i].angular_velocity.norm() * slots_[i].body->bounding_radius;
    if (!(moving_[i].state.velocity.norm() + turning <= speed_at_rest)) return false;
  }
  if (!may_rest()) return false;
  evaluate_forces(t, side_at(t), y);
  for (int i = 0; i < body_count(); ++i) {
    const double left =
        wrenches_[i].force.norm() + wrenches_[i].torque.norm() / slots_[i].body->bounding_radius;
    if (!(left <= balance_rounding * loads_[i])) return false;
  }
  const impulse::RowsNow rows = constraints_.evaluate(bodies_now());
  for (int i = 0; i < constraints_.contact_count(); ++i)
    if (!(std::abs(rows.contacts[i].row.value - kept_gap(i)) <= gap_at_rest * rest_gap_))
      return false;
  return true;
}

void ClusterSystem::stop(ode::Vector& y, ode::Vector& rate) const {
  for (int i = 0; i < body_count(); ++i) {
    body::RigidState state = body_in(y, i);
    state.velocity.setZero();
    state.angular_momentum.setZero();
    put_body(state, i, y);
    rate.segment<body_size>(body_size * i).setZero();
  }
}

}  // namespace abut::integrate
