#include "record/energy_audit.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"

namespace abut::record {
namespace {

// Of the smaller body, if both are dynamic.
double size_of(const model::Model& model, BodyIndex a, BodyIndex b) {
  double size = infinity;
  for (const BodyIndex body : {a, b})
    if (body != world && model.bodies[body].is_dynamic())
      size = std::min(size, model.bodies[body].bounding_radius);
  return size;
}

}  // namespace

Load load_of(const model::Model& model, const Frame& frame) {
  Load load;
  const auto exists = [&model](BodyIndex body) {
    return body >= world && body < static_cast<BodyIndex>(model.bodies.size());
  };
  const auto add = [&](double force, BodyIndex a, BodyIndex b) {
    if (!exists(a) || !exists(b)) return;
    load.force += force;
    load.work += force * size_of(model, a, b);
  };
  for (const ContactState& contact : frame.contacts)
    add(std::hypot(contact.normal_force, contact.friction_force.norm()), contact.body_a,
        contact.body_b);
  for (const JointState& state : frame.joints) {
    const bool is_known =
        state.joint >= 0 && state.joint < static_cast<JointIndex>(model.joints.size());
    if (state.is_impulse || !is_known) continue;
    const auto& [a, b] = model.joints[state.joint].bodies;
    add(state.force.norm(), a, b);
  }
  return load;
}

double least_energy(const model::Model& model) {
  double energy = 0;
  for (const model::Body& body : model.bodies)
    if (body.is_dynamic())
      energy += body.mass.mass * (model.gravity.norm() * body.bounding_radius +
                                  0.5 * model.solver.rest_speed * model.solver.rest_speed);
  return energy;
}

void EnergyAudit::add(const Energy& energy, const Load& load) {
  if (!started_) first_ = last_ = energy;
  started_ = true;
  returned_ = std::max(returned_, last_.dissipated - energy.dissipated);
  last_ = energy;
  const double off = std::abs(energy.balance() - first_.balance());
  worst_ = std::isfinite(off) ? std::max(worst_, off) : infinity;
  in_motion_ = std::max(in_motion_, energy.kinetic + energy.elastic +
                                        std::abs(energy.potential - first_.potential) +
                                        std::abs(energy.dissipated) + std::abs(energy.work));
  scale_ = std::max({scale_, load_fraction * load.work, in_motion_});
}

double EnergyAudit::relative_error() const {
  if (worst_ == infinity) return infinity;
  return scale_ > 0 ? worst_ / scale_ : worst_;
}

double EnergyAudit::relative_return() const {
  return scale_ > 0 ? returned_ / scale_ : returned_;
}

double EnergyAudit::relative_motion() const {
  return scale_ > 0 ? in_motion_ / scale_ : 0;
}

}  // namespace abut::record
