#include "integrate/cluster_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/limits.h"
#include "impulse/mixed_problem.h"
#include "math/rotation.h"

namespace abut::integrate {
namespace {

// A body that hardly moves is allowed this fraction of its size, and of a radian, times the
// tolerance, as error of a step: the displacement alone would allow nothing at rest.
constexpr double rest_fraction = 1e-3;

// Errors of velocity are felt as displacements over a step. Where curved surfaces touch it counts
// as no shorter than this, s: shorter ones are taken on flat spots, where forces are not smooth,
// and would be allowed any error, which lasts.
constexpr double least_felt_time = 1e-6;

// The tolerance holds at every instant of a step, not only at its end, where the method is one
// order better than its dense output in between: the estimate at the end must meet this fraction of
// it.
constexpr double dense_output_margin = 0.1;

// Roundings of a position that error estimates cannot see below.
constexpr double position_rounding = 8 * epsilon;

// Newton steps of the projection of positions: the error is a small local one, so the second step
// already reaches rounding.
constexpr int projection_rounds = 2;

// Contacts whose rates were off by more than this part of the fastest velocity (dimensionless) have
// moved within the step further than integration errors tell. The square of it, which is what
// energy sees, is below rounding.
constexpr double jump_fraction = 1e-8;

// The energy of free rotation is restored only when it is off by more than its own rounding.
constexpr double energy_rounding = 4 * epsilon;

}  // namespace

ClusterSystem::ClusterSystem(const model::Model& model, const Scripts& scripts, Cluster cluster)
    : model_(&model),
      scripts_(&scripts),
      gravity_(model.gravity),
      tolerance_(dense_output_margin * model.solver.tolerance),
      cluster_(std::move(cluster)),
      laws_(model, scripts, cluster_),
      springs_(model, scripts, cluster_),
      constraints_(model, cluster_.bodies, cluster_.contacts, cluster_.limits, cluster_.motors,
                   cluster_.joints),
      every_row_(impulse::row_range(0, constraints_.row_count())),
      rest_gap_(model::rest_gap(model.solver)),
      moving_(cluster_.bodies.size()),
      wrenches_(cluster_.bodies.size()),
      loads_(cluster_.bodies.size()),
      motions_(cluster_.bodies.size()),
      supports_(constraints_.supports().size()),
      inertias_(cluster_.bodies.size()),
      free_(cluster_.bodies.size()) {
  for (const contact::Contact& contact : constraints_.contacts())
    touches_curved_ = touches_curved_ || contact.kind == contact::GapKind::smooth;
  for (std::size_t i = 0; i < cluster_.bodies.size(); ++i) {
    const int slot = static_cast<int>(i);
    const bool torque_free =
        constraints_.empty() && !laws_.exerts_torque_on(slot) && !springs_.act_on(slot);
    slots_.push_back({&model.bodies[cluster_.bodies[i]], torque_free, 0});
  }
}

int ClusterSystem::dimension() const {
  return body_size * body_count() + (keeps_balance() ? balance_size : 0);
}

ode::Vector ClusterSystem::state_vector(const std::vector<body::RigidState>& states) const {
  ode::Vector y = ode::Vector::Zero(dimension());
  for (int i = 0; i < body_count(); ++i) put_body(states[i], i, y);
  return y;
}

void ClusterSystem::begin_smooth_motion(double t, const ode::Vector& y, double smooth_until) {
  smooth_until_ = smooth_until;
  if (!constraints_.empty()) {
    evaluate_free_forces(t, motion::Side::after, y);
    first_forces_ = force::find_forces(constraints_, bodies_now(), inertias_, free_);
    basis_ = first_forces_.basis;
    grips_ = first_forces_.grips;
    slides_ = first_forces_.slides();
    reference_ = first_forces_.forces;
    earlier_shares_.clear();
    for (int i = 0; i < static_cast<int>(grips_.size()); ++i)
      if (grips_[i].grip == force::Grip::sticks && constraints_.contacts()[i].is_corner_on_face())
        constraints_.anchor(i, bodies_now());
    list_rows();
    implied_.clear();
    for (int row = constraints_.first_equality(); row < constraints_.first_tangent(); ++row)
      if (!std::binary_search(basis_.begin(), basis_.end(), row)) implied_.push_back(row);
  }
  for (int i = 0; i < body_count(); ++i) {
    const body::RigidState state = body_in(y, i);
    slots_[i].rotational_energy =
        body::rotational_energy(mass(i), state.attitude, state.angular_momentum);
  }
}

void ClusterSystem::observe(const ode::Vector& y) {
  for (int i = 0; i < body_count(); ++i) {
    MovingBody& body = moving_[i];
    body.state = body_in(y, i);
    body.state.attitude.normalize();
    body.angular_velocity =
        body::angular_velocity(mass(i), body.state.attitude, body.state.angular_momentum);
  }
}

// Bodies around the cluster that do not yield.
void ClusterSystem::observe_supports(double t, motion::Side side) {
  for (std::size_t i = 0; i < supports_.size(); ++i)
    supports_[i] = prescribed_support(*model_, *scripts_, constraints_.supports()[i], t, side);
}

void ClusterSystem::evaluate_free_forces(double t, motion::Side side, const ode::Vector& y) {
  observe(y);
  rates_ = Balance{};
  for (int i = 0; i < body_count(); ++i) {
    const Vec3 weight = mass(i).mass * gravity_;
    wrenches_[i] = {weight, Vec3::Zero()};
    loads_[i] = weight.norm();
    rates_.impulse += weight;
    rates_.angular_impulse += moving_[i].state.centre.cross(weight);
  }
  laws_.add(t, side, moving_, wrenches_, rates_);
  springs_.add(t, side, moving_, wrenches_, rates_);
  if (constraints_.empty()) return;
  observe_supports(t, side);
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = moving_[i];
    motions_[i] = {
        {body.state.centre, body.state.attitude}, body.state.velocity, body.angular_velocity};
  }
  for (const impulse::MotorDrive& motor : cluster_.motors) push(motor);
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = moving_[i];
    inertias_[i] = impulse::Inertia::of(mass(i), body.state.attitude);
    const Vec3 gyroscopic = body.angular_velocity.cross(body.state.angular_momentum);
    free_[i] = {wrenches_[i].force / mass(i).mass,
                inertias_[i].inverse_inertia * (wrenches_[i].torque - gyroscopic)};
  }
}

