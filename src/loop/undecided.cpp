// How the event loop gives up islands that are undecided, or not worth following, to the step
// clock, and how that goes on.

#include <algorithm>

#include "abut/diagnostics.h"
#include "base/stop.h"
#include "base/stopwatch.h"
#include "loop/event_loop.h"
#include "loop/event_report.h"

namespace abut::loop {
namespace {

constexpr const char* not_worth = "to follow its motion takes more work than it is worth";

}  // namespace

// What bodies do at an instant cannot be told, or not at a price that is worth it; what they do
// within a finite time always can. The clock that goes from event to event gives way to steps,
// unless it must not.
void EventLoop::give_up(const std::vector<BodyIndex>& bodies, double t, const std::string& why) {
  if (!may_step()) throw SimulationError(t, why);
  hand_over(bodies, t, why);
}

void EventLoop::hand_over(const std::vector<BodyIndex>& bodies, double t, const std::string& why) {
  recorder_.concern_all();
  recorder_.withdraw_modes(bodies);
  std::erase_if(renewed_, [&](BodyIndex body) {
    return std::binary_search(bodies.begin(), bodies.end(), body);
  });
  stepping_.hand_over(bodies, t, why);
  recorder_.follow(stepping_.clock());
  horizons_.forget(bodies);
  impact_limits_.forget(bodies);
}

// Bodies whose motion is not worth to be followed as a path: whether there are any.
bool EventLoop::give_up_dragging(double t) {
  std::vector<int> numbers = paths_.ended_by(t);
  std::erase_if(numbers, [this](int number) {
    return paths_.at(number)->event()->kind != integrate::PathEventKind::drags;
  });
  if (numbers.empty()) return false;
  std::vector<int> free = numbers;
  std::erase_if(free, [this](int number) { return !paths_.at(number)->island().contacts.empty(); });
  const std::vector<BodyIndex> stiff = paths_.bodies_of(free);
  give_up(paths_.bodies_of(numbers), t, not_worth);
  stepping_.keep(stiff);
  return true;
}

// At the beginning: bodies that forces make too stiff to be followed as paths, and with them what
// they touch. These are no longer concerned by what else happens there.
void EventLoop::give_up_stiff(const std::vector<int>& numbers, std::set<BodyIndex>& concerned) {
  const std::vector<BodyIndex> stiff = paths_.bodies_of(numbers);
  for (const BodyIndex body : stiff) {
    if (stepping_.contains(body)) continue;
    const ContactEvent contact_event = contact_event_of(body, 0);
    give_up(contact_event.bodies, 0, not_worth);
    for (const BodyIndex one : contact_event.bodies) concerned.erase(one);
  }
  stepping_.keep(stiff);
}

// The numbers of the paths that something happens to at t.
std::vector<int> EventLoop::numbers_concerned(double t) const {
  std::vector<int> numbers = paths_.ended_by(t);
  if (const auto touch = detection_.first_touch(); touch && touch->time <= t)
    for (const BodyIndex body : {touch->a, touch->b})
      if (paths_.is_moving(body)) numbers.push_back(paths_.numbers_of({body}).front());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// Of some paths, the bodies whose forces do not obey the laws at t: whether there are any.
bool EventLoop::give_up_unlawful(double t, motion::Side side, const std::vector<int>& numbers) {
  if (!may_step()) return false;
  const std::vector<int> unlawful = recorder_.unlawful(t, side, numbers);
  if (unlawful.empty()) return false;
  hand_over(paths_.bodies_of(unlawful), t, "no forces were found that obey the laws of contact");
  return true;
}

// What is stepped goes on by a step. Bodies that nothing is near to go on by themselves, and those
// that could be met within the step join it.
void EventLoop::step_on() {
  const double t = stepping_.end();
  enter(t);
  for (const JointIndex joint : stepping_.clock().overloaded()) break_joint(joint, t);
  std::vector<BodyIndex> released;
  if (!all_stepped_) released = stepping_.release_lone();
  {
    const base::Stopwatch watch(summary_.costs.integration);
    const bool is_due = stop_ && !stop_->events.empty();
    const double limit = is_due ? stop_->time : timeline_.next_scheduled();
    const std::vector<BodyIndex> joined = stepping_.advance(std::min(limit, model_.duration));
    horizons_.forget(joined);
    impact_limits_.forget(joined);
    std::erase_if(released, [this](BodyIndex body) { return stepping_.contains(body); });
  }
  base::stop_if_wished();  // a step that was not taken to its end tells nothing
  if (paths_.bodies().empty()) return;
  const double horizon = look_ahead(released, paths_.numbers_of(released), t);
  const base::Stopwatch watch(summary_.costs.detection);
  if (!released.empty()) detection_.look_again(released, t, horizon, paths_, pool_);
  detection_.look_again(stepping_.clock().bodies(), t, stepping_.end(), paths_, pool_);
}

void EventLoop::step_instead(const ContactEvent& contact_event, const std::string& why) {
  give_up(contact_event.bodies, contact_event.time, why);
  for (const impulse::OutsideImpulse& outside : contact_event.outside_impulses) {
    stepping_.strike(outside);
    recorder_.record_event(outside_impulse_event(outside, contact_event.time));
  }
}

}  // namespace abut::loop
