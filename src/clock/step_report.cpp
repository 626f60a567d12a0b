#include "clock/step_report.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/limits.h"

namespace abut::clock {
namespace {

// What the books have of a body beyond the frame, for the force F and the torque T that forces but
// those of contacts and joints exert on it. A step keeps energy by kicks where steps meet and
// forces in between: with velocity v and spin w of its middle, and s after it,
//     E + s (v.F + w.T) + h^2 (F.F / m + T.I^-1 T) / 8
// is the kinetic energy and what the forces have yet to do to a place that moves steadily, with E
// that of v and w. A frame tells the momenta of that instant, without what contacts take in the
// next kick: of a body at rest that is all.
double untold_energy(const SteppedBody& body, const StepPiece* piece, const body::Mass& mass,
                     const body::RigidState& told, const integrate::Wrench& on, double t) {
  const auto swing = [&](double time) {  // that of a velocity which forces give in this time
    body::RigidState given = told;
    given.velocity = time / mass.mass * on.force;
    given.angular_momentum = time * on.torque;
    return body::kinetic_energy(mass, given);
  };
  if (piece == nullptr) return swing(0.5 * body.last_step);
  if (piece->first && t == piece->motion.begin) return 0;
  const double s = t - piece->middle;
  body::RigidState middle = told;
  middle.velocity = piece->velocity;
  middle.angular_momentum = piece->angular_momentum;
  const Vec3 spin = body::angular_velocity(mass, told.attitude, piece->angular_momentum);
  return body::kinetic_energy(mass, middle) - body::kinetic_energy(mass, told) +
         s * (piece->velocity.dot(on.force) + spin.dot(on.torque)) +
         swing(piece->middle - piece->motion.begin);
}

}  // namespace

void StepReport::write_body(const SteppedBody& body, double t, BodyState& state) const {
  if (body.bent) return write_bent(body, t, state);
  const body::Mass& mass = state_.model.bodies[body.index].mass;
  const StepPiece* piece = body.asleep ? nullptr : piece_at(body, t);
  Pose pose = body.pose();
  Vec3 velocity = Vec3::Zero(), momentum = Vec3::Zero();
  if (piece != nullptr) {
    pose = piece->motion.pose(t);
    const integrate::Wrench gained = piece->push.gained(t - piece->middle);
    velocity = piece->velocity + gained.force / mass.mass;
    momentum = piece->angular_momentum + gained.torque;
    if (piece->first && t == piece->motion.begin) std::tie(velocity, momentum) = *piece->first;
  }
  const Quat before = state.orientation;
  const Pose frame = body::body_from_central(mass, pose);
  state.position = frame.position;
  state.orientation = frame.orientation.normalized();
  if (state.orientation.coeffs().dot(before.coeffs()) < 0)
    state.orientation.coeffs() = -state.orientation.coeffs();
  state.velocity = velocity;
  state.angular_velocity = body::angular_velocity(mass, pose.orientation, momentum);
  state.centre_of_mass = state.position + state.orientation * mass.central.position;
}

void StepReport::take_snapshot(double t, std::vector<BodyState>& bodies,
                               integrate::Snapshot& snapshot) const {
  snapshot = {};
  for (const SteppedBody& body : state_.bodies) write_body(body, t, bodies[body.index]);
  report_contacts(t, snapshot);
  report_joints(t, snapshot);
  const std::vector<integrate::MovingBody> all = moving_as_told(bodies);
  report_holds(t, snapshot);
  find_accelerations(t, all, snapshot, bodies);
  keep_books(t, all, snapshot);
}

Energy StepReport::energy(double t) const {
  std::vector<integrate::MovingBody> by_slot;
  for (const SteppedBody& body : state_.bodies) {
    BodyState state;
    write_body(body, t, state);
    by_slot.push_back(moving(body, state));
  }
  integrate::Snapshot books;
  keep_books(t, by_slot, books);
  return books.energy;
}

// The bodies as a frame tells of them.
std::vector<integrate::MovingBody> StepReport::moving_as_told(
    const std::vector<BodyState>& told) const {
  std::vector<integrate::MovingBody> all;
  for (const SteppedBody& body : state_.bodies) all.push_back(moving(body, told[body.index]));
  return all;
}

// As forces and energies are told of it.
integrate::MovingBody StepReport::moving(const SteppedBody& body, const BodyState& state) const {
  const body::Mass& mass = state_.model.bodies[body.index].mass;
  const Pose central = body::central_from_body(mass, {state.position, state.orientation});
  return {{state.centre_of_mass, central.orientation, state.velocity,
           body::angular_momentum(mass, central.orientation, state.angular_velocity)},
          state.angular_velocity};
}

void StepReport::report_contacts(double t, integrate::Snapshot& snapshot) const {
  for (const auto& [found, pair] : state_.pairs) report_contacts_of(*pair, t, snapshot);
  for (const auto& [found, pair] : state_.bent_pairs) report_contacts_of(*pair, t, snapshot);
}

void StepReport::report_contacts_of(const TouchingPair& pair, double t,
                                    integrate::Snapshot& snapshot) const {
  const PairStep* step = &pair.last;
  for (const PairStep& one : pair.steps)
    if (t <= one.end) {
      step = &one;
      break;
    }
  if (!(step->kick > 0)) return;
  for (const StepContact& contact : step->contacts) {
    const Vec3 at_a = contact_place(pair.a(), contact.arms[0], contact.weights[0], t);
    const Vec3 at_b = contact_place(pair.b(), contact.arms[1], contact.weights[1], t);
    const bool bent = !contact.weights[0].empty();
    ContactState state;
    state.body_a = pair.a();
    state.body_b = pair.b();
    state.normal = contact.normal;
    // Places are carried along. Where bodies turn fast these come nearer than the bodies do, of
    // which the step is proven.
    const double proven = std::min(contact.gap, proven_lower * contact.kept);
    state.gap = bent ? contact.gap : std::max(contact.normal.dot(at_a - at_b), proven);
    state.point = 0.5 * (at_a + at_b);
    const Vec3 force = contact.impulse / step->kick;
    state.normal_force = std::max(0.0, contact.normal.dot(force));
    state.friction_force = force - contact.normal.dot(force) * contact.normal;
    state.friction_force -= contact.normal.dot(state.friction_force) * contact.normal;
    const bool is_rough = contact.law.friction.static_coefficient > 0;
    state.mode = !is_rough        ? ContactMode::frictionless
                 : contact.slides ? ContactMode::slide
                                  : ContactMode::stick;
    state.feature_a = contact::recorded_a(contact.label);
    state.feature_b = contact::recorded_b(contact.label);
    state.unique = false;  // one of possibly several solutions: nobody looked for others
    snapshot.contacts.push_back(state);
  }
}

void StepReport::report_joints(double t, integrate::Snapshot& snapshot) const {
  for (std::size_t j = 0; j < state_.model.joints.size(); ++j) {
    if (state_.broken[j] || !state_.is_mine(static_cast<JointIndex>(j))) continue;
    const joint::Joint& joint = state_.model.joints[j];
    const body::RigidMotion a = joint_motion_at(joint, 0, t), b = joint_motion_at(joint, 1, t);
    JointState state;
    state.joint = static_cast<JointIndex>(j);
    if (state_.joint_steps[j].kick > 0) {
      const joint::Reaction reaction = reaction_of(state.joint, t);
      state.force = reaction.force;
      state.torque = reaction.torque;
    }
    state.gap = joint::anchor_gap(joint, a, b);
    snapshot.joints.push_back(state);
  }
}

// The accelerations that the forces told give the bodies where they are.
void StepReport::find_accelerations(double t, const std::vector<integrate::MovingBody>& moving,
                                    const integrate::Snapshot& snapshot,
                                    std::vector<BodyState>& bodies) const {
  std::vector<integrate::Wrench> wrenches(state_.bodies.size());
  integrate::Balance unused;
  state_.laws->add(t, motion::Side::after, moving, wrenches, unused);
  const Push push = [&](BodyIndex body, const Vec3& force, const Vec3& at, const Vec3& torque) {
    if (body == world || state_.slot_of[body] < 0) return;
    integrate::Wrench& wrench = wrenches[state_.slot_of[body]];
    wrench.force += force;
    wrench.torque += torque + (at - bodies[body].centre_of_mass).cross(force);
  };
  for (const ContactState& contact : snapshot.contacts) {
    const Vec3 force = contact.normal_force * contact.normal + contact.friction_force;
    push(contact.body_a, force, contact.point, Vec3::Zero());
    push(contact.body_b, -force, contact.point, Vec3::Zero());
  }
  push_bent(t, bodies, snapshot, push);
  for (const JointState& state : snapshot.joints) {
    if (static_cast<std::size_t>(state.joint) >= state_.model.joints.size()) continue;  // of sheets
    const joint::Joint& joint = state_.model.joints[state.joint];
    const Vec3 at = joint::joint_point(joint, joint_motion_at(joint, 1, t));
    push(joint.bodies[1], state.force, at, state.torque);
    push(joint.bodies[0], -state.force, at, -state.torque);
  }
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const body::Mass& mass = state_.model.bodies[state_.bodies[i].index].mass;
    BodyState& state = bodies[state_.bodies[i].index];
    state.acceleration = state_.model.gravity + wrenches[i].force / mass.mass;
    if (state_.bodies[i].bent) continue;
    state.angular_acceleration = body::angular_acceleration(
        mass, moving[i].state.attitude, moving[i].state.angular_momentum, wrenches[i].torque);
  }
}

