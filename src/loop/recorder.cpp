#include "loop/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/diagnostics.h"
#include "base/stop.h"
#include "base/stopwatch.h"
#include "loop/certainty.h"
#include "model/joints.h"
#include "record/state_hash.h"

namespace abut::loop {
namespace {

using motion::Side;
using record::FrameKind;

// Errors of bodies at rest are compared with their weight, and without it with the momentum they
// would have at the speed that the scene takes for rest.
MomentumScale momentum_scale(const model::Model& model) {
  MomentumScale scale;
  for (const model::Body& body : model.bodies) {
    if (!body.is_dynamic()) continue;
    scale.weight += body.mass.mass * model.gravity.norm();
    scale.resting += body.mass.mass * model.solver.rest_speed;
    scale.size = std::max(scale.size, body.bounding_radius);
  }
  return scale;
}

std::vector<bool> are_dynamic(const model::Model& model) {
  std::vector<bool> dynamic;
  for (const model::Body& body : model.bodies) dynamic.push_back(body.is_dynamic());
  return dynamic;
}

// Dissipation by damping, relative to the energy in motion (dimensionless), that is rounding.
constexpr double nothing_dissipated = 1e-13;

}  // namespace

Recorder::Recorder(const model::Model& model, const integrate::Scripts& scripts, const Paths& paths,
                   record::Sink& sink, const base::ThreadPool& pool, bool whole_frames)
    : model_(model),
      scripts_(scripts),
      paths_(paths),
      sink_(sink),
      pool_(pool),
      whole_frames_(whole_frames),
      energy_audit_(record::least_energy(model)),
      momentum_audit_(momentum_scale(model)),
      contacts_(are_dynamic(model)) {
  frame_.bodies.resize(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].script() != nullptr) scripted_.push_back(static_cast<BodyIndex>(i));
  for (const model::Body& body : model.bodies) bends_ = bends_ || body.bends();
  if (!bends_) return;
  frame_.bending.resize(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].bends()) frame_.bending[i] = model.bodies[i].bending->initial;
}

void Recorder::note_joint_impulses(const std::vector<JointState>& impulses) {
  joint_impulses_.insert(joint_impulses_.end(), impulses.begin(), impulses.end());
}

std::vector<int> Recorder::unlawful(double t, Side side, const std::vector<int>& numbers) {
  const base::Stopwatch watch(seconds_);
  for (const BodyIndex body : scripted_) frame_.bodies[body] = prescribed_state(body, t, side);
  std::vector<int> found;
  integrate::Snapshot told;
  for (const int number : numbers) {
    const integrate::Cluster& cluster = paths_.at(number)->cluster();
    if (cluster.contacts.empty()) continue;
    paths_.at(number)->take_snapshot(t, side, frame_.bodies, told);
    if (!is_lawful(model_, cluster, frame_.bodies, told)) found.push_back(number);
  }
  return found;
}

void Recorder::record_frame(double t, FrameKind kind) {
  const base::StopScope to_the_end(nullptr);  // a frame is told as a whole
  const base::Stopwatch watch(seconds_);
  const Side side = kind == FrameKind::before ? Side::before : Side::after;
  frame_.time = t;
  frame_.kind = kind;
  frame_.only.clear();
  if (kind != FrameKind::before) recorded_until_ = t;
  write_moving_bodies(t, side);
  write_prescribed_bodies(t, side);
  gather_contacts_and_joints();
  sum_whole_frame();
  finish_frame();
}

void Recorder::finish_frame() {
  refuse_what_is_not_finite();
  note_rounding();
  keep_energy_book();
  record::add_states(hash_, frame_);
  sink_.frame(frame_);
  ++frames_;
}

void Recorder::write_moving_bodies(double t, Side side) {
  records_.resize(paths_.size());
  pool_.for_each(paths_.size(), paths_per_task, [&](std::size_t i) { write_path(i, t, side); });
  if (steps_ == nullptr) return;
  steps_->take_snapshot(t, frame_.bodies, stepped_);
  if (bends_) steps_->write_bending(t, frame_.bending);
}

// Most paths have nothing to do with what happens at an instant: what the frame before it says of
// them holds after it too.
void Recorder::write_path(std::size_t number, double t, Side side) {
  PathRecord& record = records_[number];
  integrate::ClusterPath* path = paths_.at(number);
  if (path == nullptr) {
    record = {};
    return;
  }
  if (record.serial == paths_.serial(number) && record.time == t && path->is_smooth_at(t)) return;
  record.serial = paths_.serial(number);
  record.time = t;
  path->take_snapshot(t, side, frame_.bodies, record.told);
}

void Recorder::write_prescribed_bodies(double t, Side side) {
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    if (!model_.bodies[i].is_dynamic())
      frame_.bodies[i] = prescribed_state(static_cast<BodyIndex>(i), t, side);
}

BodyState Recorder::prescribed_state(BodyIndex body, double t, Side side) const {
  const motion::Kinematics frame =
      integrate::prescribed_kinematics(model_, scripts_, body, t, side);
  const motion::Kinematics centre =
      motion::carried(frame, model_.bodies[body].mass.central.position);
  return {frame.pose.position,       frame.pose.orientation, centre.velocity,
          frame.angular_velocity,    centre.pose.position,   centre.acceleration,
          frame.angular_acceleration};
}

