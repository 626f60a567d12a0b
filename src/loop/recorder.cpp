#include "loop/recorder.h"

#include <algorithm>

namespace abut::loop {
namespace {

using motion::Side;
using record::FrameKind;

// Paths handled by one task: large enough to pay for the task, small enough to balance.
constexpr std::size_t grain = 64;

double total_weight(const model::Model& model) {
  double weight = 0;
  for (const model::Body& body : model.bodies)
    if (body.is_dynamic()) weight += body.mass.mass * model.gravity.norm();
  return weight;
}

// What it takes to lift every body by its own size.
double lifting_energy(const model::Model& model) {
  double energy = 0;
  for (const model::Body& body : model.bodies)
    if (body.is_dynamic()) energy += body.mass.mass * model.gravity.norm() * body.bounding_radius;
  return energy;
}

}  // namespace

Recorder::Recorder(const model::Model& model, const integrate::Scripts& scripts, const Paths& paths,
                   record::Sink& sink, const base::ThreadPool& pool)
    : model_(model),
      scripts_(scripts),
      paths_(paths),
      sink_(sink),
      pool_(pool),
      energy_audit_(lifting_energy(model)),
      momentum_audit_(total_weight(model)) {
  frame_.bodies.resize(model.bodies.size());
}

void Recorder::record_event(const Event& event) {
  ++events_;
  sink_.event(event);
}

void Recorder::note_joint_impulses(const std::vector<JointState>& impulses) {
  joint_impulses_.insert(joint_impulses_.end(), impulses.begin(), impulses.end());
}

void Recorder::record_frame(double t, FrameKind kind) {
  const Side side = kind == FrameKind::before ? Side::before : Side::after;
  frame_.time = t;
  frame_.kind = kind;
  if (kind != FrameKind::before) recorded_until_ = t;
  write_moving_bodies(t, side);
  write_prescribed_bodies(t, side);
  gather_contacts_and_joints();
  keep_books();
  hash_frame();
  sink_.frame(frame_);
}

void Recorder::write_moving_bodies(double t, Side side) {
  energies_.assign(paths_.size(), {});
  momenta_.assign(paths_.size(), {});
  balances_.assign(paths_.size(), {});
  contacts_.resize(paths_.size());
  joints_.resize(paths_.size());
  pool_.for_each(paths_.size(), grain, [&](std::size_t i) {
    contacts_[i].clear();
    joints_[i].clear();
    integrate::ClusterPath* path = paths_.at(i);
    if (path == nullptr) return;
    path->write_states(t, side, frame_.bodies);
    path->report(t, side, contacts_[i], joints_[i]);
    energies_[i] = path->energy(t, side);
    momenta_[i] = path->momentum(t);
    balances_[i] = path->balance(t);
  });
}

void Recorder::write_prescribed_bodies(double t, Side side) {
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    const model::Body& body = model_.bodies[i];
    if (body.is_dynamic()) continue;
    const motion::Kinematics frame =
        integrate::prescribed_kinematics(model_, scripts_, static_cast<BodyIndex>(i), t, side);
    const motion::Kinematics centre = motion::carried(frame, body.mass.central.position);
    frame_.bodies[i] = {frame.pose.position,       frame.pose.orientation, centre.velocity,
                        frame.angular_velocity,    centre.pose.position,   centre.acceleration,
                        frame.angular_acceleration};
  }
}

void Recorder::gather_contacts_and_joints() {
  frame_.contacts.clear();
  frame_.joints.clear();
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    frame_.contacts.insert(frame_.contacts.end(), contacts_[i].begin(), contacts_[i].end());
    frame_.joints.insert(frame_.joints.end(), joints_[i].begin(), joints_[i].end());
  }
  if (frame_.kind != FrameKind::after) return;
  frame_.joints.insert(frame_.joints.end(), joint_impulses_.begin(), joint_impulses_.end());
  joint_impulses_.clear();
}

void Recorder::keep_books() {
  ExactSum kinetic, potential, elastic, dissipated, work;
  integrate::Momentum momentum;
  integrate::Balance balance;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    kinetic.add(energies_[i].kinetic);
    potential.add(energies_[i].potential);
    elastic.add(energies_[i].elastic);
    dissipated.add(energies_[i].dissipated);
    work.add(energies_[i].work);
    momentum += momenta_[i];
    balance += balances_[i];
  }
  frame_.energy = {kinetic.value(), potential.value(), elastic.value(), dissipated.value(),
                   work.value()};
  // Bodies that touch when the run begins are moved to the rest gap: the books open after that.
  if (frame_.time == 0 && frame_.kind != FrameKind::after)
    energy_initial_ = frame_.energy.mechanical();
  if (frame_.time == 0 && frame_.kind == FrameKind::before) return;
  energy_audit_.add(frame_.energy);
  momentum_audit_.add(frame_.time, momentum, balance);
  rubbed_ = balance.rubbed;
  contacts_max_ = std::max(contacts_max_, static_cast<long>(frame_.contacts.size()));
}

void Recorder::hash_frame() {
  const auto add = [this](const auto& vector) {
    for (int i = 0; i < vector.size(); ++i) hash_.add(vector[i]);
  };
  hash_.add(frame_.time);
  for (const BodyState& body : frame_.bodies) {
    add(body.position);
    add(body.orientation.coeffs());
    add(body.velocity);
    add(body.angular_velocity);
  }
}

void Recorder::end(record::Summary& summary) {
  const Energy& last = energy_audit_.last();
  summary.events = events_;
  summary.contacts_max = contacts_max_;
  summary.energy_initial = energy_initial_;
  summary.energy_final = last.mechanical();
  summary.dissipated_by_friction = rubbed_;
  summary.dissipated_by_damping =
      last.dissipated - summary.dissipated_by_impacts - summary.dissipated_by_friction;
  summary.work = last.work;
  summary.energy_error = energy_audit_.relative_error();
  summary.momentum_error = momentum_audit_.relative_error();
  summary.state_hash = hash_.hex();
  sink_.end(summary);
}

}  // namespace abut::loop
