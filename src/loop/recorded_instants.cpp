// Instants at which something happens: the frames before and after tell of the bodies it concerns.

#include <algorithm>

#include "abut/diagnostics.h"
#include "base/stop.h"
#include "base/stopwatch.h"
#include "loop/recorder.h"

namespace abut::loop {
namespace {

using motion::Side;
using record::FrameKind;

Energy sum_of(const std::vector<Energy>& some, const std::vector<Energy>& others) {
  EnergySum sum;
  for (const Energy& energy : some) sum.add(energy);
  for (const Energy& energy : others) sum.add(energy);
  return sum.value();
}

}  // namespace

// Where the motion of a support jumps, so may the forces of all that is tied to it.
void Recorder::record_event(const Event& event) {
  const base::Stopwatch watch(seconds_);
  if (!instant_) return pass_on(event);
  instant_->events.push_back(event);
  if (instant_->is_whole) return;
  for (const BodyIndex body : {event.body_a, event.body_b}) {
    tell_support(body);
    if (paths_.is_moving(body)) concern({body});
  }
  if (event.kind != EventKind::script) return;
  for (std::size_t number = 0; number < paths_.size(); ++number)
    if (paths_.at(number) != nullptr && paths_.at(number)->is_tied_to(event.body_a))
      concern(paths_.at(number)->island().bodies);
}

void Recorder::pass_on(const Event& event) {
  ++events_;
  sink_.event(event);
}

void Recorder::pass_on_events() {
  for (const Event& event : instant_->events) pass_on(event);
  instant_->events.clear();
}

void Recorder::withdraw_modes(const std::vector<BodyIndex>& bodies) {
  if (!instant_) return;
  std::erase_if(instant_->events, [&](const Event& event) {
    const bool is_mode = event.kind == EventKind::slip || event.kind == EventKind::stick ||
                         event.kind == EventKind::reverse;
    return is_mode && (std::binary_search(bodies.begin(), bodies.end(), event.body_a) ||
                       std::binary_search(bodies.begin(), bodies.end(), event.body_b));
  });
}

void Recorder::open_instant(double t, bool whole) {
  instant_.emplace();
  instant_->time = t;
  if (!whole && !whole_frames_) return;
  instant_->is_whole = true;
  record_frame(t, FrameKind::before);
}

void Recorder::concern(const std::vector<BodyIndex>& bodies) {
  if (!instant_ || instant_->is_whole) return;
  const base::Stopwatch watch(seconds_);
  for (const int number : paths_.numbers_of(bodies)) {
    integrate::IslandPath& path = *paths_.at(number);
    // A path that has begun at this instant is one of bodies that are known to be concerned.
    if (instant_->before.contains(path.island().bodies.front())) continue;
    integrate::Snapshot told;
    path.take_snapshot(instant_->time, Side::before, frame_.bodies, told);
    for (const BodyIndex body : path.island().bodies)
      instant_->before.emplace(body, frame_.bodies[body]);
    auto& [energy, momentum, balance, contacts, joints] = instant_->told;
    contacts.insert(contacts.end(), told.contacts.begin(), told.contacts.end());
    joints.insert(joints.end(), told.joints.begin(), told.joints.end());
    instant_->energies.push_back(told.energy);
    tell_supports_of(path);
  }
}

void Recorder::tell_supports_of(const integrate::IslandPath& path) {
  for (const BodyIndex body : observer_.scripted())
    if (path.is_tied_to(body)) tell_support(body);
}

void Recorder::tell_support(BodyIndex body) {
  if (!observer_.is_scripted(body)) return;
  instant_->before.try_emplace(body, observer_.prescribed(body, instant_->time, Side::before));
}

// What follows may concern everyone: the frame before is written as if it had been whole.
void Recorder::concern_all() {
  if (!instant_ || instant_->is_whole) return;
  concern(paths_.bodies());
  tell_stepped();
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    if (!model_.bodies[i].is_dynamic())
      instant_->before.try_emplace(
          static_cast<BodyIndex>(i),
          observer_.prescribed(static_cast<BodyIndex>(i), instant_->time, Side::before));
  write_before({});
  instant_->is_whole = true;
}

// What is stepped, as the step that the instant lies in says; and the books of what was.
void Recorder::tell_stepped() {
  const clock::StepClock* steps = observer_.steps();
  if (steps == nullptr) return;
  const integrate::Snapshot& stepped = observer_.tell_stepped(instant_->time, frame_);
  for (const BodyIndex body : steps->bodies()) instant_->before.emplace(body, frame_.bodies[body]);
  integrate::Snapshot& told = instant_->told;
  told.contacts.insert(told.contacts.end(), stepped.contacts.begin(), stepped.contacts.end());
  told.joints.insert(told.joints.end(), stepped.joints.begin(), stepped.joints.end());
  instant_->energies.push_back(stepped.energy);
}

void Recorder::close_instant() {
  const base::StopScope to_the_end(nullptr);  // events and frames of an instant go together
  const double t = instant_->time;
  if (instant_->is_whole) {
    pass_on_events();
    record_frame(t, FrameKind::after);
  } else if (!instant_->before.empty()) {
    const base::Stopwatch watch(seconds_);
    for (const auto& [body, state] : std::map(instant_->before))
      if (paths_.is_moving(body)) tell_supports_of(paths_.of(body));
    // It is the same before and after the instant.
    const std::vector<Energy> others = observer_.energies_without(instant_->before, t);
    write_before(others);
    pass_on_events();
    write_after(others);
  }
  instant_.reset();
}

void Recorder::forget_instant() {
  instant_.reset();
  joint_impulses_.clear();
}

void Recorder::break_off() {
  try {
    concern_all();
    if (instant_) pass_on_events();
  } catch (const SimulationError&) {
    // A state that is not finite is not recorded; that is why the run ends.
  }
}

void Recorder::write_before(const std::vector<Energy>& others) {
  frame_.time = instant_->time;
  frame_.kind = FrameKind::before;
  frame_.only.clear();
  for (const auto& [body, state] : instant_->before) {
    frame_.bodies[body] = state;
    if (instant_->before.size() < frame_.bodies.size()) frame_.only.push_back(body);
  }
  frame_.contacts = instant_->told.contacts;
  frame_.joints = instant_->told.joints;
  frame_.energy = sum_of(instant_->energies, others);
  finish_frame();
}

void Recorder::write_after(const std::vector<Energy>& others) {
  const double t = instant_->time;
  frame_.kind = FrameKind::after;
  frame_.contacts.clear();
  frame_.joints.clear();
  std::vector<BodyIndex> moving;
  for (const auto& [body, state] : instant_->before)
    if (paths_.is_moving(body))
      moving.push_back(body);
    else
      frame_.bodies[body] = observer_.prescribed(body, t, Side::after);
  std::vector<Energy> energies;
  for (const int number : paths_.numbers_of(moving)) {
    const integrate::Snapshot& told = observer_.tell_path(number, t, Side::after, frame_);
    frame_.contacts.insert(frame_.contacts.end(), told.contacts.begin(), told.contacts.end());
    frame_.joints.insert(frame_.joints.end(), told.joints.begin(), told.joints.end());
    energies.push_back(told.energy);
  }
  add_joint_impulses();
  frame_.energy = sum_of(energies, others);
  finish_frame();
}

}  // namespace abut::loop
