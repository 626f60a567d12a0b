#include "verify/applied_forces.h"

#include <cmath>

#include "base/overloaded.h"
#include "flexible/material_frame.h"
#include "verify/joint_place.h"

namespace abut::verify {
namespace {

struct CarriedPoint {
  Vec3 position = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  Vec3 arm = Vec3::Zero();  ///< from the centre of mass
};

CarriedPoint locate(const model::Model& model, const model::Anchor& anchor,
                    const record::Frame& frame) {
  CarriedPoint point;
  if (anchor.body == world) {
    point.position = anchor.point;
    return point;
  }
  const auto i = static_cast<std::size_t>(anchor.body);
  const BodyState& s = frame.bodies[i];
  if (bends_in(frame, i)) {
    const auto weights = flexible::weights_at(*model.bodies[i].bending->body, anchor.point);
    point.position = flexible::combined(weights, frame.bending[i].columns);
    point.velocity = flexible::combined(weights, frame.bending[i].rates);
    point.arm = point.position - s.centre_of_mass;
    return point;
  }
  point.position = s.position + s.orientation.normalized() * anchor.point;
  point.arm = point.position - s.centre_of_mass;
  point.velocity = s.velocity + s.angular_velocity.cross(point.arm);
  return point;
}

/// What rounding of the places of its ends may do to the force of a spring (dimensionless).
constexpr double force_rounding = 16 * 2.220446049250313e-16;

bool is_dynamic(const model::Model& model, BodyIndex body) {
  return body != world && model.bodies[static_cast<std::size_t>(body)].is_dynamic();
}

class Loads {
 public:
  Loads(const model::Model& model, const record::Frame& frame)
      : model_(model), frame_(frame), loads_(model.bodies.size()) {}

  std::vector<Load> all() {
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      loads_[i].add(model_.bodies[i].mass.mass * model_.gravity, Vec3::Zero());
    }
    for (const model::Force& force : model_.forces) {
      std::visit([this](const auto& law) { add(law); }, force);
    }
    return std::move(loads_);
  }

 private:
  void add(const model::Spring& spring) {
    const CarriedPoint a = locate(model_, spring.ends[0], frame_),
                       b = locate(model_, spring.ends[1], frame_);
    const Vec3 between = b.position - a.position;
    const double length = between.norm();
    if (length == 0) return;  // no direction to pull in
    const Vec3 along = between / length;
    const double rate = along.dot(b.velocity - a.velocity);
    const double pull = spring.stiffness * (length - spring.length) + spring.damping * rate;
    put(spring.ends[0].body, pull * along, a.arm);
    put(spring.ends[1].body, -pull * along, b.arm);
    // Of the terms that cancel where a spring has its length.
    const double lengths = a.position.norm() + b.position.norm() + spring.length;
    const double rounding =
        force_rounding *
        (spring.stiffness * lengths + spring.damping * (a.velocity.norm() + b.velocity.norm()));
    for (const model::Anchor& end : spring.ends)
      if (end.body != world) loads_[static_cast<std::size_t>(end.body)].rounding += rounding;
  }
  void add(const model::Drag& drag) {
    const BodyState& s = frame_.bodies[static_cast<std::size_t>(drag.body)];
    const Vec3 u = s.velocity - drag.wind;
    put(drag.body, -(drag.linear + drag.quadratic * u.norm()) * u, Vec3::Zero(),
        -drag.angular * s.angular_velocity);
  }
  void add(const model::ConstantForce& constant) {
    put(constant.at.body, constant.force, locate(model_, constant.at, frame_).arm, constant.torque);
  }
  void add(const model::Impulse&) {}

  void put(BodyIndex body, const Vec3& force, const Vec3& arm, const Vec3& couple = Vec3::Zero()) {
    if (body != world) loads_[static_cast<std::size_t>(body)].add(force, arm, couple);
  }

  const model::Model& model_;
  const record::Frame& frame_;
  std::vector<Load> loads_;
};

}  // namespace

void Load::add(const Vec3& added_force, const Vec3& arm, const Vec3& couple) {
  force += added_force;
  torque += arm.cross(added_force) + couple;
  force_scale += added_force.norm();
  torque_scale += arm.norm() * added_force.norm() + couple.norm();
}

std::vector<Load> applied_loads(const model::Model& model, const record::Frame& frame) {
  return Loads(model, frame).all();
}

Potential potential_energy(const model::Model& model, const record::Frame& frame) {
  Potential sum;
  const auto add = [&sum](const Vec3& force, const Vec3& position) {
    sum.energy -= force.dot(position);
    sum.scale += force.norm() * position.norm();
  };
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const model::Body& body = model.bodies[i];
    if (body.is_dynamic()) add(body.mass.mass * model.gravity, frame.bodies[i].centre_of_mass);
  }
  for (const model::Force& force : model.forces) {
    const auto* constant = std::get_if<model::ConstantForce>(&force);
    if (constant == nullptr || !is_dynamic(model, constant->at.body)) continue;
    add(constant->force, locate(model, constant->at, frame).position);
  }
  return sum;
}

double elastic_energy(const model::Model& model, const record::Frame& frame) {
  double sum = 0;
  for (const model::Force& force : model.forces) {
    const auto* spring = std::get_if<model::Spring>(&force);
    if (spring == nullptr) continue;
    const auto& [a, b] = spring->ends;
    if (!is_dynamic(model, a.body) && !is_dynamic(model, b.body)) continue;
    const Vec3 between = locate(model, b, frame).position - locate(model, a, frame).position;
    const double stretch = between.norm() - spring->length;
    sum += 0.5 * spring->stiffness * stretch * stretch;
  }
  return sum;
}

}  // namespace abut::verify
