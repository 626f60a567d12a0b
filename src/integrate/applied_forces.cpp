#include "integrate/applied_forces.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace abut::integrate {

IslandNow::IslandNow(std::size_t bodies_count, std::size_t supports_count)
    : bodies(bodies_count),
      wrenches(bodies_count),
      loads(bodies_count),
      motions(bodies_count),
      supports(supports_count),
      inertias(bodies_count),
      free(bodies_count) {}

// Between two bodies of the island momentum cancels; what remains comes from the supports.
void IslandNow::push(const std::array<body::RowSide, 2>& sides, const std::array<int, 2>& places,
                     double force) {
  for (int side = 0; side < 2; ++side) {
    if (places[side] < 0) continue;
    const body::RowSide& on = sides[side];
    Wrench& wrench = wrenches[places[side]];
    wrench.force += force * on.linear;
    loads[places[side]] += std::abs(force) * on.linear.norm();
    wrench.torque += force * on.angular;
    const Vec3& centre = bodies[places[side]].state.centre;
    rates.impulse += force * on.linear;
    rates.angular_impulse += force * (centre.cross(on.linear) + on.angular);
  }
}

AppliedForces::AppliedForces(const model::Model& model, const Scripts& scripts, Island island)
    : model_(&model),
      scripts_(&scripts),
      island_(std::move(island)),
      laws_(model, scripts, island_),
      springs_(model, scripts, island_),
      constraints_(model, island_.bodies, island_.contacts, island_.limits, island_.motors,
                   island_.joints),
      now_(island_.bodies.size(), constraints_.supports().size()) {
  for (const BodyIndex body : island_.bodies) bodies_.push_back(&model.bodies[body]);
}

bool AppliedForces::exert_torque_on(int slot) const {
  return laws_.exerts_torque_on(slot) || springs_.act_on(slot);
}

double AppliedForces::kept_gap(int contact) const {
  return std::max(model::rest_gap(model_->solver), constraints_.contacts()[contact].kept_gap);
}

const motion::ScriptMotion* AppliedForces::script(BodyIndex body) const {
  return body == world ? nullptr : (*scripts_)[static_cast<std::size_t>(body)].get();
}

Pose AppliedForces::support_pose(BodyIndex body, double t) const {
  return prescribed_support(*model_, *scripts_, body, t).motion.pose;
}

bool AppliedForces::keeps_balance() const {
  return !laws_.empty() || !springs_.empty() || !constraints_.empty();
}

int AppliedForces::dimension() const {
  return body_size * body_count() + (keeps_balance() ? balance_size : 0);
}

ode::Vector AppliedForces::state_vector(const std::vector<body::RigidState>& states) const {
  ode::Vector y = ode::Vector::Zero(dimension());
  for (int i = 0; i < body_count(); ++i) put_body(states[i], i, y);
  return y;
}

Balance AppliedForces::balance(const ode::Vector& y) const {
  return keeps_balance() ? balance_in(y, body_count()) : Balance{};
}

double AppliedForces::fastest(const ode::Vector& y) const {
  double most = 0;
  for (int i = 0; i < body_count(); ++i) {
    const body::RigidState state = body_in(y, i);
    const Vec3 turning = body::angular_velocity(mass(i), state.attitude, state.angular_momentum);
    most = std::max(most, state.velocity.norm() + turning.norm() * body(i).bounding_radius);
  }
  return most;
}

const IslandNow& AppliedForces::observe(const ode::Vector& y) {
  for (int i = 0; i < body_count(); ++i) {
    MovingBody& body = now_.bodies[i];
    body.state = body_in(y, i);
    body.state.attitude.normalize();
    body.angular_velocity =
        body::angular_velocity(mass(i), body.state.attitude, body.state.angular_momentum);
  }
  return now_;
}

IslandNow& AppliedForces::evaluate(double t, motion::Side side, const ode::Vector& y) {
  observe(y);
  now_.rates = Balance{};
  for (int i = 0; i < body_count(); ++i) {
    const Vec3 weight = mass(i).mass * model_->gravity;
    now_.wrenches[i] = {weight, Vec3::Zero()};
    now_.loads[i] = weight.norm();
    now_.rates.impulse += weight;
    now_.rates.angular_impulse += now_.bodies[i].state.centre.cross(weight);
  }
  laws_.add(t, side, now_.bodies, now_.wrenches, now_.rates);
  springs_.add(t, side, now_.bodies, now_.wrenches, now_.rates);
  if (constraints_.empty()) return now_;
  for (std::size_t i = 0; i < now_.supports.size(); ++i)
    now_.supports[i] = prescribed_support(*model_, *scripts_, constraints_.supports()[i], t, side);
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = now_.bodies[i];
    now_.motions[i] = {
        {body.state.centre, body.state.attitude}, body.state.velocity, body.angular_velocity};
  }
  for (const impulse::MotorDrive& motor : island_.motors) push(motor);
  for (int i = 0; i < body_count(); ++i) {
    const MovingBody& body = now_.bodies[i];
    now_.inertias[i] = impulse::Inertia::of(mass(i), body.state.attitude);
    const Vec3 gyroscopic = body.angular_velocity.cross(body.state.angular_momentum);
    now_.free[i] = {now_.wrenches[i].force / mass(i).mass,
                    now_.inertias[i].inverse_inertia * (now_.wrenches[i].torque - gyroscopic)};
  }
  return now_;
}

double AppliedForces::force_of(const impulse::MotorDrive& motor) const {
  if (!pushes(motor)) return 0;
  const double most = model_->joints[motor.joint].motor->max_force;
  return motor.drive == impulse::Drive::pushes_forward ? most : -most;
}

double AppliedForces::push_at(int joint) const {
  double sum = 0;
  for (const impulse::MotorDrive& motor : island_.motors)
    if (motor.joint == constraints_.joints()[joint]) sum += force_of(motor);
  return sum;
}

// A motor that cannot keep its speed gives all the force it has.
void AppliedForces::push(const impulse::MotorDrive& motor) {
  if (!pushes(motor)) return;
  const auto& joints = constraints_.joints();
  const int joint = static_cast<int>(std::lower_bound(joints.begin(), joints.end(), motor.joint) -
                                     joints.begin());
  const body::ConstraintRow row = constraints_.coordinate(joint, now_.placed(), 0);
  const double force = force_of(motor);
  const std::array<int, 2> places = constraints_.places_of_joint(joint);
  now_.push(row.sides, places, force);
  for (int side = 0; side < 2; ++side)
    if (places[side] >= 0)
      now_.rates.work += force * row.sides[side](now_.bodies[places[side]].state.velocity,
                                                 now_.bodies[places[side]].angular_velocity);
}

double AppliedForces::elastic_energy(double t, motion::Side side) const {
  return laws_.elastic_energy(t, side, now_.bodies) + springs_.elastic_energy(t, side, now_.bodies);
}

double AppliedForces::potential_energy() const {
  return laws_.potential_energy(now_.bodies);
}

}  // namespace abut::integrate
