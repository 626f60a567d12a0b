#include "loop/books.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/joints.h"
#include "record/state_hash.h"

namespace abut::loop {
namespace {

using record::FrameKind;

// Errors of bodies at rest are compared with their weight, and without it with the momentum they
// would have at the speed that the scene takes for rest.
MomentumScale momentum_scale(const model::Model& model) {
  MomentumScale scale;
  for (const model::Body& body : model.bodies) {
    if (!body.is_dynamic()) continue;
    scale.weight += body.mass.mass * model.gravity.norm();
    scale.resting += body.mass.mass * model.solver.rest_speed;
    scale.size = std::max(scale.size, body.bounding_radius);
  }
  return scale;
}

std::vector<bool> are_dynamic(const model::Model& model) {
  std::vector<bool> dynamic;
  for (const model::Body& body : model.bodies) dynamic.push_back(body.is_dynamic());
  return dynamic;
}

// Dissipation by damping, relative to the energy in motion (dimensionless), that is rounding.
constexpr double nothing_dissipated = 1e-13;

}  // namespace

Books::Books(const model::Model& model)
    : model_(model),
      energy_audit_(record::least_energy(model)),
      momentum_audit_(momentum_scale(model)),
      contacts_(are_dynamic(model)) {}

void Books::take(const record::Frame& frame, const clock::StepClock* steps) {
  note_rounding(frame);
  keep_energy_book(frame, steps);
  record::add_states(hash_, frame);
  ++frames_;
}

void Books::take_momentum(const record::Frame& frame, const integrate::Momentum& momentum,
                          const integrate::Balance& balance) {
  if (!record::books_are_open(frame)) return;
  momentum_audit_.add(frame.time, momentum, balance, record::load_of(model_, frame));
  rubbed_ = balance.rubbed;
}

// A coordinate is told to the distance of the numbers next to it.
void Books::note_rounding(const record::Frame& frame) {
  double farthest = 0;
  for (std::size_t told = 0; told < frame.told_count(); ++told) {
    const std::size_t i = frame.told(told);
    if (model_.bodies[i].is_dynamic())
      farthest = std::max(farthest, frame.bodies[i].centre_of_mass.lpNorm<Eigen::Infinity>());
  }
  farthest_ = std::max(farthest_, farthest);
}

void Books::keep_energy_book(const record::Frame& frame, const clock::StepClock* steps) {
  contacts_.take(frame);
  if (frame.time == 0 && frame.kind != FrameKind::after)
    energy_initial_ = frame.energy.mechanical();
  if (!record::books_are_open(frame)) return;
  energy_audit_.add(frame.energy, record::load_of(model_, frame));
  for (const JointState& joint : frame.joints) note_gap(frame, joint, steps);
  if (frame.is_whole() || frame.kind == FrameKind::after)
    contacts_max_ = std::max(contacts_max_, static_cast<long>(contacts_.count()));
}

// Of joints of the scene; the nodes of sheets that are held come after them.
void Books::note_gap(const record::Frame& frame, const JointState& state,
                     const clock::StepClock* steps) {
  if (state.is_impulse || static_cast<std::size_t>(state.joint) >= model_.joints.size()) return;
  const joint::Joint& joint = model_.joints[state.joint];
  const bool stepped =
      steps != nullptr && (steps->contains(joint.bodies[0]) || steps->contains(joint.bodies[1]));
  const double bend = stepped ? model::gap_within_step(model_, joint, frame.bodies) : 0;
  widest_joint_ = std::max(widest_joint_, (state.gap - bend) / model::size_of_joint(model_, joint));
}

void Books::sum_up(record::Summary& summary) const {
  const Energy& last = energy_audit_.last();
  summary.contacts_max = contacts_max_;
  summary.energy_initial = energy_initial_;
  summary.energy_final = last.mechanical();
  summary.dissipated_by_friction = rubbed_;
  const double damped =
      last.dissipated - summary.dissipated_by_impacts - summary.dissipated_by_friction;
  // What is left of differences of rounded numbers is nothing.
  summary.dissipated_by_damping =
      std::abs(damped) > nothing_dissipated * energy_audit_.scale() ? damped : 0;
  summary.work = last.work;
  summary.energy_error = energy_audit_.relative_error();
  summary.momentum_error = momentum_audit_.relative_error();
  summary.energy_scale = energy_audit_.scale();
  summary.position_rounding =
      std::nextafter(farthest_, std::numeric_limits<double>::infinity()) - farthest_;
  summary.state_hash = hash_.hex();
}

}  // namespace abut::loop
