#include "verify/energy_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/applied_forces.h"
#include "verify/sound_state.h"

namespace abut::verify {
namespace {

// What opening gaps may take, in terms of the forces afterwards (dimensionless).
constexpr double opening_margin = 2;

/// How far a recorded energy may be from the one that the recorded states give, relative to the
/// terms it is a sum of (dimensionless): rounding, amplified by inertias of very different size.
constexpr double recomputation_tolerance = 1e-10;

/// (m v^2 + omega . I omega) / 2, with I turned into world axes.
double kinetic_energy(const record::RecordedBody& body, const BodyState& state) {
  const Mat3 rotation = state.orientation.normalized().toRotationMatrix();
  const Vec3 omega = rotation.transpose() * state.angular_velocity;
  return 0.5 * (body.mass * state.velocity.squaredNorm() + omega.dot(body.inertia * omega));
}

bool is_driven(const model::Body& body) {
  return body.script() != nullptr;
}

bool has_motor(const joint::Joint& joint) {
  return joint.motor.has_value();
}

/// Impulses, torques, and wind; what else pulls has an energy of its own.
bool does_work(const model::Force& force) {
  if (const auto* constant = std::get_if<model::ConstantForce>(&force))
    return !constant->torque.isZero();
  if (const auto* drag = std::get_if<model::Drag>(&force)) return !drag->wind.isZero();
  return std::holds_alternative<model::Impulse>(force);
}

}  // namespace

EnergyCheck::EnergyCheck(const std::vector<record::RecordedBody>& bodies, const model::Model* model,
                         double tolerance, double step_allowance)
    : Check("energy"),
      bodies_(bodies),
      model_(model),
      tolerance_(tolerance),
      step_allowance_(step_allowance),
      audit_(model != nullptr ? record::least_energy(*model) : 0) {
  if (model == nullptr) return;
  work_is_done_ = std::any_of(model->bodies.begin(), model->bodies.end(), is_driven) ||
                  std::any_of(model->joints.begin(), model->joints.end(), has_motor) ||
                  std::any_of(model->forces.begin(), model->forces.end(), does_work);
}

void EnergyCheck::frame(const record::Frame& frame) {
  const Energy& e = frame.energy;
  if (!std::isfinite(e.balance())) {
    fault(frame.time, "an energy is not finite");
    return;
  }
  if (are_sound(frame)) compare_columns(frame);
  if (record::books_are_open(frame)) check_book(frame);
}

EnergyCheck::Columns EnergyCheck::columns_of(const record::Frame& frame) const {
  const std::vector<BodyState>& states = frame.bodies;
  Columns columns;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (bodies_[i].motion == record::RecordedMotion::dynamic && bodies_[i].columns == 0)
      columns.kinetic += kinetic_energy(bodies_[i], states[i]);
  if (model_ == nullptr) return columns;
  const Potential potential = potential_energy(*model_, frame);
  columns.potential = potential.energy;
  columns.potential_scale = potential.scale;
  columns.elastic = elastic_energy(*model_, frame);
  for (std::size_t i = 0; i < frame.bending.size(); ++i) {
    if (!model_->bodies[i].bends()) continue;
    const flexible::BendingBody& body = *model_->bodies[i].bending->body;
    columns.kinetic += body.mass.kinetic_energy(frame.bending[i].rates);
    columns.elastic += body.elasticity->energy(frame.bending[i].columns);
  }
  return columns;
}

/// A frame that does not tell of all bodies shows only what an event changed: of the others the
/// same is missing before and after it, a difference as exact as what it is taken of.
void EnergyCheck::compare_columns(const record::Frame& frame) {
  Columns now = columns_of(frame);
  const Energy& told = frame.energy;
  if (!frame.is_whole() && frame.kind == record::FrameKind::before) {
    rest_ = {told.kinetic - now.kinetic, told.kinetic + now.kinetic, told.potential - now.potential,
             std::abs(told.potential) + now.potential_scale, told.elastic - now.elastic};
    return;
  }
  now.kinetic_scale = now.kinetic;
  if (!frame.is_whole()) {
    now.kinetic += rest_.kinetic;
    now.kinetic_scale += rest_.kinetic_scale;
    now.potential += rest_.potential;
    now.potential_scale += rest_.potential_scale;
    now.elastic += rest_.elastic;
  }
  compare(frame.time, "kinetic", told.kinetic, now.kinetic, now.kinetic_scale);
  if (model_ == nullptr) return;
  compare(frame.time, "potential", told.potential, now.potential, now.potential_scale);
  if (model_->solver.contact == model::ContactModel::penalty)
    return compare_springs(frame, frame.is_whole() ? now.elastic : 0);
  compare(frame.time, "elastic", told.elastic, now.elastic, now.elastic + told.kinetic);
}

/// A spring of stiffness k at depth d holds k d^2 / 2 and pushes with at most k d, less while its
/// bodies recede: so the springs of contacts hold at least the sum of force times depth / 2.
void EnergyCheck::compare_springs(const record::Frame& frame, double elastic) {
  if (frame.kind == record::FrameKind::before) return;
  double least = elastic;
  for (const ContactState& contact : frame.contacts)
    least += 0.5 * contact.normal_force * std::max(0.0, -contact.gap);
  if (frame.energy.elastic >= least - recomputation_tolerance * (least + frame.energy.kinetic))
    return;
  fault(frame.time,
        fmt::format("the elastic energy is recorded as {:.9g} J, but the springs of contacts need "
                    "{:.9g} J for their forces",
                    frame.energy.elastic, least));
}

void EnergyCheck::compare(double time, const char* column, double recorded, double recomputed,
                          double scale) {
  const double error = std::abs(recorded - recomputed);
  if (scale > 0) worst_recomputed_ = std::max(worst_recomputed_, error / scale);
  if (error <= recomputation_tolerance * scale) return;
  fault(time, fmt::format("the {} energy is recorded as {:.9g} J, but the states give {:.9g} J",
                          column, recorded, recomputed));
}

/// Steps keep larger gaps than events. What it takes to open all gaps of a frame against its forces
/// is, by the principle of virtual work, the sum of force times gap, J, and of bodies that
/// accelerate, by d'Alembert's, of their inertial forces too; while they open forces are others.
double EnergyCheck::opened_gaps(const record::Frame& frame) const {
  if (!(step_allowance_ > 0)) return 0;
  double sum = 0;
  for (const ContactState& contact : frame.contacts) {
    double force = contact.normal_force;
    for (const BodyIndex body : {contact.body_a, contact.body_b})
      force += inertial_force(frame, body);
    sum += force * std::max(0.0, contact.gap);
  }
  return opening_margin * sum;
}

double EnergyCheck::inertial_force(const record::Frame& frame, BodyIndex body) const {
  const auto i = static_cast<std::size_t>(body);
  if (body < 0 || i >= bodies_.size() || bodies_[i].motion != record::RecordedMotion::dynamic)
    return 0;
  return bodies_[i].mass * frame.bodies[i].acceleration.norm();
}

void EnergyCheck::check_book(const record::Frame& frame) {
  const Energy& e = frame.energy;
  const double time = frame.time;
  if (!last_) last_ = e;
  audit_.add(e, model_ != nullptr ? record::load_of(*model_, frame) : record::Load{});
  const double allowed = tolerance_ * audit_.scale() + step_allowance_;
  const double imbalance = e.balance() - audit_.first().balance();
  if (!(std::abs(imbalance) <= allowed)) {
    fault(time,
          fmt::format("the energy book is off by {:.3g} J of {:.3g} J", imbalance, audit_.scale()));
  }
  const double gained = (e.mechanical() - e.work) - (last_->mechanical() - last_->work);
  if (gained > allowed) {
    fault(time, fmt::format("{:.3g} J of mechanical energy come from nowhere", gained));
  }
  const double recovered = last_->dissipated - e.dissipated;
  if (recovered > allowed) {
    fault(time, fmt::format("{:.3g} J of dissipated energy come back", recovered));
  }
  const double done = e.work - last_->work, opened = opened_gaps(frame);
  if (!work_is_done_ && std::abs(done) > allowed + opened + last_opened_) {
    fault(time, fmt::format("{:.3g} J of work are done, but nothing in the scene does any", done));
  }
  last_ = e;
  last_opened_ = opened;
}

std::string EnergyCheck::measured() const {
  return fmt::format(
      "error {:.2g} of {:.2g} J in motion or exchanged ({:.0e} allowed); columns off "
      "the states by {:.2g} (relative)",
      audit_.relative_error(), audit_.scale(), tolerance_, worst_recomputed_);
}

}  // namespace abut::verify