void StepReport::keep_books(double t, const std::vector<integrate::MovingBody>& moving,
                            integrate::Snapshot& snapshot) const {
  snapshot.balance = state_.carried;
  for (const BookEntry& entry : state_.book) {
    if (entry.over > 0)
      snapshot.balance += entry.part(std::clamp((t - entry.time) / entry.over, 0.0, 1.0));
    else if (entry.is_past(t, state_.step_begin)) {
      snapshot.balance += entry.balance;
      if (t > entry.end) continue;
      snapshot.balance.work += (t - entry.middle) * entry.work_rate;
      snapshot.balance.dissipated += (t - entry.middle) * entry.loss_rate;
    }
  }
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const SteppedBody& body = state_.bodies[i];
    if (body.bent) {
      book_bent(body, t, snapshot);
      continue;
    }
    const body::Mass& mass = state_.model.bodies[body.index].mass;
    const body::RigidState& state = moving[i].state;
    snapshot.momentum += integrate::momentum_of(mass, state);
    snapshot.energy.kinetic += body::kinetic_energy(mass, state);
    snapshot.energy.potential -= mass.mass * state_.model.gravity.dot(state.centre);
    // Between the kicks a frame interpolates.
    const StepPiece* piece = body.asleep ? nullptr : piece_at(body, t);
    if (piece == nullptr || (piece->first && t == piece->motion.begin)) continue;
    const integrate::Wrench gained = piece->push.gained(t - piece->middle);
    snapshot.balance.impulse += gained.force;
    snapshot.balance.angular_impulse += state.centre.cross(gained.force) + gained.torque;
  }
  std::vector<integrate::Wrench> wrenches(state_.bodies.size());
  integrate::Balance unused;
  state_.laws->add(t, motion::Side::after, moving, wrenches, unused);
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const SteppedBody& body = state_.bodies[i];
    if (body.bent) continue;
    const body::Mass& mass = state_.model.bodies[body.index].mass;
    wrenches[i].force += mass.mass * state_.model.gravity;
    snapshot.balance.dissipated += untold_energy(body, body.asleep ? nullptr : piece_at(body, t),
                                                 mass, moving[i].state, wrenches[i], t);
  }
  snapshot.energy.potential += state_.laws->potential_energy(moving);
  snapshot.energy.elastic += state_.laws->elastic_energy(t, motion::Side::after, moving);
  // Of the energy of forces on bodies that bend, too, all that is missing is booked as lost.
  const Energy stored = bent_force_energy(t);
  snapshot.energy.potential += stored.potential;
  snapshot.energy.elastic += stored.elastic;
  snapshot.balance.dissipated += state_.bent_start - stored.potential - stored.elastic;
  snapshot.energy.dissipated = snapshot.balance.dissipated;
  snapshot.energy.work = snapshot.balance.work;
}

// What a joint transmitted in its last step, on its average, where its bodies are at t.
joint::Reaction StepReport::reaction_of(JointIndex index, double t) const {
  const joint::Joint& joint = state_.model.joints[index];
  std::vector<double> forces = state_.joint_steps[index].impulses;
  for (double& force : forces) force /= state_.joint_steps[index].kick;
  return joint::reaction(joint, joint_motion_at(joint, 0, t), joint_motion_at(joint, 1, t), forces);
}

std::vector<JointIndex> StepReport::overloaded() const {
  std::vector<JointIndex> found;
  for (std::size_t j = 0; j < state_.model.joints.size(); ++j) {
    const joint::Joint& joint = state_.model.joints[j];
    if (state_.broken[j] || !(state_.joint_steps[j].kick > 0)) continue;
    if (joint.break_force == joint::unbreakable && joint.break_torque == joint::unbreakable)
      continue;
    const joint::Reaction reaction = reaction_of(static_cast<JointIndex>(j), state_.time);
    if (reaction.force.norm() <= joint.break_force && reaction.torque.norm() <= joint.break_torque)
      continue;
    found.push_back(static_cast<JointIndex>(j));
  }
  return found;
}

}  // namespace abut::clock
