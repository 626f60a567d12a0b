#include "integrate/equations.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/limits.h"
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

// The energy of free rotation is restored only when it is off by more than its own rounding.
constexpr double energy_rounding = 4 * epsilon;

}  // namespace

Equations::Equations(const model::Model& model, const Scripts& scripts, Island island)
    : applied_(model, scripts, std::move(island)),
      rows_(applied_),
      holding_(applied_, rows_),
      tolerance_(dense_output_margin * model.solver.tolerance),
      rotational_energies_(applied_.island().bodies.size()) {
  const std::vector<contact::Contact>& contacts = constraints().contacts();
  touches_curved_ = std::any_of(contacts.begin(), contacts.end(), [](const contact::Contact& one) {
    return one.kind == contact::GapKind::smooth;
  });
}

void Equations::begin_smooth_motion(double t, const ode::Vector& y, double smooth_until) {
  applied_.set_smooth_until(smooth_until);
  if (!constraints().empty()) {
    applied_.evaluate(t, motion::Side::after, y);
    rows_.begin();
    return;
  }
  for (int i = 0; i < applied_.body_count(); ++i) {
    if (applied_.exert_torque_on(i)) continue;
    const body::RigidState state = body_in(y, i);
    rotational_energies_[i] =
        body::rotational_energy(applied_.mass(i), state.attitude, state.angular_momentum);
  }
}

void Equations::derivative(double t, const ode::Vector& y, ode::Vector& rate) {
  const IslandNow& now = rows_.evaluate(t, applied_.side_at(t), y, SlipThatIsOver::goes_on);
  const int bodies = applied_.body_count();
  for (int i = 0; i < bodies; ++i) {
    auto r = rate.segment<body_size>(body_size * i);
    const MovingBody& body = now.bodies[i];
    // q is used as it stands, not normalised, so that q' is linear in it and |q| stays constant.
    r.segment<3>(0) = body.state.velocity;
    r.segment<4>(3) = math::quaternion_rate(body.angular_velocity, body_in(y, i).attitude);
    r.segment<3>(7) = now.wrenches[i].force / applied_.mass(i).mass;
    r.segment<3>(10) = now.wrenches[i].torque;
  }
  if (applied_.keeps_balance()) put_balance(now.rates, bodies, rate);
}

// The error of a step is measured against the motion in it: errors of position, and of velocity
// times the step, against the displacement; errors of attitude, and of angular velocity times the
// step, against the angle turned (see `least_felt_time`). Unlike |y|
// this does not depend on where the origin is. The balance is left out: it is as smooth as the
// motion and nothing depends on it.
double Equations::error_norm(const ode::Vector& y0, const ode::Vector& y1, const ode::Vector& error,
                             double h) const {
  double worst = 0;
  const double felt = std::max(h, touches_curved_ ? least_felt_time : 0.0);
  for (int i = 0; i < applied_.body_count(); ++i) {
    const int at = body_size * i;
    const body::Mass& m = applied_.mass(i);
    const double smallest_moment = m.principal.minCoeff();
    const double displacement =
        h * std::max(y0.segment<3>(at + 7).norm(), y1.segment<3>(at + 7).norm());
    // |omega| <= |L| / smallest moment; the largest moment gives the cautious side.
    const double angle = h *
                         std::max(y0.segment<3>(at + 10).norm(), y1.segment<3>(at + 10).norm()) /
                         m.principal.maxCoeff();
    const double length_unit =
        tolerance_ * (displacement + rest_fraction * applied_.body(i).bounding_radius) +
        position_rounding * y1.segment<3>(at).norm();
    const double angle_unit = tolerance_ * (angle + rest_fraction) + position_rounding;

    worst = std::max({worst, error.segment<3>(at).norm() / length_unit,
                      felt * error.segment<3>(at + 7).norm() / length_unit,
                      2 * error.segment<4>(at + 3).norm() / angle_unit,
                      felt * error.segment<3>(at + 10).norm() / (smallest_moment * angle_unit)});
    if (!(worst < infinity)) return infinity;
  }
  return worst;
}

void Equations::project(double t0, const ode::Vector& y0, double t1, ode::Vector& y1) {
  for (int i = 0; i < applied_.body_count(); ++i) {
    body::RigidState state = body_in(y1, i);
    state.attitude.normalize();
    if (rotational_energies_[i]) restore_energy(i, state);
    put_body(state, i, y1);
  }
  holding_.project(t0, y0, t1, y1);
}

// Without torque the angular momentum L and the rotational energy E are constant. L is by
// construction; E follows the attitude, whose integration error would let it drift, and near the
// unstable axis a drift of 1e-12 is enough to shift the flips. A small rotation theta changes
//     E = L . R I^-1 R^T L / 2    by    theta . (omega x L),
// so the smallest rotation that restores E is (E0 - E) g / |g|^2 with g = omega x L. About a
// principal axis g vanishes and E is stationary: there is nothing to restore, and a correction
// larger than the local error would only be amplified rounding, so it is left out.
void Equations::restore_energy(int slot, body::RigidState& state) const {
  const body::Mass& m = applied_.mass(slot);
  const double wanted = *rotational_energies_[slot];
  const double energy = body::rotational_energy(m, state.attitude, state.angular_momentum);
  const double defect = wanted - energy;
  if (std::abs(defect) <= energy_rounding * wanted) return;
  const Vec3 gradient = body::angular_velocity(m, state.attitude, state.angular_momentum)
                            .cross(state.angular_momentum);
  const double slope = gradient.norm();
  if (std::abs(defect) > tolerance_ * slope) return;
  const Vec3 correction = (defect / slope) * (gradient / slope);
  state.attitude = (math::rotation_exp(correction) * state.attitude).normalized();
}

}  // namespace abut::integrate