double ClusterSystem::force_of(const impulse::MotorDrive& motor) const {
  if (!pushes(motor)) return 0;
  const double most = model_->joints[motor.joint].motor->max_force;
  return motor.drive == impulse::Drive::pushes_forward ? most : -most;
}

// Of the motor at a joint of the cluster, if it pushes.
double ClusterSystem::push_at(int joint) const {
  double sum = 0;
  for (const impulse::MotorDrive& motor : cluster_.motors)
    if (motor.joint == constraints_.joints()[joint]) sum += force_of(motor);
  return sum;
}

// A motor that cannot keep its speed gives all the force it has.
void ClusterSystem::push(const impulse::MotorDrive& motor) {
  if (!pushes(motor)) return;
  const auto& joints = constraints_.joints();
  const int joint = static_cast<int>(std::lower_bound(joints.begin(), joints.end(), motor.joint) -
                                     joints.begin());
  const body::ConstraintRow row = constraints_.coordinate(joint, bodies_now(), 0);
  const double force = force_of(motor);
  const std::array<int, 2> places = constraints_.places_of_joint(joint);
  add_row_force(row.sides, places, force);
  for (int side = 0; side < 2; ++side)
    if (places[side] >= 0)
      rates_.work += force * row.sides[side](moving_[places[side]].state.velocity,
                                             moving_[places[side]].angular_velocity);
}

// Between two bodies of the cluster momentum cancels; what remains comes from the supports.
void ClusterSystem::add_row_force(const std::array<body::RowSide, 2>& sides,
                                  const std::array<int, 2>& places, double force) {
  for (int side = 0; side < 2; ++side) {
    if (places[side] < 0) continue;
    const body::RowSide& on = sides[side];
    Wrench& wrench = wrenches_[places[side]];
    wrench.force += force * on.linear;
    loads_[places[side]] += std::abs(force) * on.linear.norm();
    wrench.torque += force * on.angular;
    const Vec3& centre = moving_[places[side]].state.centre;
    rates_.impulse += force * on.linear;
    rates_.angular_impulse += force * (centre.cross(on.linear) + on.angular);
  }
}

void ClusterSystem::evaluate_forces(double t, motion::Side side, const ode::Vector& y) {
  evaluate_free_forces(t, side, y);
  if (!basis_.empty()) add_constraint_forces();
}

motion::Side ClusterSystem::side_at(double t) const {
  return t < smooth_until_ ? motion::Side::after : motion::Side::before;
}

void ClusterSystem::derivative(double t, const ode::Vector& y, ode::Vector& rate) {
  continues_slip_ = true;
  evaluate_forces(t, side_at(t), y);
  continues_slip_ = false;
  for (int i = 0; i < body_count(); ++i) {
    auto r = rate.segment<body_size>(body_size * i);
    const MovingBody& body = moving_[i];
    // q is used as it stands, not normalised, so that q' is linear in it and |q| stays constant.
    r.segment<3>(0) = body.state.velocity;
    r.segment<4>(3) = math::quaternion_rate(body.angular_velocity, body_in(y, i).attitude);
    r.segment<3>(7) = wrenches_[i].force / mass(i).mass;
    r.segment<3>(10) = wrenches_[i].torque;
  }
  if (keeps_balance()) put_balance(rates_, body_count(), rate);
}

