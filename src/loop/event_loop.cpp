#include "loop/event_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "abut/diagnostics.h"
#include "model/contact_law.h"
#include "toi/core.h"

namespace abut::loop {
namespace {

using motion::Side;
using record::FrameKind;
using record::RunStatus;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Clusters handled by one task: large enough to pay for the task, small enough to balance.
constexpr std::size_t grain = 64;

// Events at one instant, per body, after which the run is taken to be stuck there.
constexpr long events_per_body = 1000;

// Approach (m/s) from which a contact is reported as an impact rather than a touch: below it the
// impulse only takes out what rounding and location of the event left.
constexpr double least_impact_speed = 1e-9;

// The gap of resting contacts stays above this fraction of the rest gap (dimensionless): checked
// for every step that is taken (integrate/path_events.cpp).
constexpr double least_rest_fraction = 0.3;

// A joint's coordinate has met its limit when it is within this of it, m or rad.
constexpr double limit_distance = 1e-9;

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

Event event_of(EventKind kind, const contact::Contact& contact, const contact::ContactNow& now,
               double time) {
  Event event;
  event.time = time;
  event.kind = kind;
  event.body_a = contact.bodies[0];
  event.body_b = contact.bodies[1];
  event.point = contact::place_of(contact, now);
  event.normal = now.normal;
  return event;
}

void hash_frame(const record::Frame& frame, base::Hash& hash) {
  const auto add = [&hash](const auto& vector) {
    for (int i = 0; i < vector.size(); ++i) hash.add(vector[i]);
  };
  hash.add(frame.time);
  for (const BodyState& body : frame.bodies) {
    add(body.position);
    add(body.orientation.coeffs());
    add(body.velocity);
    add(body.angular_velocity);
  }
}

}  // namespace

EventLoop::EventLoop(const model::Model& model, record::Sink& sink, const RunOptions& options)
    : model_(model),
      sink_(sink),
      options_(options),
      pool_(options.threads),
      scripts_(integrate::make_scripts(model)),
      path_of_(model.bodies.size(), -1),
      broken_(model.joints.size(), false),
      timeline_(model, scripts_),
      detection_(model, scripts_),
      energy_audit_(lifting_energy(model)),
      momentum_audit_(total_weight(model)),
      started_(std::chrono::steady_clock::now()) {
  frame_.bodies.resize(model.bodies.size());
}

record::Summary EventLoop::run() {
  while (advance()) {
  }
  return summary_;
}

bool EventLoop::advance() {
  if (summary_.status != RunStatus::running) return false;
  try {
    if (!begun_) begin();
    const bool went_on = unsolved_.empty() && pass_next_instant();
    if (!unsolved_.empty())
      close(RunStatus::stopped, unsolved_);
    else if (interrupted())
      close(RunStatus::interrupted, fmt::format("interrupted at t = {} s", time_));
    else if (!went_on)
      close(RunStatus::complete, "");
  } catch (const SimulationError& error) {
    close(RunStatus::failed, error.what());
    throw;
  }
  return summary_.status == RunStatus::running;
}

bool EventLoop::interrupted() const {
  return options_.interrupt != nullptr && options_.interrupt->load();
}

// Bodies that the scene puts in touch, or joins, settle before anything moves.
void EventLoop::begin() {
  sink_.begin(model_);
  begun_ = true;
  for (integrate::Cluster& cluster : integrate::find_clusters(model_)) {
    for (const BodyIndex body : cluster.bodies) path_of_[body] = static_cast<int>(paths_.size());
    const integrate::PathStart start = integrate::start_of(model_, cluster);
    auto switches = Timeline::switches_of(cluster, model_, scripts_);
    paths_.push_back(std::make_unique<integrate::ClusterPath>(
        model_, scripts_, std::move(cluster), start, std::move(switches), model_.duration));
  }
  detection_.look(0, 0, {&paths_, &path_of_}, pool_);
  std::set<BodyIndex> concerned;
  for (BodyIndex body = 0; body < static_cast<int>(path_of_.size()); ++body) {
    if (path_of_[body] < 0) continue;
    if (!paths_[path_of_[body]]->cluster().joints.empty()) concerned.insert(body);
    for (const BodyIndex other : detection_.near(body)) {
      if (other < body && path_of_[other] >= 0) continue;
      const BodyIndex a = std::min(body, other), b = std::max(body, other);
      const auto contacts =
          detection_.contacts_of(a, b, motion_of(a, 0).pose, motion_of(b, 0).pose);
      if (!contacts.empty()) concerned.insert(body);
    }
  }
  if (concerned.empty()) return;
  record_frame(0, FrameKind::before);
  meet_at(0, concerned);
  record_frame(0, FrameKind::after);
  joint_impulses_.clear();
}

bool EventLoop::pass_next_instant() {
  if (interrupted()) return false;
  if (!stop_) {
    stop_.emplace();
    if (!timeline_.next(*stop_)) return false;
    open_window(stop_->time);
    if (interrupted()) return false;  // the paths may not have got there
  }
  const double t = next_event_time();
  if (t <= stop_->time) {
    pass_events(t);
  } else {
    if (recorded_until_ < stop_->time) record_frame(stop_->time, FrameKind::sample);
    stop_.reset();
  }
  if (options_.progress) options_.progress(time_);
  return true;
}

// Extends all paths to the next instant of the timeline, and looks for touches up to there.
void EventLoop::open_window(double to) {
  pool_.for_each(paths_.size(), grain, [&](std::size_t i) {
    thread_local ode::Workspace workspace;
    if (!paths_[i]) return;
    paths_[i]->forget_before(time_);
    paths_[i]->cover(to, workspace, options_.interrupt);
  });
  if (to > time_) detection_.look(time_, to, {&paths_, &path_of_}, pool_);
}

double EventLoop::next_event_time() const {
  double t = stop_->events.empty() ? infinity : stop_->time;
  for (const auto& path : paths_)
    if (path && path->event()) t = std::min(t, path->event()->time);
  if (const auto touch = detection_.first_touch()) t = std::min(t, touch->time);
  if (!last_impacts_.empty()) t = std::min(t, last_impacts_.front().limit_time);
  return t;
}

// Everything that happens at t: one frame before, one after.
void EventLoop::pass_events(double t) {
  record_frame(t, FrameKind::before);
  while (next_event_time() <= t && unsolved_.empty()) {
    guard_progress(t);
    std::set<BodyIndex> concerned;
    collect_rests(t);
    if (t >= stop_->time) collect_scheduled(t, concerned);
    collect_path_events(t, concerned);
    collect_touches(t, concerned);
    meet_at(t, concerned);
  }
  record_frame(t, FrameKind::after);
  joint_impulses_.clear();
}

void EventLoop::guard_progress(double t) {
  if (++events_here_ <= events_per_body * static_cast<long>(model_.bodies.size())) return;
  std::string names;
  for (const auto& path : paths_)
    if (path && path->event())
      for (const BodyIndex body : path->cluster().bodies)
        names += (names.empty() ? "" : ", ") + model_.bodies[body].name;
  if (const auto touch = detection_.first_touch())
    names = model_.bodies[touch->a].name + ", " + model_.bodies[touch->b].name;
  throw SimulationError(t, fmt::format("{}: events follow each other without time going on; a "
                                       "larger solver.contact_distance may help",
                                       names));
}

void EventLoop::collect_path_events(double t, std::set<BodyIndex>& concerned) {
  for (const auto& path : paths_) {
    if (!path || !path->event() || path->event()->time > t) continue;
    const integrate::PathEvent& event = *path->event();
    concerned.insert(path->cluster().bodies.begin(), path->cluster().bodies.end());
    for (const int i : event.leaving) released_.push_back(path->cluster().contacts[i]);
    if (event.kind != integrate::PathEventKind::breaks) continue;
    const joint::Joint& joint = model_.joints[event.index];
    broken_[event.index] = true;
    if (!joint.collide && joint.bodies[0] != world && joint.bodies[1] != world)
      detection_.let_touch(joint.bodies[0], joint.bodies[1]);
    Event out;
    out.time = t;
    out.kind = EventKind::break_joint;
    out.body_a = joint.bodies[0];
    out.body_b = joint.bodies[1];
    out.point = joint::joint_point(joint, motion_of(joint.bodies[1], t));
    out.detail = fmt::format("joint {}", joint.name);
    send(out);
  }
}

void EventLoop::collect_touches(double t, std::set<BodyIndex>& concerned) {
  while (const auto touch = detection_.first_touch()) {
    if (touch->time > t) return;
    if (path_of_[touch->a] >= 0) concerned.insert(touch->a);
    if (path_of_[touch->b] >= 0) concerned.insert(touch->b);
    detection_.forget_touch(touch->a, touch->b);
  }
}

void EventLoop::collect_scheduled(double t, std::set<BodyIndex>& concerned) {
  for (const Scheduled& scheduled : stop_->events) {
    if (scheduled.kind == EventKind::impulse) {
      const auto& impulse = std::get<model::Impulse>(model_.forces[scheduled.index]);
      note_blow(impulse, t);
      concerned.insert(impulse.body);
      continue;
    }
    Event event;
    event.time = t;
    event.kind = scheduled.kind;
    event.body_a = scheduled.body;
    event.point = scripts_[scheduled.body]->kinematics(t).pose.position;
    event.detail = scripts_[scheduled.body]->switches()[scheduled.index].what;
    send(event);
    for (const auto& path : paths_)
      if (path && path->depends_on(scheduled.body))
        concerned.insert(path->cluster().bodies.begin(), path->cluster().bodies.end());
  }
  stop_->events.clear();
}

void EventLoop::note_blow(const model::Impulse& impulse, double t) {
  const Vec3 at = impulse.at_centre ? state_of(impulse.body, t).centre : impulse.at;
  blows_.push_back({impulse.body, impulse.impulse, at});
}

void EventLoop::report_blows(const Meeting& meeting, const Outcome& outcome) {
  for (std::size_t i = 0; i < meeting.blows.size(); ++i) {
    const Blow& blow = meeting.blows[i];
    Event event;
    event.time = meeting.time;
    event.kind = EventKind::impulse;
    event.body_a = blow.body;
    event.point = blow.at;
    event.impulse = blow.impulse;
    event.normal_impulse = blow.impulse.norm();
    if (event.normal_impulse > 0) event.normal = blow.impulse / event.normal_impulse;
    event.detail = fmt::format("does {:.6g} J of work", outcome.blow_works[i]);
    send(event);
  }
}

// The limits of sequences of impacts, for the record: the contacts have been at rest since the last
// impact that was simulated.
void EventLoop::collect_rests(double t) {
  while (!last_impacts_.empty() && last_impacts_.front().limit_time <= t) {
    const contact::Contact contact = last_impacts_.front().contact;
    last_impacts_.erase(last_impacts_.begin());
    const auto now = contact::evaluate(contact, motion_of(contact.bodies[0], t),
                                       motion_of(contact.bodies[1], t));
    Event event = event_of(EventKind::rest, contact, now, t);
    event.detail = "limit of a sequence of impacts";
    send(event);
  }
}

// Bodies that are concerned together meet together; others meet apart.
void EventLoop::meet_at(double t, const std::set<BodyIndex>& concerned) {
  std::set<BodyIndex> left = concerned, met;
  while (!left.empty()) {
    const Meeting meeting = meeting_of(t, {*left.begin()});
    for (const BodyIndex body : meeting.bodies) {
      left.erase(body);
      met.insert(body);
    }
    if (stop_at_friction(meeting)) return;
    settle_meeting(meeting);
  }
}

// Friction has no answer yet. Rather than ignore it, the run ends with the touch on record.
bool EventLoop::stop_at_friction(const Meeting& meeting) {
  for (const contact::Contact& contact : meeting.bonds.contacts) {
    const auto [a, b] = contact.bodies;
    const model::Friction friction =
        model::contact_law(model_, a, contact.label.part_a, b, contact.label.part_b).friction;
    if (friction.static_coefficient <= 0 && friction.dynamic_coefficient <= 0) continue;
    const auto now =
        contact::evaluate(contact, motion_of(a, meeting.time), motion_of(b, meeting.time));
    const Event touch = event_of(EventKind::touch, contact, now, meeting.time);
    unsolved_ = fmt::format(
        "{} and {} touch at t = {:.12g} s, at [{:.9g}, {:.9g}, {:.9g}] with normal "
        "[{:.9g}, {:.9g}, {:.9g}]; friction is not supported yet, so the run ends here",
        model_.bodies[a].name, model_.bodies[b].name, meeting.time, touch.point.x(),
        touch.point.y(), touch.point.z(), touch.normal.x(), touch.normal.y(), touch.normal.z());
    send(touch);
    return true;
  }
  return false;
}

void EventLoop::add_cluster_of(BodyIndex body, std::set<BodyIndex>& bodies) const {
  const auto& all = paths_[path_of_[body]]->cluster().bodies;
  bodies.insert(all.begin(), all.end());
}

// All that touches one of the bodies, and so on.
void EventLoop::add_touching(double t, std::set<BodyIndex>& bodies,
                             std::vector<contact::Contact>& contacts) {
  std::vector<BodyIndex> todo(bodies.begin(), bodies.end());
  std::set<std::pair<BodyIndex, BodyIndex>> looked_at;
  while (!todo.empty()) {
    const BodyIndex body = todo.back();
    todo.pop_back();
    for (const BodyIndex other : detection_.near(body)) {
      const BodyIndex a = std::min(body, other), b = std::max(body, other);
      if (!looked_at.emplace(a, b).second) continue;
      const auto found = detection_.contacts_of(a, b, motion_of(a, t).pose, motion_of(b, t).pose);
      if (found.empty()) continue;
      contacts.insert(contacts.end(), found.begin(), found.end());
      if (path_of_[other] < 0 || bodies.count(other) > 0) continue;
      std::set<BodyIndex> joined;
      add_cluster_of(other, joined);
      for (const BodyIndex one : joined)
        if (bodies.insert(one).second) todo.push_back(one);
    }
  }
}

Meeting EventLoop::meeting_of(double t, const std::set<BodyIndex>& concerned) {
  std::set<BodyIndex> bodies;
  for (const BodyIndex body : concerned) add_cluster_of(body, bodies);
  Meeting meeting;
  meeting.time = t;
  add_touching(t, bodies, meeting.bonds.contacts);
  std::sort(meeting.bonds.contacts.begin(), meeting.bonds.contacts.end(),
            [](const contact::Contact& x, const contact::Contact& y) {
              return x.bodies != y.bodies ? x.bodies < y.bodies : x.label < y.label;
            });
  meeting.bonds.broken = broken_;
  meeting.bodies.assign(bodies.begin(), bodies.end());
  for (const BodyIndex body : bodies) meeting.states.push_back(state_of(body, t));

  std::set<int> indices;
  for (const BodyIndex body : bodies) indices.insert(path_of_[body]);
  for (const int index : indices) {
    integrate::ClusterPath& path = *paths_[index];
    const integrate::Coordinates coordinates = path.coordinates(t);
    for (std::size_t i = 0; i < path.cluster().joints.size(); ++i) {
      const JointIndex j = path.cluster().joints[i];
      if (broken_[j]) continue;
      meeting.joints.push_back(j);
      if (!model_.joints[j].limits) continue;
      const auto& [lower, upper] = *model_.joints[j].limits;
      if (coordinates[i] - lower <= limit_distance) meeting.bonds.limits.push_back({j, false});
      if (upper - coordinates[i] <= limit_distance) meeting.bonds.limits.push_back({j, true});
    }
  }
  std::sort(meeting.joints.begin(), meeting.joints.end());
  meeting.released = released_;
  for (const Blow& blow : blows_)
    if (bodies.count(blow.body) > 0) meeting.blows.push_back(blow);
  std::erase_if(blows_, [&](const Blow& blow) { return bodies.count(blow.body) > 0; });
  return meeting;
}

void EventLoop::settle_meeting(const Meeting& meeting) {
  const Outcome outcome = settle(model_, scripts_, meeting);
  if (outcome.status != lcp::Status::solved)
    throw SimulationError(
        meeting.time,
        fmt::format("no forces were found that keep {} and what touches it apart; "
                    "look for joints that contradict each other, and for motors without a "
                    "greatest force that press against a limit or a contact",
                    model_.bodies[meeting.bodies.front()].name));
  summary_.lcp_solves += outcome.solves;
  summary_.lcp_pivots += outcome.pivots;
  summary_.lcp_residual_max = std::max(summary_.lcp_residual_max, outcome.residual);
  summary_.dissipated_by_impacts += outcome.energy_lost;
  report_blows(meeting, outcome);
  report(meeting, outcome);
  replace_paths(meeting, outcome);
}

void EventLoop::report(const Meeting& meeting, const Outcome& outcome) {
  // What rested before, by pair and label.
  std::vector<contact::Contact> before;
  std::set<int> indices;
  for (const BodyIndex body : meeting.bodies) indices.insert(path_of_[body]);
  for (const int index : indices) {
    const auto& contacts = paths_[index]->cluster().contacts;
    before.insert(before.end(), contacts.begin(), contacts.end());
  }
  const auto is_in = [](const std::vector<contact::Contact>& list, const contact::Contact& one) {
    return std::any_of(list.begin(), list.end(),
                       [&](const contact::Contact& c) { return c.is_same_place(one); });
  };
  bool any_impact = false;
  const auto& contacts = meeting.bonds.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const bool hit = outcome.impulses[i] > 0 && -outcome.approach[i] > least_impact_speed;
    const bool is_new = !is_in(before, contacts[i]) && outcome.lasts[i];
    if (!hit && !is_new) continue;
    any_impact = any_impact || hit;
    const bool moved =
        is_new && !hit && std::any_of(before.begin(), before.end(), [&](const contact::Contact& c) {
          return c.bodies == contacts[i].bodies;
        });
    Event event = event_of(hit     ? EventKind::impact
                           : moved ? EventKind::support
                                   : EventKind::touch,
                           contacts[i], outcome.places[i], meeting.time);
    event.normal_impulse = hit ? outcome.impulses[i] : 0;
    event.impulse = event.normal_impulse * event.normal;
    event.detail = fmt::format("{} on {}", contact::name_of(contacts[i].label.a),
                               contact::name_of(contacts[i].label.b));
    send(event);
  }
  if (any_impact) ++summary_.impacts;
  joint_impulses_.insert(joint_impulses_.end(), outcome.joint_impulses.begin(),
                         outcome.joint_impulses.end());
  for (std::size_t i = 0; i < meeting.bonds.limits.size(); ++i) {
    if (!(i < outcome.limit_impulses.size() && outcome.limit_impulses[i] > 0)) continue;
    const joint::Joint& joint = model_.joints[meeting.bonds.limits[i].joint];
    Event event;
    event.time = meeting.time;
    event.kind = EventKind::limit;
    event.body_a = joint.bodies[0];
    event.body_b = joint.bodies[1];
    event.point = joint::joint_point(joint, motion_of(joint.bodies[1], meeting.time));
    event.normal_impulse = outcome.limit_impulses[i];
    event.detail = fmt::format("joint {} at its {} limit", joint.name,
                               meeting.bonds.limits[i].is_upper ? "upper" : "lower");
    send(event);
  }
  for (const contact::Contact& contact : before) {
    if (is_in(outcome.bonds.contacts, contact)) continue;
    const bool others_last =
        std::any_of(outcome.bonds.contacts.begin(), outcome.bonds.contacts.end(),
                    [&](const contact::Contact& c) { return c.bodies == contact.bodies; });
    const bool still_touches = is_in(contacts, contact);
    // A point that moved on to another feature has been told of there.
    if (others_last && !still_touches) continue;
    send(event_of(EventKind::separate, contact,
                  contact::evaluate(contact, motion_of(contact.bodies[0], meeting.time),
                                    motion_of(contact.bodies[1], meeting.time)),
                  meeting.time));
  }
  std::erase_if(last_impacts_, [&](const LastImpact& last) {
    return is_in(before, last.contact) && !is_in(outcome.bonds.contacts, last.contact);
  });
  for (const LastImpact& last : outcome.last_impacts)
    if (last.limit_time <= model_.duration) last_impacts_.push_back(last);
  std::stable_sort(
      last_impacts_.begin(), last_impacts_.end(),
      [](const LastImpact& x, const LastImpact& y) { return x.limit_time < y.limit_time; });
}

