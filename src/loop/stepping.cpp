#include "loop/stepping.h"

#include <algorithm>

namespace abut::loop {

Stepping::Stepping(const model::Model& model, const integrate::Scripts& scripts,
                   const base::ThreadPool& pool, Paths& paths, Detection& detection,
                   const std::vector<bool>& broken, const std::atomic<bool>* interrupt)
    : model_(model),
      paths_(paths),
      detection_(detection),
      clock_(
          model, scripts, pool,
          [&detection](BodyIndex a, BodyIndex b) { return detection.exclusions().may_touch(a, b); },
          broken, interrupt),
      open_(model.bodies.size(), -1) {}

void Stepping::hand_over(const std::vector<BodyIndex>& bodies, double t, const std::string& why) {
  if (!begin_) {
    begin_ = t;
    clock_.begin(t);
    paths_.follow(clock_);
    detection_.follow(clock_);
  }
  if (clock_.empty())
    clock_.set_time(t);
  else
    clock_.cut(t);
  take(bodies, why);
}

void Stepping::take(const std::vector<BodyIndex>& bodies, const std::string& why) {
  const double t = clock_.time();
  const std::vector<double> coordinates = paths_.joint_coordinates(bodies, t);
  clock_.take(paths_.leave(bodies, t), coordinates);
  detection_.change_clock(bodies);
  for (const BodyIndex body : bodies) {
    open_[body] = static_cast<int>(spans_.size());
    spans_.push_back({body, model_.bodies[body].name, t, model_.duration, why});
  }
}

std::vector<BodyIndex> Stepping::release_lone() {
  std::vector<BodyIndex> released;
  for (const clock::Passage& passage : clock_.release_lone()) {
    paths_.join(passage, clock_.time());
    released.push_back(passage.body);
    spans_[open_[passage.body]].to = clock_.time();
    open_[passage.body] = -1;
  }
  detection_.change_clock(released);
  return released;
}

std::vector<BodyIndex> Stepping::advance(double limit) {
  std::vector<BodyIndex> joined;
  const double h = clock_.next_length(limit);
  while (true) {
    const std::vector<BodyIndex> met =
        paths_.bodies_of(paths_.numbers_of(clock_.advance(limit, outsiders(h))));
    if (met.empty()) break;
    take(met, "something that is stepped comes near");
    joined.insert(joined.end(), met.begin(), met.end());
  }
  std::sort(joined.begin(), joined.end());
  return joined;
}

// How far bodies on paths may get: what happens to them on the way may bring them farther, and
// then they touch.
std::vector<clock::Outsider> Stepping::outsiders(double h) const {
  std::vector<clock::Outsider> found;
  for (const BodyIndex body : paths_.bodies()) {
    const body::RigidMotion motion = paths_.motion_of(body, clock_.time());
    const double speed = motion.velocity.norm() +
                         model_.bodies[body].bounding_radius * motion.angular_velocity.norm();
    found.push_back({body, motion.pose, h * speed});
  }
  return found;
}

void Stepping::sum_up(double t, record::Summary& summary) const {
  if (!begin_) return;
  const clock::IslandStatistics& steps = clock_.statistics();
  double dynamic = 0;
  for (const model::Body& body : model_.bodies) dynamic += body.is_dynamic() ? 1 : 0;
  if (dynamic > 0 && t > 0) summary.stepped_fraction = clock_.stepped_body_seconds() / dynamic / t;
  summary.stepped_from = *begin_;
  if (model_.solver.clock != model::Clock::step) summary.stepped = spans_;
  for (SteppedSpan& span : summary.stepped) span.to = std::min(span.to, t);
  summary.cone_steps = steps.steps;
  summary.step_error_max = clock_.error();
  summary.forced_stops = steps.forced_stops;
  summary.dissipated_by_impacts += steps.struck;
  summary.steps += steps.steps;
  summary.rejected_steps += steps.shortened;
}

}  // namespace abut::loop
