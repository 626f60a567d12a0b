#include "loop/event_loop.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "abut/diagnostics.h"

namespace abut::loop {
namespace {

using motion::Side;
using record::FrameKind;
using record::RunStatus;

// Clusters handled by one task: large enough to pay for the task, small enough to balance.
constexpr std::size_t grain = 64;

integrate::Scripts make_scripts(const model::Model& model) {
  integrate::Scripts scripts(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (const body::Script* script = model.bodies[i].script())
      scripts[i] = motion::make_script_motion(*script);
  return scripts;
}

Vec3 weight_of(const model::Model& model, const integrate::Cluster& cluster) {
  double mass = 0;
  for (const BodyIndex body : cluster.bodies) mass += model.bodies[body].mass.mass;
  return mass * model.gravity;
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
      scripts_(make_scripts(model)),
      path_of_(model.bodies.size(), -1),
      timeline_(model, scripts_),
      detection_(model, scripts_),
      started_(std::chrono::steady_clock::now()) {
  for (integrate::Cluster& cluster : integrate::find_clusters(model)) {
    for (const BodyIndex body : cluster.bodies) path_of_[body] = static_cast<int>(paths_.size());
    const Vec3 weight = weight_of(model, cluster);
    const bool keeps_balance = !cluster.forces.empty();
    auto switches = Timeline::switches_of(cluster, model, scripts_);
    paths_.push_back(std::make_unique<integrate::ClusterPath>(model, scripts_, std::move(cluster),
                                                              std::move(switches), model.duration));
    momentum_audits_.emplace_back(*paths_.back(), weight, keeps_balance);
  }
  frame_.bodies.resize(model.bodies.size());
  energies_.resize(paths_.size());
}

record::Summary EventLoop::run() {
  while (advance()) {
  }
  return summary_;
}

bool EventLoop::advance() {
  if (summary_.status != RunStatus::running) return false;
  try {
    if (!begun_) sink_.begin(model_);
    begun_ = true;
    if (!model_.joints.empty())  // bodies that belong together must not fly apart in silence
      throw SimulationError(0, "joints can be checked but not run yet; remove `joints`");
    const bool went_on = pass_next_stop();
    if (summary_.status == RunStatus::stopped) return false;
    if (interrupted())
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

bool EventLoop::pass_next_stop() {
  Stop stop;
  if (interrupted() || !timeline_.next(stop)) return false;
  extend_paths(stop.time);
  if (interrupted()) return false;  // the paths may not have got there
  if (stop_at_touch(time_, stop.time)) return false;
  if (stop.events.empty()) {
    record_frame(stop.time, FrameKind::sample);
  } else {
    record_frame(stop.time, FrameKind::before);
    for (const Scheduled& scheduled : stop.events) resolve(scheduled, stop.time);
    record_frame(stop.time, FrameKind::after);
  }
  if (options_.progress) options_.progress(stop.time);
  return true;
}

void EventLoop::extend_paths(double t) {
  pool_.for_each(paths_.size(), grain, [&](std::size_t i) {
    thread_local ode::Workspace workspace;
    paths_[i]->forget_before(time_);
    paths_[i]->cover(t, workspace, options_.interrupt);
  });
}

// Contact has no answer yet: the run ends at the first touch, with the touch on record.
bool EventLoop::stop_at_touch(double from, double to) {
  const auto found = detection_.first_touch(from, to, paths_, path_of_, pool_);
  if (!found) return false;
  const narrow::Separation& where = found->touch.separation;
  const double t = found->touch.time;
  Event event;
  event.time = t;
  event.kind = EventKind::touch;
  event.body_a = found->a;
  event.body_b = found->b;
  event.point = 0.5 * (where.point_a + where.point_b);
  event.normal = where.normal;
  event.detail = fmt::format("gap {:.3g} m", where.gap);
  record_frame(t, FrameKind::before);
  ++events_;
  sink_.event(event);
  record_frame(t, FrameKind::after);
  close(RunStatus::stopped,
        fmt::format("{} and {} touch at t = {:.12g} s, at [{:.9g}, {:.9g}, {:.9g}] with normal "
                    "[{:.9g}, {:.9g}, {:.9g}]; contact forces are not supported yet, so the run "
                    "ends here",
                    model_.bodies[found->a].name, model_.bodies[found->b].name, t, event.point.x(),
                    event.point.y(), event.point.z(), event.normal.x(), event.normal.y(),
                    event.normal.z()));
  return true;
}

void EventLoop::record_frame(double t, FrameKind kind) {
  const Side side = kind == FrameKind::before ? Side::before : Side::after;
  frame_.time = time_ = t;
  frame_.kind = kind;
  write_moving_bodies(t, side);
  write_prescribed_bodies(t, side);
  sum_energies();
  hash_frame(frame_, hash_);
  sink_.frame(frame_);
}

void EventLoop::write_moving_bodies(double t, Side side) {
  pool_.for_each(paths_.size(), grain, [&](std::size_t i) {
    paths_[i]->write_states(t, side, frame_.bodies);
    energies_[i] = paths_[i]->energy(t, side);
    momentum_audits_[i].add(t, *paths_[i]);
  });
}

void EventLoop::write_prescribed_bodies(double t, Side side) {
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    const model::Body& body = model_.bodies[i];
    if (body.is_dynamic()) continue;
    motion::Kinematics frame;
    frame.pose = body.pose;
    if (scripts_[i]) frame = scripts_[i]->kinematics(t, side);
    const motion::Kinematics centre = motion::carried(frame, body.mass.central.position);
    frame_.bodies[i] = {frame.pose.position,       frame.pose.orientation, centre.velocity,
                        frame.angular_velocity,    centre.pose.position,   centre.acceleration,
                        frame.angular_acceleration};
  }
}

void EventLoop::sum_energies() {
  ExactSum kinetic, potential, elastic, dissipated, work;
  for (const Energy& energy : energies_) {
    kinetic.add(energy.kinetic);
    potential.add(energy.potential);
    elastic.add(energy.elastic);
    dissipated.add(energy.dissipated);
    work.add(energy.work);
  }
  frame_.energy = {kinetic.value(), potential.value(), elastic.value(), dissipated.value(),
                   work.value()};
  energy_audit_.add(frame_.energy);
}

void EventLoop::resolve(const Scheduled& scheduled, double t) {
  Event event;
  if (scheduled.kind == EventKind::impulse) {
    event = strike(std::get<model::Impulse>(model_.forces[scheduled.index]));
  } else {
    event.body_a = scheduled.body;
    event.point = scripts_[scheduled.body]->kinematics(t).pose.position;
    event.detail = scripts_[scheduled.body]->switches()[scheduled.index].what;
  }
  event.kind = scheduled.kind;
  event.time = t;
  ++events_;
  sink_.event(event);
}

Event EventLoop::strike(const model::Impulse& impulse) {
  integrate::ClusterPath& path = *paths_[path_of_[impulse.body]];
  Event event;
  event.body_a = impulse.body;
  event.point = impulse.at_centre ? path.centre_at_end(impulse.body) : impulse.at;
  event.impulse = impulse.impulse;
  event.normal_impulse = impulse.impulse.norm();
  if (event.normal_impulse > 0) event.normal = impulse.impulse / event.normal_impulse;
  const double gained = path.apply_impulse(impulse.body, impulse.impulse, event.point);
  event.detail = fmt::format("kinetic energy changes by {:.6g} J", gained);
  return event;
}

void EventLoop::close(RunStatus status, const std::string& message) {
  summary_.status = status;
  summary_.message = message;
  summary_.duration = time_;
  summary_.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  for (const auto& path : paths_) {
    summary_.steps += path->statistics().accepted;
    summary_.rejected_steps += path->statistics().rejected;
  }
  summary_.events = events_;
  summary_.energy_initial = energy_audit_.first().mechanical();
  summary_.energy_final = energy_audit_.last().mechanical();
  summary_.dissipated_by_damping = energy_audit_.last().dissipated;
  summary_.work = energy_audit_.last().work;
  summary_.energy_error = energy_audit_.relative_error();
  for (const MomentumAudit& audit : momentum_audits_)
    summary_.momentum_error = std::max(summary_.momentum_error, audit.relative_error());
  const DetectionStatistics detection = detection_.statistics();
  summary_.cache_hits = detection.cache_hits;
  summary_.cache_misses = detection.cache_misses;
  summary_.unresolved = detection.unresolved;
  // Where shapes met whose contact cannot be told yet, no gap can be promised.
  if (detection.unresolved == 0 && detection_.gap_bound() < std::numeric_limits<double>::infinity())
    summary_.min_gap = detection_.gap_bound();
  summary_.state_hash = hash_.hex();
  sink_.end(summary_);
}

record::Summary run(const model::Model& model, record::Sink& sink, const RunOptions& options) {
  return EventLoop(model, sink, options).run();
}

}  // namespace abut::loop