// The book of the paths that end, and of what the meeting lost.
integrate::Balance EventLoop::retire_paths(const Meeting& meeting) {
  integrate::Balance total;
  std::set<int> indices;
  for (const BodyIndex body : meeting.bodies) indices.insert(path_of_[body]);
  for (const int index : indices) {
    total += paths_[index]->balance(meeting.time);
    retired_.accepted += paths_[index]->statistics().accepted;
    retired_.rejected += paths_[index]->statistics().rejected;
    paths_[index].reset();
    free_paths_.push_back(index);
  }
  std::sort(free_paths_.begin(), free_paths_.end(), std::greater<>());
  return total;
}

void EventLoop::replace_paths(const Meeting& meeting, const Outcome& outcome) {
  std::vector<double> angles(model_.joints.size(), 0);
  std::set<int> indices;
  for (const BodyIndex body : meeting.bodies) indices.insert(path_of_[body]);
  for (const int index : indices) {
    integrate::ClusterPath& path = *paths_[index];
    const integrate::Coordinates coordinates = path.coordinates(meeting.time);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      angles[path.cluster().joints[i]] = coordinates[i];
  }
  integrate::Momentum before, after;
  for (std::size_t i = 0; i < meeting.bodies.size(); ++i) {
    const body::Mass& mass = model_.bodies[meeting.bodies[i]].mass;
    before += integrate::momentum_of(mass, meeting.states[i]);
    after += integrate::momentum_of(mass, outcome.states[i]);
  }
  integrate::Balance carried = retire_paths(meeting);
  carried.dissipated += outcome.energy_lost;
  carried.work += outcome.work;
  carried.impulse += after.linear - before.linear;  // what supports and blows gave
  carried.angular_impulse += after.angular - before.angular;

  for (integrate::Cluster& cluster :
       integrate::find_clusters(model_, meeting.bodies, outcome.bonds)) {
    integrate::PathStart start;
    start.time = meeting.time;
    for (const BodyIndex body : cluster.bodies) {
      const auto slot = std::lower_bound(meeting.bodies.begin(), meeting.bodies.end(), body) -
                        meeting.bodies.begin();
      start.states.push_back(outcome.states[slot]);
    }
    for (const JointIndex joint : cluster.joints) start.coordinates.push_back(angles[joint]);
    start.carried = carried;
    carried = {};  // the first one keeps the book of all
    auto switches = Timeline::switches_of(cluster, model_, scripts_);
    if (free_paths_.empty()) {
      free_paths_.push_back(static_cast<int>(paths_.size()));
      paths_.emplace_back();
    }
    const int index = free_paths_.back();
    free_paths_.pop_back();
    for (const BodyIndex body : cluster.bodies) path_of_[body] = index;
    paths_[index] = std::make_unique<integrate::ClusterPath>(
        model_, scripts_, std::move(cluster), start, std::move(switches), model_.duration);
    thread_local ode::Workspace workspace;
    if (stop_) paths_[index]->cover(stop_->time, workspace, options_.interrupt);
  }
  hold_contacts(meeting, outcome);
  if (stop_) detection_.look_again(meeting.bodies, meeting.time, {&paths_, &path_of_}, pool_);
}