void Recorder::refuse_what_is_not_finite() const {
  for (std::size_t told = 0; told < frame_.told_count(); ++told) {
    const std::size_t i = frame_.told(told);
    const BodyState& s = frame_.bodies[i];
    const bool is_state_finite = s.position.allFinite() && s.orientation.coeffs().allFinite() &&
                                 s.velocity.allFinite() && s.angular_velocity.allFinite();
    // Whoever integrates forces that are not finite says which.
    const bool is_change_finite =
        model_.bodies[i].is_dynamic() ||
        (s.acceleration.allFinite() && s.angular_acceleration.allFinite());
    if (is_state_finite && is_change_finite) continue;
    throw SimulationError(
        frame_.time, fmt::format("the state of {} is not finite any more; look for forces, speeds "
                                 "and scripts beyond what numbers can hold",
                                 model_.bodies[i].name));
  }
}

// A coordinate is told to the distance of the numbers next to it.
void Recorder::note_rounding() {
  double farthest = 0;
  for (std::size_t told = 0; told < frame_.told_count(); ++told) {
    const std::size_t i = frame_.told(told);
    if (model_.bodies[i].is_dynamic())
      farthest = std::max(farthest, frame_.bodies[i].centre_of_mass.lpNorm<Eigen::Infinity>());
  }
  farthest_ = std::max(farthest_, farthest);
}

void Recorder::gather_contacts_and_joints() {
  frame_.contacts.clear();
  frame_.joints.clear();
  const auto add = [this](const integrate::Snapshot& told) {
    frame_.contacts.insert(frame_.contacts.end(), told.contacts.begin(), told.contacts.end());
    frame_.joints.insert(frame_.joints.end(), told.joints.begin(), told.joints.end());
  };
  for (const PathRecord& record : records_) add(record.told);
  add(stepped_);
  if (frame_.kind != FrameKind::after) return;
  frame_.joints.insert(frame_.joints.end(), joint_impulses_.begin(), joint_impulses_.end());
  joint_impulses_.clear();
}

// Before the first step paths tell of bodies that bend as if they were rigid.
void Recorder::add_bending(EnergySum& sum) const {
  for (std::size_t i = 0; i < frame_.bending.size(); ++i) {
    const model::Body& body = model_.bodies[i];
    if (!body.bends()) continue;
    const BodyState& state = frame_.bodies[i];
    const Vec3 spin = state.orientation.normalized().conjugate() * state.angular_velocity;
    Energy more;
    more.kinetic =
        body.bending->body->mass.kinetic_energy(frame_.bending[i].rates) -
        0.5 * (body.mass.mass * state.velocity.squaredNorm() + spin.dot(body.mass.inertia * spin));
    more.elastic = body.bending->body->elasticity->energy(frame_.bending[i].columns);
    sum.add(more);
  }
}

// The book of momentum is kept at whole frames only: it needs every body.
void Recorder::sum_whole_frame() {
  EnergySum energy;
  integrate::Momentum momentum;
  integrate::Balance balance;
  const auto add = [&](const integrate::Snapshot& told) {
    energy.add(told.energy);
    momentum += told.momentum;
    balance += told.balance;
  };
  for (const PathRecord& record : records_) add(record.told);
  add(stepped_);
  if (bends_ && (steps_ == nullptr || steps_->empty())) add_bending(energy);
  frame_.energy = energy.value();
  if (!record::books_are_open(frame_)) return;
  momentum_audit_.add(frame_.time, momentum, balance, record::load_of(model_, frame_));
  rubbed_ = balance.rubbed;
}

void Recorder::keep_energy_book() {
  contacts_.take(frame_);
  if (frame_.time == 0 && frame_.kind != FrameKind::after)
    energy_initial_ = frame_.energy.mechanical();
  if (!record::books_are_open(frame_)) return;
  energy_audit_.add(frame_.energy, record::load_of(model_, frame_));
  for (const JointState& joint : frame_.joints) note_gap(joint);
  if (frame_.is_whole() || frame_.kind == FrameKind::after)
    contacts_max_ = std::max(contacts_max_, static_cast<long>(contacts_.count()));
}

// Of joints of the scene; the nodes of sheets that are held come after them.
void Recorder::note_gap(const JointState& state) {
  if (state.is_impulse || static_cast<std::size_t>(state.joint) >= model_.joints.size()) return;
  const joint::Joint& joint = model_.joints[state.joint];
  const bool stepped =
      steps_ != nullptr && (steps_->contains(joint.bodies[0]) || steps_->contains(joint.bodies[1]));
  const double bend = stepped ? model::gap_within_step(model_, joint, frame_.bodies) : 0;
  widest_joint_ = std::max(widest_joint_, (state.gap - bend) / model::size_of_joint(model_, joint));
}

void Recorder::sum_up(record::Summary& summary) const {
  const Energy& last = energy_audit_.last();
  summary.events = events_;
  summary.costs.recording = seconds_;
  summary.contacts_max = contacts_max_;
  summary.energy_initial = energy_initial_;
  summary.energy_final = last.mechanical();
  summary.dissipated_by_friction = rubbed_;
  const double damped =
      last.dissipated - summary.dissipated_by_impacts - summary.dissipated_by_friction;
  // What is left of differences of rounded numbers is nothing.
  summary.dissipated_by_damping =
      std::abs(damped) > nothing_dissipated * energy_audit_.scale() ? damped : 0;
  summary.work = last.work;
  summary.energy_error = energy_audit_.relative_error();
  summary.momentum_error = momentum_audit_.relative_error();
  summary.energy_scale = energy_audit_.scale();
  summary.position_rounding =
      std::nextafter(farthest_, std::numeric_limits<double>::infinity()) - farthest_;
  summary.state_hash = hash_.hex();
}

}  // namespace abut::loop
