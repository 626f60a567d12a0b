#include "loop/timeline.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/limits.h"

namespace abut::loop {
namespace {

// A sample this close to the end, as a fraction of the duration, is the end: k/rate is rounded.
constexpr double end_rounding = 1e-12;

// A window is so long that a body falls, or moves, by a small part of its size in it: of the times
// in which bodies move by their radius, by gravity from rest and by their speed, this part of the
// middle one (dimensionless).
constexpr double window_part = 0.125;
// Without gravity and speed, s.
constexpr double usual_window = 1.0 / 64;

// A power of two, so that multiples are not rounded.
double window_of(const model::Model& model) {
  std::vector<double> times;
  for (const model::Body& body : model.bodies) {
    if (!body.is_dynamic()) continue;
    const double radius = body.bounding_radius;
    const double speed = body.velocity.norm() + body.angular_velocity.norm() * radius +
                         std::sqrt(model.gravity.norm() * radius);
    if (speed > 0 && radius > 0) times.push_back(radius / speed);
  }
  if (times.empty()) return usual_window;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  const double window = std::exp2(std::round(std::log2(window_part * *middle)));
  return std::isfinite(window) && window > 0 ? window : usual_window;
}

}  // namespace

Timeline::Timeline(const model::Model& model, const integrate::Scripts& scripts)
    : duration_(model.duration), rate_(model.record.rate), window_(window_of(model)) {
  for (std::size_t i = 0; i < model.forces.size(); ++i)
    if (const auto* impulse = std::get_if<model::Impulse>(&model.forces[i]))
      if (impulse->time <= duration_)
        scheduled_.push_back(
            {impulse->time, EventKind::impulse, impulse->body, static_cast<int>(i)});
  for (std::size_t body = 0; body < scripts.size(); ++body) {
    if (!scripts[body]) continue;
    const auto& switches = scripts[body]->switches();
    for (std::size_t i = 0; i < switches.size(); ++i)
      if (switches[i].velocity_jumps && switches[i].time > 0 && switches[i].time <= duration_)
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

bool Timeline::next_window(Stop& stop) {
  if (reached_ >= duration_) return false;
  stop.time = reached_ < 0 ? 0 : (std::floor(reached_ / window_) + 1) * window_;
  // Where times are so late that a window is less than their rounding, the grid decides.
  if (stop.time <= reached_) stop.time = next_sample();
  stop.time = std::min(stop.time, duration_);
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

std::vector<double> Timeline::switches_of(const integrate::Island& island,
                                          const model::Model& model,
                                          const integrate::Scripts& scripts) {
  std::vector<double> times;
  for (const int index : island.impulses)
    times.push_back(std::get<model::Impulse>(model.forces[index]).time);
  const auto add_script = [&](BodyIndex body) {
    if (body == world || !scripts[body]) return;
    for (const motion::ScriptSwitch& s : scripts[body]->switches()) times.push_back(s.time);
  };
  for (const int index : island.forces)
    if (const auto* spring = std::get_if<model::Spring>(&model.forces[index]))
      for (const model::Anchor& end : spring->ends) add_script(end.body);
  for (const JointIndex joint : island.joints)
    for (const BodyIndex body : model.joints[joint].bodies) add_script(body);
  for (const contact::Contact& contact : island.contacts)
    for (const BodyIndex body : contact.bodies) add_script(body);
  for (const force::ContactSpring& spring : island.springs)
    for (const BodyIndex body : spring.contact.bodies) add_script(body);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace abut::loop