// Tells detection which pairs rest against each other, and which no longer do.
void EventLoop::hold_contacts(const Meeting& meeting, const Outcome& outcome) {
  std::map<std::pair<BodyIndex, BodyIndex>, std::vector<contact::Contact>> pairs;
  for (const BodyIndex body : meeting.bodies)
    for (const BodyIndex other : detection_.near(body))
      pairs[{std::min(body, other), std::max(body, other)}];
  for (const contact::Contact& contact : outcome.bonds.contacts)
    pairs[{contact.bodies[0], contact.bodies[1]}].push_back(contact);
  for (auto& [pair, contacts] : pairs) {
    // A contact that nothing presses may rise, and then what it spans with the others is not held.
    std::vector<contact::Contact> pressed;
    for (const contact::Contact& contact : contacts)
      if (is_pressed(contact)) pressed.push_back(contact);
    if (!pressed.empty()) contacts = std::move(pressed);
    detection_.hold(pair.first, pair.second, contacts, motion_of(pair.first, meeting.time),
                    motion_of(pair.second, meeting.time));
    contacts_held_ = contacts_held_ || !contacts.empty();
  }
}

// Whether the path that a contact belongs to keeps it closed, by its own force or by others'.
bool EventLoop::is_pressed(const contact::Contact& contact) const {
  const BodyIndex body = contact.bodies[path_of_[contact.bodies[0]] >= 0 ? 0 : 1];
  const integrate::ClusterPath& path = *paths_[path_of_[body]];
  const auto& contacts = path.cluster().contacts;
  const force::ContactForces& forces = path.first_forces();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
    if (contacts[i].is_same_place(contact))
      return std::binary_search(forces.basis.begin(), forces.basis.end(), i) ||
             std::abs(forces.accelerations[i]) <= forces.rounding[i];
  return false;
}

