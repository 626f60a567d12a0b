#include "loop/timeline.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/limits.h"

namespace abut::loop {
namespace {

// A sample this close to the end, as a fraction of the duration, is the end: k/rate is rounded.
constexpr double end_rounding = 1e-12;

// The first window, as a part of the usual length (dimensionless); each is twice as long as all
// before until they are of that length.
constexpr double first_window = 1.0 / 64;

}  // namespace

Timeline::Timeline(const model::Model& model, const integrate::Scripts& scripts)
    : duration_(model.duration), rate_(model.record.rate), reach_(reach_of(model)) {
  for (std::size_t i = 0; i < model.forces.size(); ++i)
    if (const auto* impulse = std::get_if<model::Impulse>(&model.forces[i]))
      scheduled_.push_back({impulse->time, EventKind::impulse, impulse->body, static_cast<int>(i)});
  for (std::size_t body = 0; body < scripts.size(); ++body) {
    if (!scripts[body]) continue;
    const auto& switches = scripts[body]->switches();
    for (std::size_t i = 0; i < switches.size(); ++i)
      if (switches[i].velocity_jumps && switches[i].time > 0)
        scheduled_.push_back(
            {switches[i].time, EventKind::script, static_cast<int>(body), static_cast<int>(i)});
  }
  std::sort(scheduled_.begin(), scheduled_.end(), [](const Scheduled& a, const Scheduled& b) {
    return std::tie(a.time, a.kind, a.body, a.index) < std::tie(b.time, b.kind, b.body, b.index);
  });
}

double Timeline::sample_time(long k) const {
  const double t = static_cast<double>(k) / rate_;
  return t >= duration_ * (1 - end_rounding) ? duration_ : t;
}

double Timeline::next_sample() const {
  const bool is_over = next_sample_ > 0 && sample_time(next_sample_ - 1) >= duration_;
  return is_over ? infinity : sample_time(next_sample_);
}

double Timeline::next_scheduled() const {
  return next_scheduled_ < scheduled_.size() ? scheduled_[next_scheduled_].time : reach_.until;
}

// The first windows are short: what begins in a touch, or ends soon, is not looked at far ahead.
double Timeline::next_end() const {
  if (reached_ < 0) return 0;
  if (reached_ >= reach_.window) return (std::floor(reached_ / reach_.window) + 1) * reach_.window;
  double end = first_window * reach_.window;
  while (end <= reached_) end *= 2;
  return end;
}

bool Timeline::next_window(Stop& stop) {
  if (reached_ >= duration_) return false;
  stop.time = next_end();
  // Where times are so late that a window is less than their rounding, the grid decides.
  if (stop.time <= reached_) stop.time = std::min(next_sample(), duration_);
  stop.time = std::min(stop.time, reach_.until);
  take_scheduled(stop);
  reached_ = stop.time;
  return true;
}

// What is scheduled up to the stop ends it.
void Timeline::take_scheduled(Stop& stop) {
  stop.events.clear();
  if (next_scheduled_ < scheduled_.size())
    stop.time = std::min(stop.time, scheduled_[next_scheduled_].time);
  while (next_scheduled_ < scheduled_.size() && scheduled_[next_scheduled_].time == stop.time)
    stop.events.push_back(scheduled_[next_scheduled_++]);
}

std::vector<double> Timeline::switches_of(const integrate::Cluster& cluster,
                                          const model::Model& model,
                                          const integrate::Scripts& scripts) {
  std::vector<double> times;
  for (const int index : cluster.impulses)
    times.push_back(std::get<model::Impulse>(model.forces[index]).time);
  const auto add_script = [&](BodyIndex body) {
    if (body == world || !scripts[body]) return;
    for (const motion::ScriptSwitch& s : scripts[body]->switches()) times.push_back(s.time);
  };
  for (const int index : cluster.forces)
    if (const auto* spring = std::get_if<model::Spring>(&model.forces[index]))
      for (const model::Anchor& end : spring->ends) add_script(end.body);
  for (const JointIndex joint : cluster.joints)
    for (const BodyIndex body : model.joints[joint].bodies) add_script(body);
  for (const contact::Contact& contact : cluster.contacts)
    for (const BodyIndex body : contact.bodies) add_script(body);
  for (const force::ContactSpring& spring : cluster.springs)
    for (const BodyIndex body : spring.contact.bodies) add_script(body);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace abut::loop