// The error of a step is measured against the motion in it: errors of position, and of velocity
// times the step, against the displacement; errors of attitude, and of angular velocity times the
// step, against the angle turned (see `least_felt_time`). Unlike |y|
// this does not depend on where the origin is. The balance is left out: it is as smooth as the
// motion and nothing depends on it.
double ClusterSystem::error_norm(const ode::Vector& y0, const ode::Vector& y1,
                                 const ode::Vector& error, double h) const {
  double worst = 0;
  const double felt = std::max(h, touches_curved_ ? least_felt_time : 0.0);
  for (int i = 0; i < body_count(); ++i) {
    const int at = body_size * i;
    const body::Mass& m = mass(i);
    const double smallest_moment = m.principal.minCoeff();
    const double displacement =
        h * std::max(y0.segment<3>(at + 7).norm(), y1.segment<3>(at + 7).norm());
    // |omega| <= |L| / smallest moment; the largest moment gives the cautious side.
    const double angle = h *
                         std::max(y0.segment<3>(at + 10).norm(), y1.segment<3>(at + 10).norm()) /
                         m.principal.maxCoeff();
    const double length_unit =
        tolerance_ * (displacement + rest_fraction * slots_[i].body->bounding_radius) +
        position_rounding * y1.segment<3>(at).norm();
    const double angle_unit = tolerance_ * (angle + rest_fraction) + position_rounding;

    worst = std::max({worst, error.segment<3>(at).norm() / length_unit,
                      felt * error.segment<3>(at + 7).norm() / length_unit,
                      2 * error.segment<4>(at + 3).norm() / angle_unit,
                      felt * error.segment<3>(at + 10).norm() / (smallest_moment * angle_unit)});
    if (!(worst < std::numeric_limits<double>::infinity()))
      return std::numeric_limits<double>::infinity();
  }
  return worst;
}

void ClusterSystem::project(double t0, const ode::Vector& y0, double t1, ode::Vector& y1) {
  for (int i = 0; i < body_count(); ++i) {
    body::RigidState state = body_in(y1, i);
    state.attitude.normalize();
    if (slots_[i].torque_free) restore_energy(slots_[i], state);
    put_body(state, i, y1);
  }
  rate_removed_ = 0;
  if (basis_.empty()) return;
  for (int i = 0; i < projection_rounds; ++i) project_positions(t1, y1);
  const ode::Vector tried = y1;
  project_velocities(t1, y1);
  if (rate_removed_ <= jump_fraction * fastest(y1)) return;
  y1 = tried;
  carry_places_over(t0, y0, t1, y1);
}

double ClusterSystem::fastest(const ode::Vector& y) const {
  double most = 0;
  for (int i = 0; i < body_count(); ++i) {
    const body::RigidState state = body_in(y, i);
    const Vec3 turning = body::angular_velocity(mass(i), state.attitude, state.angular_momentum);
    most = std::max(most, state.velocity.norm() + turning.norm() * slots_[i].body->bounding_radius);
  }
  return most;
}

// Without torque the angular momentum L and the rotational energy E are constant. L is by
// construction; E follows the attitude, whose integration error would let it drift, and near the
// unstable axis a drift of 1e-12 is enough to shift the flips. A small rotation theta changes
//     E = L . R I^-1 R^T L / 2    by    theta . (omega x L),
// so the smallest rotation that restores E is (E0 - E) g / |g|^2 with g = omega x L. About a
// principal axis g vanishes and E is stationary: there is nothing to restore, and a correction
// larger than the local error would only be amplified rounding, so it is left out.
void ClusterSystem::restore_energy(const Slot& slot, body::RigidState& state) const {
  const body::Mass& m = slot.body->mass;
  const double energy = body::rotational_energy(m, state.attitude, state.angular_momentum);
  const double defect = slot.rotational_energy - energy;
  if (std::abs(defect) <= energy_rounding * slot.rotational_energy) return;
  const Vec3 gradient = body::angular_velocity(m, state.attitude, state.angular_momentum)
                            .cross(state.angular_momentum);
  const double slope = gradient.norm();
  if (std::abs(defect) > tolerance_ * slope) return;
  const Vec3 correction = (defect / slope) * (gradient / slope);
  state.attitude = (math::rotation_exp(correction) * state.attitude).normalized();
}

Balance ClusterSystem::balance(const ode::Vector& y) const {
  return keeps_balance() ? balance_in(y, body_count()) : Balance{};
}

Energy ClusterSystem::energy(double t, motion::Side side, const ode::Vector& y) {
  observe(y);
  Energy energy;
  for (int i = 0; i < body_count(); ++i) {
    energy.kinetic += body::kinetic_energy(mass(i), moving_[i].state);
    energy.potential -= mass(i).mass * gravity_.dot(moving_[i].state.centre);
  }
  energy.potential += laws_.potential_energy(moving_);
  energy.elastic =
      laws_.elastic_energy(t, side, moving_) + springs_.elastic_energy(t, side, moving_);
  return energy;
}

Momentum ClusterSystem::momentum(const ode::Vector& y) const {
  Momentum total;
  for (int i = 0; i < body_count(); ++i) total += momentum_of(mass(i), body_in(y, i));
  return total;
}

}  // namespace abut::integrate