body::RigidState EventLoop::state_of(BodyIndex body, double t) const {
  return paths_[path_of_[body]]->state_of(body, t);
}

body::RigidMotion EventLoop::motion_of(BodyIndex body, double t) const {
  if (body != world && path_of_[body] >= 0) {
    const body::RigidState state = state_of(body, t);
    return {
        {state.centre, state.attitude.normalized()},
        state.velocity,
        body::angular_velocity(model_.bodies[body].mass, state.attitude, state.angular_momentum)};
  }
  return integrate::prescribed_support(model_, scripts_, body, t).motion;
}

void EventLoop::send(const Event& event) {
  ++events_;
  sink_.event(event);
}

void EventLoop::record_frame(double t, FrameKind kind) {
  const Side side = kind == FrameKind::before ? Side::before : Side::after;
  if (t > time_) {
    events_here_ = 0;
    released_.clear();
  }
  frame_.time = time_ = t;
  frame_.kind = kind;
  if (kind != FrameKind::before) recorded_until_ = t;
  write_moving_bodies(t, side);
  write_prescribed_bodies(t, side);
  sum_up();
  hash_frame(frame_, hash_);
  sink_.frame(frame_);
}

void EventLoop::write_moving_bodies(double t, Side side) {
  energies_.assign(paths_.size(), {});
  momenta_.assign(paths_.size(), {});
  balances_.assign(paths_.size(), {});
  contacts_.resize(paths_.size());
  joints_.resize(paths_.size());
  pool_.for_each(paths_.size(), grain, [&](std::size_t i) {
    contacts_[i].clear();
    joints_[i].clear();
    if (!paths_[i]) return;
    paths_[i]->write_states(t, side, frame_.bodies);
    paths_[i]->report(t, side, contacts_[i], joints_[i]);
    energies_[i] = paths_[i]->energy(t, side);
    momenta_[i] = paths_[i]->momentum(t);
    balances_[i] = paths_[i]->balance(t);
  });
}

