#include "loop/stepping.h"

#include <fmt/format.h>

#include "joint/rows.h"

namespace abut::loop {

using record::FrameKind;

Stepping::Stepping(const model::Model& model, const integrate::Scripts& scripts,
                   const base::ThreadPool& pool, Detection& detection, Recorder& recorder,
                   std::vector<bool>& broken, const std::atomic<bool>* interrupt)
    : model_(model),
      scripts_(scripts),
      detection_(detection),
      recorder_(recorder),
      broken_(broken),
      interrupt_(interrupt),
      clock_(
          model, scripts, pool,
          [&detection](BodyIndex a, BodyIndex b) { return detection.may_touch(a, b); }, interrupt) {
}

void Stepping::begin(double t, const std::vector<body::RigidState>& states,
                     const integrate::Balance& carried) {
  begin_ = t;
  clock_.begin(t, states, carried, broken_);
  recorder_.follow(clock_);
}

bool Stepping::pass(const Stop& stop, double next_scheduled) {
  if (!step_to(stop.time, stop.events.empty() ? next_scheduled : stop.time)) return false;
  if (stop.events.empty()) {
    if (recorder_.recorded_until() < stop.time)
      recorder_.record_frame(stop.time, FrameKind::sample);
    return true;
  }
  recorder_.record_frame(stop.time, FrameKind::before);
  deal(stop);
  if (stop.time < model_.duration) {
    clock_.advance(std::min(next_scheduled, model_.duration));
    if (interrupt_ != nullptr && interrupt_->load()) return false;
  }
  recorder_.record_frame(stop.time, FrameKind::after);
  return true;
}

// Steps know nothing of samples; what is scheduled begins a new one.
bool Stepping::step_to(double t, double limit) {
  while (clock_.time() < t || !clock_.has_begun()) {
    clock_.advance(std::min(limit, model_.duration));
    if (interrupt_ != nullptr && interrupt_->load()) return false;
    break_overloaded();
    let_parted_touch();
  }
  return true;
}

void Stepping::deal(const Stop& stop) {
  for (const Scheduled& scheduled : stop.events) {
    Event event;
    event.time = stop.time;
    event.kind = scheduled.kind;
    event.body_a = scheduled.body;
    if (scheduled.kind == EventKind::impulse) {
      const auto& impulse = std::get<model::Impulse>(model_.forces[scheduled.index]);
      event.point = impulse.at_centre ? clock_.centre_of(impulse.body) : impulse.at;
      event.impulse = impulse.impulse;
      event.normal_impulse = impulse.impulse.norm();
      if (event.normal_impulse > 0) event.normal = impulse.impulse / event.normal_impulse;
      clock_.strike({impulse.body, impulse.impulse, event.point});
    } else {
      event.point = scripts_[scheduled.body]->kinematics(stop.time).pose.position;
      event.detail = scripts_[scheduled.body]->switches()[scheduled.index].what;
    }
    recorder_.record_event(event);
  }
}

void Stepping::break_overloaded() {
  for (const JointIndex index : clock_.take_broken()) {
    const joint::Joint& joint = model_.joints[index];
    broken_[index] = true;
    detection_.break_joint(joint);
    Event event;
    event.time = clock_.time();
    event.kind = EventKind::break_joint;
    event.body_a = joint.bodies[0];
    event.body_b = joint.bodies[1];
    event.point = joint::joint_point(joint, clock_.motion_at(joint.bodies[1], clock_.time()));
    event.detail = fmt::format("joint {}", joint.name);
    recorder_.record_event(event);
  }
}

void Stepping::let_parted_touch() {
  const double t = clock_.time();
  detection_.let_parted_touch([&](BodyIndex body) { return clock_.motion_at(body, t).pose; });
}

}  // namespace abut::loop
