#include "loop/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/diagnostics.h"
#include "base/stop.h"
#include "base/stopwatch.h"
#include "loop/certainty.h"

namespace abut::loop {
namespace {

using motion::Side;
using record::FrameKind;

void refuse_what_is_not_finite(const model::Model& model, const record::Frame& frame) {
  for (std::size_t told = 0; told < frame.told_count(); ++told) {
    const std::size_t i = frame.told(told);
    const BodyState& s = frame.bodies[i];
    const bool is_state_finite = s.position.allFinite() && s.orientation.coeffs().allFinite() &&
                                 s.velocity.allFinite() && s.angular_velocity.allFinite();
    // Whoever integrates forces that are not finite says which.
    const bool is_change_finite =
        model.bodies[i].is_dynamic() ||
        (s.acceleration.allFinite() && s.angular_acceleration.allFinite());
    if (is_state_finite && is_change_finite) continue;
    throw SimulationError(
        frame.time, fmt::format("the state of {} is not finite any more; look for forces, speeds "
                                "and scripts beyond what numbers can hold",
                                model.bodies[i].name));
  }
}

// Before the first step paths tell of bodies that bend as if they were rigid.
void add_bending(const model::Model& model, const record::Frame& frame, EnergySum& sum) {
  for (std::size_t i = 0; i < frame.bending.size(); ++i) {
    const model::Body& body = model.bodies[i];
    if (!body.bends()) continue;
    const BodyState& state = frame.bodies[i];
    const Vec3 spin = state.orientation.normalized().conjugate() * state.angular_velocity;
    Energy more;
    more.kinetic =
        body.bending->body->mass.kinetic_energy(frame.bending[i].rates) -
        0.5 * (body.mass.mass * state.velocity.squaredNorm() + spin.dot(body.mass.inertia * spin));
    more.elastic = body.bending->body->elasticity->energy(frame.bending[i].columns);
    sum.add(more);
  }
}

}  // namespace

Recorder::Recorder(const model::Model& model, const integrate::Scripts& scripts, const Paths& paths,
                   record::Sink& sink, const base::ThreadPool& pool, bool whole_frames)
    : model_(model),
      scripts_(scripts),
      paths_(paths),
      sink_(sink),
      pool_(pool),
      whole_frames_(whole_frames),
      books_(model) {
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
  refuse_what_is_not_finite(model_, frame_);
  books_.take(frame_, steps_);
  sink_.frame(frame_);
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
  if (bends_ && (steps_ == nullptr || steps_->empty())) add_bending(model_, frame_, energy);
  frame_.energy = energy.value();
  books_.take_momentum(frame_, momentum, balance);
}

void Recorder::sum_up(record::Summary& summary) const {
  summary.events = events_;
  summary.costs.recording = seconds_;
  books_.sum_up(summary);
}

}  // namespace abut::loop
