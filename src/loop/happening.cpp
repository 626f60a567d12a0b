// What happens next at an instant, and to whom.

#include <fmt/format.h>

#include "loop/event_loop.h"
#include "loop/event_report.h"

namespace abut::loop {
namespace {

// Events within an implicit step (force::creep_time), per body, after which its island is taken to
// be stuck there.
constexpr long events_per_body = 100;

}  // namespace

void EventLoop::open_instant(double t, bool whole) {
  recorder_.open_instant(t, whole);
  before_instant_ = summary_;
}

// What was only begun is not told, and does not count.
void EventLoop::forget_instant() {
  if (!recorder_.is_instant_open()) return;
  recorder_.forget_instant();
  summary_ = before_instant_;
}

void EventLoop::guard_progress(double t) {
  if (++events_here_ <= events_per_body * static_cast<long>(model_.bodies.size())) return;
  const std::vector<BodyIndex> stuck = paths_.bodies_of(numbers_concerned(t));
  events_here_ = 0;
  std::string names;
  for (const BodyIndex body : stuck)
    names += (names.empty() ? "" : ", ") + model_.bodies[body].name;
  give_up(stuck, t,
          !cramped_.empty() ? cramped_
                            : fmt::format("{}: events follow each other without time going on; a "
                                          "larger solver.contact_distance may help",
                                          names));
}

// The dynamic bodies that something happens to.
std::set<BodyIndex> EventLoop::collect(double t) {
  std::set<BodyIndex> concerned;
  for (const Event& rest : impact_limits_.take_until(t, paths_)) recorder_.record_event(rest);
  if (t >= stop_->time) collect_scheduled(t, concerned);
  collect_path_events(t, concerned);
  collect_touches(t, concerned);
  return concerned;
}

void EventLoop::collect_scheduled(double t, std::set<BodyIndex>& concerned) {
  for (const Scheduled& scheduled : stop_->events) {
    if (scheduled.kind == EventKind::impulse) {
      const auto& impulse = std::get<model::Impulse>(model_.forces[scheduled.index]);
      const Vec3 at =
          impulse.at_centre ? paths_.motion_of(impulse.body, t).pose.position : impulse.at;
      const impulse::OutsideImpulse outside{impulse.body, impulse.impulse, at};
      if (stepping_.contains(impulse.body)) {
        recorder_.concern_all();
        stepping_.strike(outside);
        recorder_.record_event(outside_impulse_event(outside, t));
        continue;
      }
      outside_impulses_.push_back(outside);
      concerned.insert(impulse.body);
      continue;
    }
    Event event;
    event.time = t;
    event.kind = scheduled.kind;
    event.body_a = scheduled.body;
    event.point = scripts_[scheduled.body]->kinematics(t).pose.position;
    event.detail = scripts_[scheduled.body]->switches()[scheduled.index].what;
    recorder_.record_event(event);
    for (const BodyIndex body : paths_.tied_to(scheduled.body)) concerned.insert(body);
  }
  stop_->events.clear();
}

void EventLoop::collect_path_events(double t, std::set<BodyIndex>& concerned) {
  for (const int number : paths_.ended_by(t)) {
    const integrate::Island& island = paths_.at(number)->island();
    const integrate::PathEvent& event = *paths_.at(number)->event();
    concerned.insert(island.bodies.begin(), island.bodies.end());
    verdicts_.note(event, island);
    if (event.kind == integrate::PathEventKind::breaks) break_joint(event.index, t);
  }
}

void EventLoop::break_joint(JointIndex index, double t) {
  const joint::Joint& joint = model_.joints[index];
  broken_[index] = true;
  detection_.exclusions().break_joint(joint);
  Event event = joint_event(EventKind::break_joint, joint, paths_, t);
  event.detail = fmt::format("joint {}", joint.name);
  if (detection_.must_part(joint, t, paths_))
    event.detail +=
        fmt::format("; {} and {} overlap, and pass through each other until they part",
                    model_.bodies[joint.bodies[0]].name, model_.bodies[joint.bodies[1]].name);
  recorder_.record_event(event);
}

void EventLoop::collect_touches(double t, std::set<BodyIndex>& concerned) {
  while (const auto touch = detection_.first_touch()) {
    if (touch->time > t) return;
    detection_.forget_touch(touch->a, touch->b);
    for (const BodyIndex body : {touch->a, touch->b}) {
      if (!paths_.is_moving(body)) continue;
      concerned.insert(body);
      if (!stepping_.contains(touch->a) && !stepping_.contains(touch->b)) continue;
      const std::vector<BodyIndex> joining = paths_.of(body).island().bodies;
      hand_over(joining, t, "it touches something that is stepped");
      for (const BodyIndex one : joining) concerned.erase(one);
    }
  }
}

}  // namespace abut::loop
