#include "verify/energy_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/applied_forces.h"
#include "verify/sound_state.h"

namespace abut::verify {
namespace {

/// How far a recorded energy may be from the one that the recorded states give, relative to the
/// terms it is a sum of (dimensionless): rounding, amplified by inertias of very different size.
constexpr double recomputation_tolerance = 1e-10;

/// (m v^2 + omega . I omega) / 2, with I turned into world axes.
double kinetic_energy(const record::RecordedBody& body, const BodyState& state) {
  const Mat3 rotation = state.orientation.normalized().toRotationMatrix();
  const Vec3 omega = rotation.transpose() * state.angular_velocity;
  return 0.5 * (body.mass * state.velocity.squaredNorm() + omega.dot(body.inertia * omega));
}

}  // namespace

EnergyCheck::EnergyCheck(const std::vector<record::RecordedBody>& bodies, const model::Model* model,
                         double tolerance, double step_allowance)
    : Check("energy"),
      bodies_(bodies),
      model_(model),
      tolerance_(tolerance),
      step_allowance_(step_allowance) {
  if (model == nullptr) return;
  double weight = 0, height = 0;
  for (const model::Body& body : model->bodies) {
    if (!body.is_dynamic()) continue;
    weight += body.mass.mass * model->gravity.norm();
    height += model->solver.contact_distance;
  }
  contact_energy_ = weight * height;
}

void EnergyCheck::frame(const record::Frame& frame) {
  const Energy& e = frame.energy;
  if (!std::isfinite(e.balance())) {
    fault(frame.time, "an energy is not finite");
    return;
  }
  if (std::all_of(frame.bodies.begin(), frame.bodies.end(), is_sound)) compare_columns(frame);
  check_book(frame.time, e);
  last_ = e;
}

void EnergyCheck::compare_columns(const record::Frame& frame) {
  double kinetic = 0;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    if (bodies_[i].motion != record::RecordedMotion::dynamic) continue;
    kinetic += kinetic_energy(bodies_[i], frame.bodies[i]);
  }
  compare(frame.time, "kinetic", frame.energy.kinetic, kinetic, kinetic);
  if (model_ == nullptr) return;
  const Potential potential = potential_energy(*model_, frame.bodies);
  compare(frame.time, "potential", frame.energy.potential, potential.energy, potential.scale);
  const double elastic = elastic_energy(*model_, frame.bodies);
  if (model_->solver.contact == model::ContactModel::penalty)
    return compare_springs(frame, elastic);
  compare(frame.time, "elastic", frame.energy.elastic, elastic, elastic + frame.energy.kinetic);
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

void EnergyCheck::check_book(double time, const Energy& e) {
  if (!first_) first_ = last_ = e;
  scale_ = std::max(scale_, e.kinetic + e.elastic + std::abs(e.potential - first_->potential) +
                                std::abs(e.dissipated) + std::abs(e.work));
  // Where bodies rest, nothing else sets a scale.
  const double allowed = tolerance_ * scale_ + contact_energy_ + step_allowance_;
  const double imbalance = e.balance() - first_->balance();
  worst_balance_ = std::max(worst_balance_, std::abs(imbalance));
  if (std::abs(imbalance) > allowed) {
    fault(time, fmt::format("the energy book is off by {:.3g} J of {:.3g} J", imbalance, scale_));
  }
  const double gained = (e.mechanical() - e.work) - (last_->mechanical() - last_->work);
  if (gained > allowed) {
    fault(time, fmt::format("{:.3g} J of mechanical energy come from nowhere", gained));
  }
  const double recovered = last_->dissipated - e.dissipated;
  if (recovered > allowed) {
    fault(time, fmt::format("{:.3g} J of dissipated energy come back", recovered));
  }
}

std::string EnergyCheck::measured() const {
  return fmt::format(
      "book off by {:.2g} J of {:.2g} J exchanged ({:.0e} of it allowed); columns off "
      "the states by {:.2g} (relative)",
      worst_balance_, scale_, tolerance_, worst_recomputed_);
}

}  // namespace abut::verify
