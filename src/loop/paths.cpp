#include "loop/paths.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "loop/springs.h"
#include "loop/timeline.h"

namespace abut::loop {
namespace {

// What supports and impulses gave to the bodies of a contact event.
integrate::Balance came_in(const model::Model& model, const ContactEvent& contact_event,
                           const Outcome& outcome) {
  integrate::Momentum before, after;
  for (std::size_t i = 0; i < contact_event.bodies.size(); ++i) {
    const body::Mass& mass = model.bodies[contact_event.bodies[i]].mass;
    before += integrate::momentum_of(mass, contact_event.states[i]);
    after += integrate::momentum_of(mass, outcome.states[i]);
  }
  return {outcome.energy_lost, 0, outcome.work, after.linear - before.linear,
          after.angular - before.angular};
}

}  // namespace

Paths::Paths(const model::Model& model, const integrate::Scripts& scripts)
    : model_(model), scripts_(scripts), number_of_(model.bodies.size(), -1) {}

void Paths::begin() {
  for (integrate::Island& island : integrate::find_islands(model_)) {
    const integrate::PathStart start = integrate::start_of(model_, island);
    begin_path(std::move(island), start);
  }
}

int Paths::begin_path(integrate::Island island, const integrate::PathStart& start) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<int>(paths_.size()));
    paths_.emplace_back();
    serials_.push_back(0);
    event_times_.push_back(infinity);
  }
  const int number = unused_.back();
  unused_.pop_back();
  serials_[number] = ++begun_;
  for (const BodyIndex body : island.bodies) number_of_[body] = number;
  auto switches = Timeline::switches_of(island, model_, scripts_);
  paths_[number] = std::make_unique<integrate::IslandPath>(
      model_, scripts_, std::move(island), start, std::move(switches), model_.duration);
  return number;
}

std::vector<int> Paths::replace(const ContactEvent& contact_event, const Outcome& outcome) {
  const std::vector<double> coordinates =
      joint_coordinates(contact_event.bodies, contact_event.time);
  const integrate::Balance exchanged =
      exchanged_springs(*this, contact_event, outcome.active.springs);
  integrate::Balance carried = retire(contact_event.bodies, contact_event.time);
  carried += came_in(model_, contact_event, outcome);
  carried += exchanged;
  std::vector<int> numbers;
  for (integrate::Island& island : contact_event.islands_of(model_, outcome.active)) {
    integrate::PathStart start;
    start.time = contact_event.time;
    for (const BodyIndex body : island.bodies) {
      const auto slot =
          std::lower_bound(contact_event.bodies.begin(), contact_event.bodies.end(), body) -
          contact_event.bodies.begin();
      start.states.push_back(outcome.states[slot]);
    }
    for (const JointIndex joint : island.joints) start.coordinates.push_back(coordinates[joint]);
    start.carried = carried;
    carried = {};  // the first one keeps the book of all
    numbers.push_back(begin_path(std::move(island), start));
  }
  return numbers;
}

std::vector<clock::Passage> Paths::leave(const std::vector<BodyIndex>& bodies, double t) {
  std::vector<clock::Passage> leaving;
  leaving.reserve(bodies.size());
  for (const BodyIndex body : bodies) leaving.push_back({body, state_of(body, t), {}});
  // The first one takes along the book of all.
  if (!leaving.empty()) leaving.front().balance = retire(bodies, t);
  for (const BodyIndex body : bodies) number_of_[body] = -1;
  return leaving;
}

int Paths::join(const clock::Passage& passage, double t) {
  integrate::ActiveConstraints active;
  active.broken.assign(model_.joints.size(), true);
  integrate::PathStart start;
  start.time = t;
  start.states = {passage.state};
  start.carried = passage.balance;
  return begin_path(integrate::find_islands(model_, {passage.body}, active).front(), start);
}

std::vector<double> Paths::joint_coordinates(const std::vector<BodyIndex>& bodies, double t) const {
  std::vector<double> coordinates(model_.joints.size(), 0);
  for (integrate::IslandPath* path : of(bodies)) {
    const integrate::Coordinates now = path->coordinates(t);
    for (std::size_t i = 0; i < now.size(); ++i) coordinates[path->island().joints[i]] = now[i];
  }
  return coordinates;
}

// Returns the book of the paths that end.
integrate::Balance Paths::retire(const std::vector<BodyIndex>& bodies, double t) {
  integrate::Balance total;
  for (const int number : numbers_of(bodies)) {
    total += paths_[number]->balance(t);
    least_spring_gap_ = std::min(least_spring_gap_, paths_[number]->least_spring_gap(t));
    retired_unproven_.merge(paths_[number]->unproven(t));
    retired_.accepted += paths_[number]->statistics().accepted;
    retired_.rejected += paths_[number]->statistics().rejected;
    paths_[number].reset();
    note_event(number);
    unused_.push_back(number);
  }
  std::sort(unused_.begin(), unused_.end(), std::greater<>());
  return total;
}