void EventLoop::write_prescribed_bodies(double t, Side side) {
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

void EventLoop::sum_up() {
  ExactSum kinetic, potential, elastic, dissipated, work;
  integrate::Momentum momentum;
  integrate::Balance balance;
  frame_.contacts.clear();
  frame_.joints.clear();
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    kinetic.add(energies_[i].kinetic);
    potential.add(energies_[i].potential);
    elastic.add(energies_[i].elastic);
    dissipated.add(energies_[i].dissipated);
    work.add(energies_[i].work);
    momentum += momenta_[i];
    balance += balances_[i];
    frame_.contacts.insert(frame_.contacts.end(), contacts_[i].begin(), contacts_[i].end());
    frame_.joints.insert(frame_.joints.end(), joints_[i].begin(), joints_[i].end());
  }
  if (frame_.kind == FrameKind::after)
    frame_.joints.insert(frame_.joints.end(), joint_impulses_.begin(), joint_impulses_.end());
  frame_.energy = {kinetic.value(), potential.value(), elastic.value(), dissipated.value(),
                   work.value()};
  // Bodies that touch when the run begins are moved to the rest gap: the books open after that.
  if (frame_.time == 0 && frame_.kind == FrameKind::before) {
    summary_.energy_initial = frame_.energy.mechanical();
    return;
  }
  if (frame_.time == 0 && frame_.kind == FrameKind::sample)
    summary_.energy_initial = frame_.energy.mechanical();
  energy_audit_.add(frame_.energy);
  momentum_audit_.add(frame_.time, momentum, balance);
  summary_.contacts_max =
      std::max(summary_.contacts_max, static_cast<long>(frame_.contacts.size()));
}

