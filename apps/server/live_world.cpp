#include "server/live_world.h"

#include <algorithm>
#include <cmath>

#include "abut/diagnostics.h"
#include "model/contact_law.h"

namespace abut::server {
namespace {

/// A live run goes on until it is ended, s: thirty years.
constexpr double no_end = 1e9;

/// Frames per simulated second, at least: what a screen shows.
constexpr double screen_rate = 60;

/// The spring of a grip: how fast a body swings on it (rad/s) at least, and by how much of its
/// radius a body may sag on it; its damping as a fraction of the critical one.
constexpr double slowest_swing = 10;
constexpr double largest_sag = 0.1;
constexpr double grip_damping = 0.7;

/// The forces of a grip are the last two of a model.
constexpr std::size_t grip_forces = 2;

model::Model prepared(model::Model model) {
  model.duration = no_end;
  model.record.rate = std::max(model.record.rate, screen_rate);
  return model;
}

/// k = m w^2 and c = 2 zeta m w, with w such that the weight stretches the spring by no more than
/// the sag: g / w^2 <= sag * radius.
void add_spring(model::Model& model, const GrabCommand& grip) {
  const model::Body& body = model.bodies[static_cast<std::size_t>(grip.body)];
  const double mass = body.mass.mass;
  const double swing = std::max(
      slowest_swing, std::sqrt(model.gravity.norm() / (largest_sag * body.bounding_radius)));
  const double damping = 2 * grip_damping * mass * swing;
  const double turning = damping * body.bounding_radius * body.bounding_radius * 0.1;
  model.forces.emplace_back(
      model::Spring{{model::Anchor{grip.body, grip.point}, model::Anchor{world, grip.target}},
                    0,
                    mass * swing * swing,
                    0});
  model.forces.emplace_back(model::Drag{grip.body, damping, 0, turning, Vec3::Zero()});
}

/// Where each of some joints stands in a list that has all of them, in the same order.
std::vector<JointIndex> places_in(const std::vector<joint::Joint>& all,
                                  const std::vector<joint::Joint>& some) {
  std::vector<JointIndex> places;
  auto place = all.begin();
  for (const joint::Joint& one : some) {
    while (place->name != one.name) ++place;
    places.push_back(static_cast<JointIndex>(place - all.begin()));
  }
  return places;
}

loop::RunOptions loop_options(int threads, const std::atomic<bool>& interrupt) {
  loop::RunOptions options;
  options.threads = threads;
  options.interrupt = &interrupt;
  return options;
}

}  // namespace

LiveWorld::LiveWorld(model::Model model, int threads, const std::atomic<bool>& interrupt)
    : scene_(prepared(std::move(model))),
      options_(loop_options(threads, interrupt)),
      playback_(scene_) {
  restart();
}
LiveWorld::~LiveWorld() = default;

record::Playback LiveWorld::beginning_of(const model::Model& model) {
  const model::Model scene = prepared(model);
  return record::LivePlayback(scene).beginning();
}

void LiveWorld::restart() {
  grip_.reset();
  started_ = time_ = 0;
  continues_ = false;
  events_ = 0;
  told_ = carried_ = {};
  has_spring_ = false;
  playback_.take();
  go_on_with(scene_);
}

void LiveWorld::set(const SetCommand& command) {
  parameters_ = command;
  intervene();
}

bool LiveWorld::grab(const GrabCommand& command) {
  const auto body = static_cast<std::size_t>(command.body);
  if (body >= scene_.bodies.size() || !scene_.bodies[body].is_dynamic()) return false;
  grip_ = command;
  intervene();
  return true;
}

void LiveWorld::release() {
  if (!grip_) return;
  grip_.reset();
  intervene();
}

model::Model LiveWorld::without_spring(model::Model model) const {
  if (has_spring_) model.forces.resize(model.forces.size() - grip_forces);
  return model;
}

void LiveWorld::intervene() {
  // Before its first frame a run has no state; what it began with is the present.
  const bool has_begun = !is_first_frame_;
  model::Model next = without_spring(has_begun ? loop_->continued() : *model_);
  next.duration = no_end;
  if (has_begun) {
    started_ = time_;
    continues_ = true;
  }
  go_on_with(std::move(next));
}

// The loop refers to its model, and this to both.
void LiveWorld::go_on_with(model::Model model) {
  model.gravity = parameters_.gravity.value_or(scene_.gravity);
  model.materials = scene_.materials;
  model.contacts = scene_.contacts;
  if (parameters_.friction)
    model::set_friction(model, {*parameters_.friction, *parameters_.friction});
  if (parameters_.restitution) model::set_restitution(model, *parameters_.restitution);
  has_spring_ = grip_.has_value();
  if (grip_) add_spring(model, *grip_);
  failure_.clear();
  is_first_frame_ = true;
  loop_.reset();
  model_ = std::make_unique<const model::Model>(std::move(model));
  joint_of_ = places_in(scene_.joints, model_->joints);
  loop_ = std::make_unique<loop::EventLoop>(*model_, static_cast<record::Sink&>(*this), options_);
}

bool LiveWorld::advance() {
  if (!failure_.empty()) return false;
  try {
    // An end that comes of itself is an interruption: a live run has no other.
    return loop_->advance();
  } catch (const SimulationError& error) {
    failure_ = error.what();
  }
  return false;
}

void LiveWorld::begin(const model::Model& /*model*/) {}
void LiveWorld::end(const record::Summary& /*summary*/) {}

// Joints count as in the scene, from which broken ones may be missing here. An intervention changes
// energies at an instant: that is booked as work, so that the balance goes on.
void LiveWorld::frame(const record::Frame& frame) {
  record::Frame told = frame;
  told.time += started_;
  // Nodes of sheets that are held are numbered after the joints.
  const auto joints = static_cast<JointIndex>(joint_of_.size());
  for (JointState& state : told.joints)
    state.joint = state.joint < joints
                      ? joint_of_[static_cast<std::size_t>(state.joint)]
                      : state.joint - joints + static_cast<JointIndex>(scene_.joints.size());
  if (is_first_frame_ && continues_) {
    carried_.dissipated = told_.dissipated;
    carried_.work = told_.work + frame.energy.mechanical() - told_.mechanical();
  }
  is_first_frame_ = false;
  told.energy.dissipated += carried_.dissipated;
  told.energy.work += carried_.work;
  told_ = told.energy;
  time_ = told.time;
  playback_.add(told);
}

void LiveWorld::event(const Event& event) {
  // What touched before an intervention touches after it too: that is no news.
  if (continues_ && event.time == 0 && event.kind == EventKind::touch) return;
  Event told = event;
  told.time += started_;
  ++events_;
  playback_.add(told);
}

}  // namespace abut::server
