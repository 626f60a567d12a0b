#include "integrate/path_signals.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "integrate/island_report.h"

namespace abut::integrate {
namespace {

// As a fraction of the rest gap: a contact that rests without force has come nearer below this.
constexpr double nearest_rest = 0.6;

// A limit is met up to this much, m or rad: the rounding of a coordinate.
constexpr double limit_rounding = 1e-12;

// Slip has stopped when it has turned back by this fraction of what counts as none
// (dimensionless).
constexpr double stop_fraction = 0.5;

// How many times as fast as slip that counts as stopped, under its load too, a contact is guided by
// any force. Set free before, it would be stopped, begin to slip again, and so on for ever.
constexpr double guided_stops = 2;

}  // namespace

double rise_of(const contact::Contact& contact, const model::SolverSettings& solver) {
  return std::max(0.0, contact.kept_gap - model::rest_gap(solver));
}

Signals::Signals(Equations& equations, const Coordinates& coordinates)
    : equations_(equations),
      set_(equations.constraints()),
      model_(equations.model()),
      coordinates_(coordinates) {
  const impulse::Vector& forces = equations.rows().found().forces;
  largest_force_ = forces.size() > 0 ? forces.lpNorm<Eigen::Infinity>() : 0;
  for (int i = 0; i < equations.applied().body_count(); ++i)
    largest_force_ =
        std::max(largest_force_, equations.applied().mass(i).mass * model_.gravity.norm());
  carries_.assign(set_.row_count(), false);
  for (const int row :
       set_.has_friction() ? equations.rows().found().carriers : equations.rows().found().basis)
    carries_[row] = true;
}

bool Signals::any() const {
  return set_.first_equality() > 0 || !equations_.island().motors.empty() ||
         std::any_of(set_.joints().begin(), set_.joints().end(), [&](JointIndex index) {
           const joint::Joint& joint = model_.joints[index];
           return joint.limits || joint.break_force < joint::unbreakable ||
                  joint.break_torque < joint::unbreakable;
         });
}

std::vector<Signal> Signals::at(double t, const ode::Vector& y) {
  signals_.clear();
  const HeldNow held = held_now(equations_, t, y);
  // Without forces the rows would accelerate as `free`; where all is at rest, only that tells
  // what rounding is relative to.
  double largest_acceleration = model_.gravity.norm();
  for (const impulse::Vector* rows : {&held.accelerations, &equations_.rows().found().free})
    if (rows->size() > 0)
      largest_acceleration = std::max(largest_acceleration, rows->lpNorm<Eigen::Infinity>());
  for (int i = 0; i < set_.motor_count(); ++i) {
    const double most = model_.joints[set_.motors()[i]].motor->max_force;
    add(most - std::abs(held.forces[set_.first_motor() + i]), force_rounding * most,
        PathEventKind::shift, set_.first_motor() + i);
  }
  add_friction(held);
  for (int i = 0; i < set_.first_motor(); ++i)
    if (carries_[i])
      add(held.forces[i], force_rounding * largest_force_, PathEventKind::release, i);
    else
      add(held.accelerations[i],
          std::max(force::row_accuracy * largest_acceleration,
                   equations_.rows().found().rounding[i]),
          PathEventKind::shift, i);
  add_contacts(held);
  for (int j = 0; j < static_cast<int>(set_.joints().size()); ++j) add_joint(j, held);
  return signals_;
}

void Signals::add(double value, double tolerance, PathEventKind kind, int index, bool is_upper) {
  signals_.push_back({value, tolerance, {0, kind, index, is_upper, 0}});
}

// Contacts must not leave their features, and without force they rest where they are.
void Signals::add_contacts(const HeldNow& held) {
  const double touching = model_.solver.contact_distance;
  const double rest_gap = model::rest_gap(model_.solver);
  for (int i = 0; i < set_.contact_count(); ++i) {
    add(held.margins[i], contact::support_slack * touching, PathEventKind::support, i);
    if (carries_[i]) continue;
    const double gap = held.rows.contacts[i].row.value;
    add(gap - nearest_rest * rest_gap, 0.1 * rest_gap, PathEventKind::shift, i);
    add(touching + rise_of(set_.contacts()[i], model_.solver) - gap, 0.1 * rest_gap,
        PathEventKind::shift, i);
  }
}

Signal Signals::end_of_slip(const force::ContactMode& mode, const force::Slip& slip) {
  return {slip.velocity.dot(mode.along), stop_fraction * slip.none, {}};
}

std::optional<Signal> Signals::without_forces(const PathEvent& event, double t,
                                              const ode::Vector& y) {
  if (event.kind == PathEventKind::stick)
    return end_of_slip(equations_.rows().modes().all()[event.index],
                       slip_at(equations_, t, y, event.index));
  if (event.kind == PathEventKind::support)
    return Signal{margin_at(equations_, t, y, event.index),
                  contact::support_slack * model_.solver.contact_distance,
                  {}};
  return std::nullopt;
}

// Friction must be within its cone, and slip must not turn back.
void Signals::add_friction(const HeldNow& held) {
  if (!set_.has_friction()) return;
  for (int i = 0; i < set_.contact_count(); ++i) {
    const force::ContactMode& mode = equations_.rows().modes().all()[i];
    if (mode.mode == force::FrictionMode::slides) {
      const Signal end = end_of_slip(mode, held.slips[i]);
      add(end.value, end.tolerance, PathEventKind::stick, i);
    }
    if (mode.mode == force::FrictionMode::slides && set_.contacts()[i].is_guided())
      add_guided(i, held);
    if (mode.mode != force::FrictionMode::sticks) continue;
    const double most = set_.contacts()[i].friction.static_coefficient * held.forces[i];
    add(most - held.forces.segment<2>(set_.tangent_of(i)).norm(), force_rounding * largest_force_,
        PathEventKind::slip, i);
  }
}

// A guided contact is set free where it slips fast, or where more than a little force is needed
// to keep its direction: as a fraction of its friction that is the angle by which it is wrong.
void Signals::add_guided(int i, const HeldNow& held) {
  const double fast = force::free_slip_time * largest_free_acceleration();
  add(fast - held.slips[i].velocity.norm(), 0.5 * fast, PathEventKind::free, i);
  const double speed = held.slips[i].velocity.norm();
  const double angle = force::allowed_guiding_angle(speed);
  const double most =
      angle * set_.contacts()[i].friction.dynamic_coefficient * std::abs(held.forces[i]);
  const bool is_slow =
      speed <= guided_stops * equations_.rows().modes().stopping_speed(i, std::abs(held.forces[i]));
  const double guiding = is_slow ? 0 : held.forces[set_.tangent_of(i)];
  add(most - std::abs(guiding), most + force_rounding * largest_force_, PathEventKind::free, i);
}

double Signals::largest_free_acceleration() const {
  return std::max(model_.gravity.norm(), equations_.rows().found().free.lpNorm<Eigen::Infinity>());
}

// At the instant evaluated last.
body::ConstraintRow Signals::coordinate(int joint) const {
  return set_.coordinate(joint, equations_.applied().now().placed(), coordinates_[joint]);
}

// At the instant that `held` was found for.
void Signals::add_joint(int j, const HeldNow& held) {
  const JointIndex index = set_.joints()[j];
  const joint::Joint& joint = model_.joints[index];
  if (joint.limits && !set_.has_arrived(index)) add_limits(j);
  for (const impulse::MotorDrive& motor : equations_.island().motors) {
    if (motor.joint != index || !impulse::pushes(motor)) continue;
    const double sign = motor.drive == impulse::Drive::pushes_forward ? 1 : -1;
    const double rate = coordinate(j).rate;
    add(sign * (joint.motor->speed - rate),
        force_rounding * (std::abs(joint.motor->speed) + std::abs(rate)), PathEventKind::shift,
        index);
  }
  if (joint.break_force < joint::unbreakable || joint.break_torque < joint::unbreakable)
    add_breaks(j, held);
}

void Signals::add_limits(int j) {
  const JointIndex index = set_.joints()[j];
  const double value = coordinate(j).value;
  for (const bool is_upper : {false, true}) {
    const impulse::MetLimit limit{index, is_upper};
    if (std::count(set_.limits().begin(), set_.limits().end(), limit) > 0) continue;
    const double bound = (*model_.joints[index].limits)[is_upper ? 1 : 0];
    add(is_upper ? bound - value : value - bound, limit_rounding, PathEventKind::limit, index,
        is_upper);
  }
}

void Signals::add_breaks(int j, const HeldNow& held) {
  const JointIndex index = set_.joints()[j];
  const joint::Joint& joint = model_.joints[index];
  const JointState load = joint_load(equations_, j, held.forces);
  if (joint.break_force < joint::unbreakable)
    add(joint.break_force - load.force.norm(), force::row_accuracy * joint.break_force,
        PathEventKind::breaks, index);
  if (joint.break_torque < joint::unbreakable)
    add(joint.break_torque - load.torque.norm(), force::row_accuracy * joint.break_torque,
        PathEventKind::breaks, index);
}

}  // namespace abut::integrate