void EventLoop::close(RunStatus status, const std::string& message) {
  summary_.status = status;
  summary_.message = message;
  summary_.duration = time_;
  summary_.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  summary_.steps = retired_.accepted;
  summary_.rejected_steps = retired_.rejected;
  for (const auto& path : paths_) {
    if (!path) continue;
    summary_.steps += path->statistics().accepted;
    summary_.rejected_steps += path->statistics().rejected;
  }
  summary_.events = events_;
  summary_.energy_final = energy_audit_.last().mechanical();
  summary_.dissipated_by_damping = energy_audit_.last().dissipated - summary_.dissipated_by_impacts;
  summary_.work = energy_audit_.last().work;
  summary_.energy_error = energy_audit_.relative_error();
  summary_.momentum_error = momentum_audit_.relative_error();
  const DetectionStatistics detection = detection_.statistics();
  summary_.cache_hits = detection.cache_hits;
  summary_.cache_misses = detection.cache_misses;
  summary_.unresolved = detection.unresolved;
  double gap = detection_.gap_bound();
  if (contacts_held_) gap = std::min(gap, least_rest_fraction * model::rest_gap(model_.solver));
  // Where shapes met whose contact cannot be told yet, no gap can be promised.
  if (detection.unresolved == 0 && gap < infinity) {
    summary_.min_gap = gap;
    summary_.max_penetration = std::max(0.0, -gap);
  }
  summary_.state_hash = hash_.hex();
  sink_.end(summary_);
}

record::Summary run(const model::Model& model, record::Sink& sink, const RunOptions& options) {
  return EventLoop(model, sink, options).run();
}

}  // namespace abut::loop
