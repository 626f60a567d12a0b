#include "loop/event_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "abut/diagnostics.h"
#include "base/limits.h"
#include "base/stop.h"
#include "base/stopwatch.h"
#include "clock/bent_limits.h"
#include "loop/certainty.h"
#include "loop/complaints.h"
#include "loop/event_report.h"
#include "loop/gathering.h"
#include "loop/holding.h"
#include "loop/judgement.h"
#include "loop/rim_exchange.h"
#include "loop/room.h"

namespace abut::loop {
namespace {

using record::FrameKind;
using record::RunStatus;

// Steps of integration that the present paths of some bodies took, and since when.
struct StepsTaken {
  double steps = 0;
  double since = 0;
};

StepsTaken steps_of(const Paths& paths, const std::vector<BodyIndex>& bodies, double t) {
  StepsTaken taken{0, t};
  for (const integrate::IslandPath* path : paths.of(bodies)) {
    taken.steps += static_cast<double>(path->statistics().accepted + path->statistics().rejected);
    taken.since = std::min(taken.since, path->begin_time());
  }
  return taken;
}

}  // namespace

EventLoop::EventLoop(const model::Model& model, record::Sink& sink, const RunOptions& options)
    : model_(model),
      options_(options),
      started_(std::chrono::steady_clock::now()),
      broken_(model.joints.size(), false),
      all_stepped_(model.solver.clock == model::Clock::step ||
                   std::any_of(model.bodies.begin(), model.bodies.end(),
                               [](const model::Body& body) { return body.bends(); })),
      pool_(options.threads),
      scripts_(integrate::make_scripts(model)),
      timeline_(model, scripts_),
      paths_(model, scripts_),
      detection_(model, scripts_),
      horizons_(model.bodies.size()),
      recorder_(model, scripts_, paths_, sink, pool_, options.whole_frames),
      impact_limits_(model.duration),
      storm_(model.bodies.size(),
             std::count_if(model.bodies.begin(), model.bodies.end(),
                           [](const model::Body& body) { return body.is_dynamic(); })),
      stepping_(model, scripts_, pool_, paths_, detection_, broken_, options.interrupt) {}

record::Summary EventLoop::run() {
  while (advance()) {
  }
  return summary_;
}

bool EventLoop::advance() {
  if (summary_.status != RunStatus::running) return false;
  const base::StopWish wish = [&] { return options_.interrupt && options_.interrupt->load(); };
  const base::StopScope scope(&wish);
  try {
    if (!begun_) begin();
    const long told = recorder_.frame_count();
    bool went_on = true;
    while (went_on && recorder_.frame_count() == told) went_on = pass_next_instant();
    base::stop_if_wished();
    if (!went_on) close(RunStatus::complete, "");
  } catch (const base::Stopped&) {
    forget_instant();
    time_ = recorder_.frame().time;  // up to where anything is told
    close(RunStatus::interrupted, fmt::format("interrupted at t = {} s", time_));
  } catch (const SimulationError& error) {
    close(RunStatus::failed, error.what());
    throw;
  } catch (const std::bad_alloc&) {
    const SimulationError error(time_,
                                "there is not enough memory to go on; let fewer bodies touch "
                                "each other at once");
    close(RunStatus::failed, error.what());
    throw error;
  }
  return summary_.status == RunStatus::running;
}

bool EventLoop::may_step() const {
  return model::may_step(model_.solver);
}

// Bodies that the scene puts in touch, or joins, settle before anything moves.
void EventLoop::begin() {
  recorder_.begin();
  begun_ = true;
  refuse_unsupported();
  paths_.begin();
  look(0, 0);
  refuse_overlap();
  std::set<BodyIndex> concerned = bodies_in_touch(paths_, detection_);
  const std::vector<int> stiff = all_stepped_ ? std::vector<int>() : paths_.too_stiff();
  if (concerned.empty() && !all_stepped_ && stiff.empty()) return;
  open_instant(0, true);
  if (all_stepped_) hand_over(paths_.bodies(), 0, "the scene says so");
  if (all_stepped_) concerned.clear();
  give_up_stiff(stiff, concerned);
  meet_at(0, concerned);
  if (stepping_.end() == 0) step_on();
  recorder_.close_instant();
}

// What cannot be told is not left to luck, unless the scene says so.
void EventLoop::refuse_unsupported() {
  std::string complaint = complaint_of_shapes(model_);
  if (complaint.empty()) complaint = clock::bent_complaint(model_);
  if (complaint.empty()) return;
  paths_.begin();
  recorder_.record_frame(0, FrameKind::sample);
  throw SimulationError(0, complaint);
}

// Bodies that never overlap cannot begin to move out of an overlap; springs can.
void EventLoop::refuse_overlap() {
  if (model_.solver.contact == model::ContactModel::penalty) return;
  const std::optional<Overlap> overlap = detection_.deepest_overlap(0, paths_);
  if (!overlap) return;
  recorder_.record_frame(0, FrameKind::sample);
  throw SimulationError(0, complaint_of_overlap(model_, *overlap));
}

bool EventLoop::pass_next_instant() {
  base::stop_if_wished();
  if (!stop_) {
    stop_.emplace();
    if (!timeline_.next_window(*stop_)) return false;
    open_window(stop_->time);
  }
  const double event = next_event_time(), sample = timeline_.next_sample();
  const double known = std::min(horizons_.nearest(), stepping_.end());
  if (known < std::min({event, sample, stop_->time})) {
    stepping_.end() <= known ? step_on() : look_farther();
  } else if (event <= std::min(sample, stop_->time)) {
    pass_events(event);
  } else if (sample <= stop_->time) {
    pass_sample(sample);
  } else {
    enter(stop_->time);
    stop_.reset();
  }
  if (options_.progress) options_.progress(std::max(time_, recorder_.recorded_until()));
  return true;
}

// Extends all paths to the next instant of the timeline, and looks for touches up to there.
void EventLoop::open_window(double to) {
  {
    const base::Stopwatch watch(summary_.costs.integration);
    paths_.cover_all(time_, to, pool_);
  }
  if (to > time_) look(time_, to);
  horizons_.reach_end(to);
  for (const int number : paths_.short_of(to))
    horizons_.fall_short(paths_.at(number)->island().bodies, paths_.at(number)->end_time());
}

// Extends some paths, and returns up to where: at most to `to`.
double EventLoop::cover(const std::vector<int>& numbers, double to) {
  const base::Stopwatch watch(summary_.costs.integration);
  paths_.cover(numbers, to);
  if (!paths_.is_any_full(numbers)) return to;
  double reached = to;
  for (const int number : numbers)
    if (!paths_.at(number)->event()) reached = std::min(reached, paths_.at(number)->end_time());
  return reached;
}

// The same for bodies that were looked at less far, as far as seems to be of use.
void EventLoop::look_farther() {
  const double known = horizons_.nearest();
  const std::vector<BodyIndex> bodies = horizons_.at_nearest();
  const std::vector<int> numbers = paths_.numbers_of(bodies);
  // Nothing happens before: to make room, that is past.
  if (paths_.is_any_full(numbers)) {
    enter(known);
    paths_.forget_before(known);
  }
  const double wanted = horizons_.move_on(bodies);
  const double to = cover(numbers, wanted);
  if (to < wanted) horizons_.fall_short(bodies, to);
  const base::Stopwatch watch(summary_.costs.detection);
  detection_.look_farther(bodies, time_, to, paths_, pool_);
}

void EventLoop::look(double from, double to) {
  const base::Stopwatch watch(summary_.costs.detection);
  detection_.look(from, to, paths_, pool_);
}

double EventLoop::next_event_time() const {
  const auto touch = detection_.first_touch();
  return std::min({stop_->events.empty() ? infinity : stop_->time, paths_.next_event_time(),
                   touch ? touch->time : infinity, impact_limits_.next_time()});
}

void EventLoop::enter(double t) {
  if (t > time_) cramped_.clear();
  if (t - here_since_ > force::creep_time) {
    here_since_ = t;
    events_here_ = 0;
  }
  if (t - decided_since_ > integrate::no_time) {
    decided_since_ = t;
    verdicts_ = {};
  }
  time_ = t;
}

// The motion knows nothing of samples.
void EventLoop::pass_sample(double t) {
  timeline_.pass_sample();
  if (recorder_.recorded_until() < t) recorder_.record_frame(t, FrameKind::sample);
}

// Everything that happens at t: one frame before, one after.
void EventLoop::pass_events(double t) {
  refuse_to_go_on(paths_, detection_, t);
  enter(t);
  // Then what was about to happen may not happen.
  if (give_up_dragging(t) || give_up_unlawful(t, motion::Side::before, numbers_concerned(t)))
    return;
  renewed_.clear();
  // The beginning tells of all, as samples do.
  open_instant(t, t == 0 || t == timeline_.next_sample());
  while (next_event_time() <= t) {
    guard_progress(t);
    refuse_to_go_on(paths_, detection_, t);
    meet_at(t, collect(t));
  }
  give_up_unlawful(t, motion::Side::after, paths_.numbers_of(renewed_));
  if (stepping_.end() == t && t < model_.duration) step_on();
  recorder_.close_instant();
}

// Bodies that are concerned together meet together; others meet apart.
void EventLoop::meet_at(double t, const std::set<BodyIndex>& concerned) {
  std::set<BodyIndex> left = concerned;
  while (!left.empty()) {
    ContactEvent contact_event = contact_event_of(*left.begin(), t);
    for (const BodyIndex body : contact_event.bodies) left.erase(body);
    settle_contact_event(std::move(contact_event));
  }
}

ContactEvent EventLoop::contact_event_of(BodyIndex body, double t) {
  const base::Stopwatch watch(summary_.costs.impulses);
  ContactEvent contact_event = gather(model_, paths_, detection_, body, t, {broken_, verdicts_});
  std::erase_if(outside_impulses_, [&](const impulse::OutsideImpulse& outside) {
    if (!std::binary_search(contact_event.bodies.begin(), contact_event.bodies.end(), outside.body))
      return false;
    contact_event.outside_impulses.push_back(outside);
    return true;
  });
  return contact_event;
}

// The bodies exchange impulses, find which contacts last, and go on as new islands.
void EventLoop::settle_contact_event(ContactEvent contact_event) {
  // How bodies lie that a scene puts together is found once, whatever it takes.
  const auto [steps, since] = steps_of(paths_, contact_event.bodies, contact_event.time);
  if (contact_event.time > 0 && may_step() &&
      storm_.note(contact_event.bodies, contact_event.time, contact_event.active.contacts.size(),
                  steps, since))
    return step_instead(contact_event, "events follow each other faster than they matter");
  const Outcome outcome = settled(contact_event);
  if (outcome.status != lcp::Status::solved)
    return step_instead(contact_event, complaint_of_forces(model_, contact_event));
  if (may_step() && !is_balanced(model_, contact_event, outcome))
    return step_instead(contact_event, "no impulses were found that obey the laws of motion");
  const Room room = room_of(model_, scripts_, contact_event, outcome);
  if (room.least_gap <= integrate::lowest_held_fraction) {
    // Where a scene begins so, nothing has moved there: it is the scene that has to be mended.
    if (contact_event.time == 0 && room.is_held())
      throw SimulationError(0, room.complaint(model_.solver));
    return step_instead(contact_event, room.complaint(model_.solver));
  }
  if (!room.is_enough()) cramped_ = room.complaint(model_.solver);
  summary_.lcp_solves += outcome.solves;
  summary_.lcp_pivots += outcome.pivots;
  summary_.lcp_residual_max = std::max(summary_.lcp_residual_max, outcome.residual);
  summary_.forces_not_unique += outcome.not_unique;
  summary_.jams += std::count(outcome.jams.begin(), outcome.jams.end(), true);
  summary_.dissipated_by_impacts += outcome.energy_lost;

  const EventReport report = report_of(model_, paths_, contact_event, outcome);
  for (const Event& event : report.events) recorder_.record_event(event);
  recorder_.note_joint_impulses(outcome.joint_impulses);
  if (report.has_impact) ++summary_.impacts;
  impact_limits_.update(paths_, contact_event, outcome);

  const HeldModes before(paths_, contact_event.bodies);
  go_on(contact_event, outcome);
  const HeldModes after(paths_, contact_event.bodies);
  for (const Event& event : after.changes(before, paths_, contact_event.time))
    recorder_.record_event(event);
}

Outcome EventLoop::settled(ContactEvent& contact_event) {
  PhaseCosts& costs = summary_.costs;
  const base::Stopwatch watch(costs.impulses);
  Outcome outcome = settle_with_rims(model_, scripts_, contact_event);
  costs.forces += outcome.force_seconds;
  costs.impulses -= outcome.force_seconds;
  return outcome;
}

void EventLoop::go_on(const ContactEvent& contact_event, const Outcome& outcome) {
  recorder_.concern(contact_event.bodies);
  std::vector<int> begun;
  {
    const base::Stopwatch watch(summary_.costs.integration);
    begun = paths_.replace(contact_event, outcome);
  }
  renewed_.insert(renewed_.end(), contact_event.bodies.begin(), contact_event.bodies.end());
  const double horizon = look_ahead(contact_event.bodies, begun, contact_event.time);
  const base::Stopwatch watch(summary_.costs.detection);
  const bool held =
      hold_contacts(paths_, detection_, contact_event.bodies, outcome.active, contact_event.time);
  contacts_held_ = contacts_held_ || held;
  if (stop_)
    detection_.look_again(contact_event.bodies, contact_event.time, horizon, paths_, pool_);
}

// Extends the paths of some bodies that are new from t on as far as seems to be of use, and returns
// up to where.
double EventLoop::look_ahead(const std::vector<BodyIndex>& bodies, const std::vector<int>& numbers,
                             double t) {
  const double wanted = horizons_.after_contact_event(bodies, t);
  const double horizon = stop_ ? cover(numbers, wanted) : wanted;
  if (horizon < wanted) horizons_.fall_short(bodies, horizon);
  return horizon;
}

void EventLoop::close(RunStatus status, const std::string& message) {
  const base::StopScope to_the_end(nullptr);  // what is told by now is summed up
  recorder_.break_off();
  summary_.status = status;
  summary_.message = message;
  summary_.duration = time_ = std::max(time_, recorder_.frame().time);
  summary_.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  summary_.steps = paths_.statistics().accepted;
  summary_.rejected_steps = paths_.statistics().rejected;
  stepping_.sum_up(time_, summary_);
  const DetectionStatistics detection = detection_.statistics();
  summary_.cache_hits = detection.cache_hits;
  summary_.cache_misses = detection.cache_misses;
  summary_.unresolved = detection.unresolved;
  summary_.limits_met = detection.limits_met;
  summary_.costs.contact_times = detection.time_seconds;
  summary_.costs.detection -= detection.time_seconds;
  double gap = std::min({detection_.gap_bound(), stepping_.clock().statistics().gap_bound,
                         paths_.least_spring_gap(time_)});
  if (contacts_held_)
    gap = std::min(gap, integrate::lowest_held_fraction * model::rest_gap(model_.solver));
  // Where shapes met whose contact cannot be told yet, no gap can be promised.
  if (detection.unresolved == 0 && gap < infinity) {
    summary_.min_gap = gap;
    summary_.max_penetration = std::max(0.0, -gap);
    summary_.pairs_unproven = static_cast<long>(paths_.unproven(time_).size());
  }
  recorder_.sum_up(summary_);
  if (status == RunStatus::complete) {
    summary_.message = broken_promises(
        model_, summary_,
        {detection_.unresolved_pairs(), recorder_.widest_joint(),
         recorder_.energy().relative_return(), recorder_.energy().relative_motion()});
    if (!summary_.message.empty()) summary_.status = RunStatus::suspect;
  }
  recorder_.end(summary_);
}

record::Summary run(const model::Model& model, record::Sink& sink, const RunOptions& options) {
  return EventLoop(model, sink, options).run();
}

}  // namespace abut::loop
