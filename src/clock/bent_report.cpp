// What is told of bodies that bend.

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/bent_books.h"
#include "clock/bent_joints.h"
#include "clock/bent_rows.h"
#include "clock/step_flight.h"
#include "clock/step_report.h"

namespace abut::clock {
namespace {

using flexible::Columns;

const BentPiece* bent_piece_at(const SteppedBody& body, double t) {
  for (const BentPiece& piece : body.bent->pieces)
    if (t <= piece.end) return &piece;
  return body.bent->pieces.empty() ? nullptr : &body.bent->pieces.back();
}

// How much momentum is in motion within a body that bends, whatever of it adds up to nothing: by
// Cauchy and Schwarz, with T the kinetic energy, c the centre of mass and v its velocity,
//     integral of rho |x'|          <= sqrt(m 2 T)
//     integral of rho |(x - c) x x'| <= sqrt(integral of rho |x - c|^2 (2 T - m v^2)),
// both with equality where it flies, or spins about the normal of its plane, as a whole.
integrate::Momentum momentum_of(const flexible::ColumnMass& mass, const flexible::State& state) {
  const Vec3 centre = mass.centre(state.columns);
  integrate::Momentum momentum;
  momentum.linear = mass.momentum(state.rates);
  momentum.angular = mass.angular_momentum(state);
  momentum.linear_scale = std::sqrt(mass.total() * 2 * mass.kinetic_energy(state.rates));
  const double spread = state.columns.cwiseProduct(mass.times(state.columns)).sum() -
                        mass.total() * centre.squaredNorm();
  const double inner =
      2 * mass.kinetic_energy(state.rates) - momentum.linear.squaredNorm() / mass.total();
  momentum.angular_scale = centre.norm() * momentum.linear_scale +
                           std::sqrt(std::max(0.0, spread) * std::max(0.0, inner));
  momentum.reach = centre.norm();
  return momentum;
}

}  // namespace

flexible::State StepReport::bent_state(const SteppedBody& body, double t) const {
  const BentPiece* piece = body.asleep ? nullptr : bent_piece_at(body, t);
  return piece != nullptr ? piece->at(t) : body.bent->state;
}

// A point of it, of which nothing else is asked for.
Vec3 StepReport::bent_place(const SteppedBody& body, flexible::Weights weights, double t) const {
  const BentPiece* piece = body.asleep ? nullptr : bent_piece_at(body, t);
  if (piece == nullptr) return flexible::combined(weights, body.bent->state.columns);
  if (piece->flight) return flexible::combined(weights, piece->at(t).columns);
  return flexible::combined(weights, piece->start) +
         (t - piece->begin) * flexible::combined(weights, piece->drift);
}

void StepReport::write_bending(double t, std::vector<flexible::State>& bending) const {
  bending.resize(state_.model.bodies.size());
  for (const SteppedBody& body : state_.bodies)
    if (body.bent) bending[body.index] = bent_state(body, t);
}

void StepReport::write_bent(const SteppedBody& body, double t, BodyState& state) const {
  const flexible::BendingBody& bending = body.bent->body();
  const body::Mass& mass = state_.model.bodies[body.index].mass;
  const flexible::RigidFit fit = flexible::rigid_fit(bending, bent_state(body, t));
  const Quat before = state.orientation;
  state.orientation = fit.rotation.normalized();
  if (state.orientation.coeffs().dot(before.coeffs()) < 0)
    state.orientation.coeffs() = -state.orientation.coeffs();
  state.centre_of_mass = fit.centre;
  state.position = fit.centre - state.orientation * mass.central.position;
  state.velocity = fit.velocity;
  state.angular_velocity = fit.angular_velocity;
  state.acceleration = state.angular_acceleration = Vec3::Zero();
}

void StepReport::book_bent(const SteppedBody& body, double t, integrate::Snapshot& snapshot) const {
  const flexible::BendingBody& bending = body.bent->body();
  const flexible::State state = bent_state(body, t);
  const Vec3 centre = bending.mass.centre(state.columns);
  snapshot.momentum += momentum_of(bending.mass, state);
  snapshot.energy.kinetic += bending.mass.kinetic_energy(state.rates);
  snapshot.energy.elastic += bending.elasticity->energy(state.columns);
  snapshot.energy.potential -= bending.mass.total() * state_.model.gravity.dot(centre);
  const BentPiece* piece = body.asleep ? nullptr : bent_piece_at(body, t);
  if (piece == nullptr) return;
  if (piece->flight) {
    snapshot.balance += flight_balance(state_.model, bending, *piece, t);
    return;
  }
  // Rates that motors change between the kicks belong to work that they do there.
  const double driven = piece->drive_work(t);
  snapshot.balance.work += driven;
  snapshot.balance.dissipated += bent_energy(state_.model, bending, piece->at(piece->begin)) -
                                 bent_energy(state_.model, bending, state) + driven;
  const flexible::State more{state.columns, piece->since_middle(t) * piece->acceleration};
  snapshot.balance.impulse += bending.mass.momentum(more.rates);
  snapshot.balance.angular_impulse += bending.mass.angular_momentum(more);
}

body::RigidMotion StepReport::joint_motion_at(const joint::Joint& joint, int side, double t) const {
  const BodyIndex body = joint.bodies[side];
  if (body == world || !state_.model.bodies[body].bends()) return state_.motion_at(body, t);
  return {carrier_pose(state_.model, joint, side,
                       bent_state(state_.bodies[state_.slot_of[body]], t).columns)};
}

// Rates of rigid ends are those of their momentum.
SpringEnds StepReport::spring_ends(const model::Spring& spring, double t) const {
  SpringEnds ends;
  for (const int k : {0, 1}) {
    const auto& [body, point] = spring.ends[k];
    if (body != world && state_.model.bodies[body].bends()) {
      const flexible::State state = bent_state(state_.bodies[state_.slot_of[body]], t);
      const auto weights = flexible::weights_at(*state_.model.bodies[body].bending->body, point);
      ends.places[k] = flexible::combined(weights, state.columns);
      ends.velocities[k] = flexible::combined(weights, state.rates);
      continue;
    }
    if (state_.contains(body)) {
      BodyState state;
      write_body(state_.bodies[state_.slot_of[body]], t, state);
      ends.places[k] = state.position + state.orientation * point;
      ends.velocities[k] = state.velocity + state.angular_velocity.cross(
                                                Vec3(ends.places[k] - state.centre_of_mass));
      continue;
    }
    const body::RigidMotion motion = state_.motion_at(body, t);
    const Vec3 arm = motion.pose.orientation * point;
    ends.places[k] = motion.pose.position + arm;
    ends.velocities[k] = motion.velocity + motion.angular_velocity.cross(arm);
  }
  return ends;
}

// What acts on bodies that bend, and on those that hold them, besides contacts and joints.
void StepReport::push_bent(double t, const std::vector<BodyState>& bodies,
                           const integrate::Snapshot& snapshot, const Push& push) const {
  for (const int index : state_.implicit_forces) {
    const model::Force& force = state_.model.forces[index];
    if (const auto* spring = std::get_if<model::Spring>(&force)) {
      const SpringEnds ends = spring_ends(*spring, t);
      const Vec3 pull = spring_pull(*spring, ends);
      push(spring->ends[0].body, pull, ends.places[0], Vec3::Zero());
      push(spring->ends[1].body, -pull, ends.places[1], Vec3::Zero());
    } else if (const auto* drag = std::get_if<model::Drag>(&force)) {
      const BodyState& body = bodies[drag->body];
      const Vec3 against = body.velocity - drag->wind;
      push(drag->body, -(drag->linear + drag->quadratic * against.norm()) * against,
           body.centre_of_mass, -drag->angular * body.angular_velocity);
    } else if (const auto* constant = std::get_if<model::ConstantForce>(&force)) {
      const BodyState& body = bodies[constant->at.body];
      push(constant->at.body, constant->force, body.centre_of_mass, constant->torque);
    }
  }
  auto state =
      std::find_if(snapshot.joints.begin(), snapshot.joints.end(), [this](const JointState& joint) {
        return static_cast<std::size_t>(joint.joint) >= state_.model.joints.size();
      });
  for (const SteppedBody& body : state_.bodies) {
    if (!body.bent) continue;
    const Columns columns = bent_state(body, t).columns;
    for (const model::Hold& hold : body.bent->bending->holds) {
      const Vec3 at = columns.col(hold.column), force = (state++)->force;
      push(body.index, force, at, Vec3::Zero());
      push(hold.body, -force, at, Vec3::Zero());
    }
  }
}

// What springs and constant forces on bodies that bend hold.
Energy StepReport::bent_force_energy(double t) const {
  Energy energy;
  for (const int index : state_.implicit_forces) {
    if (const auto* spring = std::get_if<model::Spring>(&state_.model.forces[index]))
      energy.elastic += spring_energy(*spring, spring_ends(*spring, t));
    const auto* constant = std::get_if<model::ConstantForce>(&state_.model.forces[index]);
    if (constant == nullptr) continue;
    const flexible::State state = bent_state(state_.bodies[state_.slot_of[constant->at.body]], t);
    energy.potential -= constant->force.dot(flexible::combined(
        flexible::weights_at(*state_.model.bodies[constant->at.body].bending->body,
                             constant->at.point),
        state.columns));
  }
  return energy;
}

// Nodes of sheets that are held are told as joints, numbered after those of the scene.
void StepReport::report_holds(double t, integrate::Snapshot& snapshot) const {
  auto number = static_cast<JointIndex>(state_.model.joints.size());
  for (const SteppedBody& body : state_.bodies) {
    if (!body.bent) continue;
    const std::vector<model::Hold>& holds = body.bent->bending->holds;
    const Columns columns = bent_state(body, t).columns;
    for (std::size_t i = 0; i < holds.size(); ++i) {
      JointState state;
      state.joint = number++;
      if (body.bent->hold_kick > 0)
        state.force = body.bent->hold_impulses[i] / body.bent->hold_kick;
      const Pose pose = holds[i].body == world ? Pose{} : state_.motion_at(holds[i].body, t).pose;
      state.gap = (hold_place(state_.model, *body.bent->bending, holds[i], pose) -
                   columns.col(holds[i].column))
                      .norm();
      snapshot.joints.push_back(state);
    }
  }
}

Vec3 StepReport::contact_place(BodyIndex body, const Vec3& arm,
                               const std::vector<flexible::ColumnWeight>& weights, double t) const {
  if (!weights.empty()) return bent_place(state_.bodies[state_.slot_of[body]], weights, t);
  const Pose pose = state_.motion_at(body, t).pose;
  return pose.position + pose.orientation * arm;
}

}  // namespace abut::clock
