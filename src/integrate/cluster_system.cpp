#include "integrate/cluster_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/rotation.h"

namespace abut::integrate {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// A body that hardly moves is allowed this fraction of its size, and of a radian, times the
// tolerance, as error of a step: the displacement alone would allow nothing at rest.
constexpr double rest_fraction = 1e-3;

// The tolerance holds at every instant of a step, not only at its end, where the method is one
// order better than its dense output in between: the estimate at the end must meet this fraction of
// it.
constexpr double dense_output_margin = 0.1;

// Roundings of a position that error estimates cannot see below.
constexpr double position_rounding = 8 * epsilon;

// The energy of free rotation is restored only when it is off by more than its own rounding.
constexpr double energy_rounding = 4 * epsilon;

}  // namespace

ClusterSystem::ClusterSystem(const model::Model& model, const Scripts& scripts, Cluster cluster)
    : gravity_(model.gravity),
      tolerance_(dense_output_margin * model.solver.tolerance),
      cluster_(std::move(cluster)),
      laws_(model, scripts, cluster_),
      moving_(cluster_.bodies.size()),
      wrenches_(cluster_.bodies.size()) {
  for (std::size_t i = 0; i < cluster_.bodies.size(); ++i)
    slots_.push_back(
        {&model.bodies[cluster_.bodies[i]], !laws_.exerts_torque_on(static_cast<int>(i)), 0});
}

int ClusterSystem::dimension() const {
  return body_size * body_count() + (keeps_balance() ? balance_size : 0);
}

ode::Vector ClusterSystem::initial_state() const {
  ode::Vector y = ode::Vector::Zero(dimension());
  for (int i = 0; i < body_count(); ++i) {
    const model::Body& body = *slots_[i].body;
    const Pose central = body::central_from_body(body.mass, body.pose);
    put_body({central.position, central.orientation, body.velocity,
              body::angular_momentum(body.mass, central.orientation, body.angular_velocity)},
             i, y);
  }
  return y;
}

void ClusterSystem::begin_smooth_motion(const ode::Vector& y, double smooth_until) {
  smooth_until_ = smooth_until;
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

void ClusterSystem::evaluate_forces(double t, motion::Side side, const ode::Vector& y) {
  observe(y);
  rates_ = Balance{};
  for (int i = 0; i < body_count(); ++i) {
    const Vec3 weight = mass(i).mass * gravity_;
    wrenches_[i] = {weight, Vec3::Zero()};
    rates_.impulse += weight;
    rates_.angular_impulse += moving_[i].state.centre.cross(weight);
  }
  laws_.add(t, side, moving_, wrenches_, rates_);
}

void ClusterSystem::derivative(double t, const ode::Vector& y, ode::Vector& rate) {
  evaluate_forces(t, t < smooth_until_ ? motion::Side::after : motion::Side::before, y);
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
// step, against the angle turned. Unlike |y| this does not depend on where the origin is. The
// balance is left out: it is as smooth as the motion and nothing depends on it.
double ClusterSystem::error_norm(const ode::Vector& y0, const ode::Vector& y1,
                                 const ode::Vector& error, double h) const {
  double worst = 0;
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
                      h * error.segment<3>(at + 7).norm() / length_unit,
                      2 * error.segment<4>(at + 3).norm() / angle_unit,
                      h * error.segment<3>(at + 10).norm() / (smallest_moment * angle_unit)});
    if (!(worst < std::numeric_limits<double>::infinity()))
      return std::numeric_limits<double>::infinity();
  }
  return worst;
}

void ClusterSystem::project(const ode::Vector& /*y0*/, ode::Vector& y1) {
  for (int i = 0; i < body_count(); ++i) {
    body::RigidState state = body_in(y1, i);
    state.attitude.normalize();
    if (slots_[i].torque_free) restore_energy(slots_[i], state);
    put_body(state, i, y1);
  }
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
  energy.elastic = laws_.elastic_energy(t, side, moving_);
  return energy;
}

void ClusterSystem::write_states(double t, motion::Side side, const ode::Vector& y,
                                 std::vector<BodyState>& bodies) {
  evaluate_forces(t, side, y);
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = moving_[i];
    const Pose pose = body::body_from_central(mass(i), {body.state.centre, body.state.attitude});
    BodyState& out = bodies[cluster_.bodies[i]];
    out.position = pose.position;
    out.orientation = pose.orientation;
    out.velocity = body.state.velocity;
    out.angular_velocity = body.angular_velocity;
    out.centre_of_mass = body.state.centre;
    out.acceleration = wrenches_[i].force / mass(i).mass;
    out.angular_acceleration = body::angular_acceleration(
        mass(i), body.state.attitude, body.state.angular_momentum, wrenches_[i].torque);
  }
}

Momentum ClusterSystem::momentum(const ode::Vector& y) const {
  Momentum total;
  for (int i = 0; i < body_count(); ++i) {
    const body::RigidState state = body_in(y, i);
    const Vec3 linear = mass(i).mass * state.velocity;
    const Vec3 orbital = state.centre.cross(linear);
    total.linear += linear;
    total.angular += orbital + state.angular_momentum;
    total.linear_scale += linear.norm();
    total.angular_scale += orbital.norm() + state.angular_momentum.norm();
  }
  return total;
}

}  // namespace abut::integrate