void Paths::cover_all(double from, double to, const base::ThreadPool& pool) {
  least_spring_gap(from);
  pool.for_each(paths_.size(), paths_per_task, [&](std::size_t i) {
    thread_local ode::Workspace workspace;
    if (!paths_[i]) return;
    paths_[i]->forget_before(from);
    paths_[i]->cover(to, workspace);
  });
  for (std::size_t i = 0; i < paths_.size(); ++i) note_event(static_cast<int>(i));
}

void Paths::cover(const std::vector<int>& numbers, double to) {
  thread_local ode::Workspace workspace;
  for (const int number : numbers) {
    paths_[number]->cover(to, workspace);
    note_event(number);
  }
}

std::vector<int> Paths::short_of(double to) const {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < paths_.size(); ++i)
    if (paths_[i] && !paths_[i]->event() && paths_[i]->end_time() < to)
      numbers.push_back(static_cast<int>(i));
  return numbers;
}

std::vector<int> Paths::too_stiff() const {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < paths_.size(); ++i)
    if (paths_[i] && paths_[i]->is_too_stiff()) numbers.push_back(static_cast<int>(i));
  return numbers;
}

bool Paths::is_any_full(const std::vector<int>& numbers) const {
  return std::any_of(numbers.begin(), numbers.end(),
                     [this](int number) { return paths_[number]->is_full(); });
}

void Paths::forget_before(double t) {
  least_spring_gap(t);
  for (const auto& path : paths_)
    if (path) path->forget_before(t);
}

double Paths::least_spring_gap(double t) {
  for (const auto& path : paths_)
    if (path && !path->island().springs.empty())
      least_spring_gap_ = std::min(least_spring_gap_, path->least_spring_gap(t));
  return least_spring_gap_;
}

// Brings the queue of events up to date with a path that was extended, or has ended.
void Paths::note_event(int number) {
  const integrate::IslandPath* path = paths_[number].get();
  const double time = path != nullptr && path->event() ? path->event()->time : infinity;
  double& known = event_times_[number];
  if (time == known) return;
  if (known < infinity) events_.erase({known, number});
  if (time < infinity) events_.emplace(time, number);
  known = time;
}

std::vector<int> Paths::numbers_of(const std::vector<BodyIndex>& bodies) const {
  std::vector<int> numbers;
  numbers.reserve(bodies.size());
  for (const BodyIndex body : bodies) numbers.push_back(number_of_[body]);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::vector<BodyIndex> Paths::bodies_of(const std::vector<int>& numbers) const {
  std::vector<BodyIndex> bodies;
  for (const int number : numbers) {
    const std::vector<BodyIndex>& more = paths_[number]->island().bodies;
    bodies.insert(bodies.end(), more.begin(), more.end());
  }
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

std::vector<integrate::IslandPath*> Paths::of(const std::vector<BodyIndex>& bodies) const {
  std::vector<integrate::IslandPath*> paths;
  for (const int number : numbers_of(bodies)) paths.push_back(paths_[number].get());
  return paths;
}

std::vector<BodyIndex> Paths::bodies() const {
  std::vector<BodyIndex> bodies;
  for (std::size_t i = 0; i < number_of_.size(); ++i)
    if (number_of_[i] >= 0) bodies.push_back(static_cast<BodyIndex>(i));
  return bodies;
}

body::RigidMotion Paths::motion_of(BodyIndex body, double t) const {
  if (steps_ != nullptr && steps_->contains(body)) return steps_->motion_at(body, t);
  if (!is_moving(body)) return integrate::prescribed_support(model_, scripts_, body, t).motion;
  const body::RigidState state = state_of(body, t);
  return {{state.centre, state.attitude},
          state.velocity,
          body::angular_velocity(model_.bodies[body].mass, state.attitude, state.angular_momentum)};
}

std::vector<int> Paths::ended_by(double t) const {
  std::vector<int> numbers;
  for (auto event = events_.begin(); event != events_.end() && event->first <= t; ++event)
    numbers.push_back(event->second);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<BodyIndex> Paths::tied_to(BodyIndex support) const {
  std::vector<BodyIndex> bodies;
  for (const auto& path : paths_) {
    if (!path || !path->depends_on(support)) continue;
    bodies.insert(bodies.end(), path->island().bodies.begin(), path->island().bodies.end());
  }
  return bodies;
}

std::set<std::pair<BodyIndex, BodyIndex>> Paths::unproven(double t) const {
  std::set<std::pair<BodyIndex, BodyIndex>> all = retired_unproven_;
  for (const auto& path : paths_)
    if (path) all.merge(path->unproven(t));
  return all;
}

ode::StepStatistics Paths::statistics() const {
  ode::StepStatistics total = retired_;
  for (const auto& path : paths_) {
    if (!path) continue;
    total.accepted += path->statistics().accepted;
    total.rejected += path->statistics().rejected;
  }
  return total;
}

}  // namespace abut::loop
