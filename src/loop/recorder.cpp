#include "loop/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/diagnostics.h"
#include "base/stop.h"
#include "base/stopwatch.h"

namespace abut::loop {
namespace {

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

}  // namespace

Recorder::Recorder(const model::Model& model, const integrate::Scripts& scripts, const Paths& paths,
                   record::Sink& sink, const base::ThreadPool& pool, bool whole_frames)
    : model_(model),
      paths_(paths),
      sink_(sink),
      whole_frames_(whole_frames),
      observer_(model, scripts, paths, pool),
      books_(model) {
  const auto bends = [](const model::Body& body) { return body.bends(); };
  frame_.bodies.resize(model.bodies.size());
  if (std::none_of(model.bodies.begin(), model.bodies.end(), bends)) return;
  frame_.bending.resize(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].bends()) frame_.bending[i] = model.bodies[i].bending->initial;
}

void Recorder::note_joint_impulses(const std::vector<JointState>& impulses) {
  joint_impulses_.insert(joint_impulses_.end(), impulses.begin(), impulses.end());
}

void Recorder::add_joint_impulses() {
  frame_.joints.insert(frame_.joints.end(), joint_impulses_.begin(), joint_impulses_.end());
  joint_impulses_.clear();
}

std::vector<int> Recorder::unlawful(double t, motion::Side side, const std::vector<int>& numbers) {
  const base::Stopwatch watch(seconds_);
  return observer_.unlawful(t, side, numbers, frame_);
}

// The book of momentum is kept at whole frames only: it needs every body.
void Recorder::record_frame(double t, FrameKind kind) {
  const base::StopScope to_the_end(nullptr);  // a frame is told as a whole
  const base::Stopwatch watch(seconds_);
  frame_.time = t;
  frame_.kind = kind;
  frame_.only.clear();
  if (kind != FrameKind::before) recorded_until_ = t;
  observer_.tell_all(t, kind == FrameKind::before ? motion::Side::before : motion::Side::after,
                     frame_);
  if (kind == FrameKind::after) add_joint_impulses();
  const WholeScene scene = observer_.sum(frame_);
  frame_.energy = scene.energy;
  books_.take_momentum(frame_, scene.momentum, scene.balance);
  finish_frame();
}

void Recorder::finish_frame() {
  refuse_what_is_not_finite(model_, frame_);
  books_.take(frame_, observer_.steps());
  sink_.frame(frame_);
}

void Recorder::sum_up(record::Summary& summary) const {
  summary.events = events_;
  summary.costs.recording = seconds_;
  books_.sum_up(summary);
}

}  // namespace abut::loop
