#include "abut/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/shape_geometry.h"
#include "joint/placement.h"
#include "model/check.h"
#include "model/contact_law.h"
#include "model/joints.h"
#include "model/material.h"
#include "model/model.h"
#include "scene/loader.h"

namespace abut {
namespace {

void require(bool condition, std::string message) {
  if (!condition) throw InputError({}, std::move(message));
}

void throw_if_any(std::vector<std::string> faults) {
  std::vector<Diagnostic> diagnostics;
  diagnostics.reserve(faults.size());
  for (std::string& fault : faults) diagnostics.push_back({Severity::error, {}, std::move(fault)});
  if (!diagnostics.empty()) throw InputError(std::move(diagnostics));
}

bool is_direction(const Vec3& v) {
  return v.allFinite() && !v.isZero(0);
}

joint::Placement placement_of(const JointDescription& description, const joint::Joint& joint,
                              const model::Model& model) {
  const std::string who = fmt::format("joint {}: ", joint.name);
  joint::Placement placement;
  std::vector<Vec3> given;
  require(!description.at2 || joint.type == JointType::distance,
          who + "only a distance joint has a second point");
  require(!description.at2 || description.at, who + "the second point is given, but not the first");
  for (const auto& point : {description.at, description.at2})
    if (point) given.push_back(*point);
  const auto anchors = model::joint_anchors(model, joint, given);
  require(anchors.has_value(), who + "the world has no position; say where the joint is");
  placement.points = *anchors;
  if (joint::has_axis(joint.type)) {
    require(description.axis && is_direction(*description.axis),
            fmt::format("{}a {} joint needs an axis that is not zero", who, to_string(joint.type)));
    placement.axis = *description.axis;
  }
  if (joint.type == JointType::universal && description.axis2) {
    placement.axis2 = description.axis2;
    require(is_direction(*placement.axis2) &&
                joint::nearly_perpendicular(placement.axis, *placement.axis2),
            who + "the second axis must be perpendicular to the first");
  }
  return placement;
}

}  // namespace

Model::Model() : model_(std::make_unique<model::Model>()) {
  model_->materials.emplace_back();  // of all bodies that are added
}
Model::~Model() = default;
Model::Model(const Model& other)
    : model_(std::make_unique<model::Model>(*other.model_)), warnings_(other.warnings_) {}
Model& Model::operator=(const Model& other) {
  return *this = Model(other);
}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

Model Model::from_file(const std::string& path, const std::vector<std::string>& overrides) {
  scene::LoadedScene loaded = scene::load_scene_file(path, overrides);
  Model model;
  *model.model_ = std::move(loaded.model);
  model.warnings_ = std::move(loaded.warnings);
  return model;
}

Model Model::from_text(std::string_view text, const std::string& file_name) {
  scene::LoadedScene loaded = scene::load_scene_text(text, file_name);
  Model model;
  *model.model_ = std::move(loaded.model);
  model.warnings_ = std::move(loaded.warnings);
  return model;
}

void Model::set_name(const std::string& name) {
  model_->name = name;
}

void Model::set_gravity(const Vec3& gravity) {
  require(gravity.allFinite(), "gravity is not finite");
  model_->gravity = gravity;
}

void Model::set_duration(double seconds) {
  model_->duration = seconds;
}
void Model::set_record_rate(double samples_per_second) {
  model_->record.rate = samples_per_second;
}
void Model::set_tolerance(double tolerance) {
  model_->solver.tolerance = tolerance;
}

void Model::set_friction(double static_coefficient, double dynamic_coefficient) {
  require(std::isfinite(static_coefficient) && dynamic_coefficient >= 0 &&
              dynamic_coefficient <= static_coefficient,
          fmt::format("the coefficients of friction are {} and {}, but must not be negative, and "
                      "the dynamic one not above the static one",
                      static_coefficient, dynamic_coefficient));
  model::set_friction(*model_, {static_coefficient, dynamic_coefficient});
}

void Model::set_restitution(double coefficient) {
  require(coefficient >= 0 && coefficient <= 1,
          fmt::format("restitution is {}, but must lie between 0 and 1", coefficient));
  model::set_restitution(*model_, coefficient);
}

BodyIndex Model::add_body(const BodyDescription& description) {
  model::Body body;
  body.name = description.name;
  body.pose = {description.pose.position, description.pose.orientation.normalized()};
  body.velocity = description.velocity;
  body.angular_velocity = description.angular_velocity;
  if (description.motion == Motion::fixed) body.motion = model::Fixed{};
  bool bounded = true;
  for (const Part& part : description.parts) {
    const shape::Geometry& geometry = part.shape.geometry().value;
    require(part.density > 0 && std::isfinite(part.density),
            fmt::format("body {}: a density is {}, but must be positive", body.name, part.density));
    bounded = bounded && !shape::is_unbounded(geometry);
    body.parts.push_back(
        {geometry, {part.pose.position, part.pose.orientation.normalized()}, part.density, 0});
  }
  if (bounded && !body.parts.empty()) {
    shape::Moments moments = shape::moments_of(body.parts);
    if (description.mass) moments = shape::scaled_to_mass(moments, *description.mass);
    body.mass = body::mass_from(moments);
  }
  body.bounding_radius = shape::bounding_radius(body.parts, body.mass.central.position);

  throw_if_any(model::faults_of(body));
  model_->bodies.push_back(std::move(body));
  return body_count() - 1;
}

JointIndex Model::add_joint(const JointDescription& description) {
  joint::Joint joint;
  joint.name = description.name.empty() ? model::default_joint_name(model_->joints.size())
                                        : description.name;
  joint.type = description.type;
  joint.bodies = description.bodies;
  for (const BodyIndex body : joint.bodies) require_body(body);
  joint.limits = description.limits;
  joint.motor = description.motor;
  joint.break_force = description.break_force;
  joint.break_torque = description.break_torque;
  joint.collide = description.collide;
  const joint::Placement placement = placement_of(description, joint, *model_);
  place(joint, placement,
        {model::motion_frame_at_start(*model_, joint.bodies[0], placement.points[0]),
         model::motion_frame_at_start(*model_, joint.bodies[1], placement.points[1])});
  throw_if_any(model::faults_of(joint, *model_));
  model_->joints.push_back(std::move(joint));
  return joint_count() - 1;
}

void Model::require_body(BodyIndex body) const {
  require(body >= world && body < body_count(),
          fmt::format("there is no body {}; the model has {}", body, body_count()));
}

Vec3 Model::carried(BodyIndex body, const Vec3& at) const {
  require_body(body);
  require(at.allFinite(), "the point where a force acts is not finite");
  return body == world ? at : model::material_point_at_start(model_->bodies[body], at);
}

void Model::add_spring(BodyIndex a, const Vec3& at_a, BodyIndex b, const Vec3& at_b, double length,
                       double stiffness, double damping) {
  require(
      length >= 0 && stiffness >= 0 && damping >= 0 && std::isfinite(length + stiffness + damping),
      fmt::format("a spring has length {}, stiffness {} and damping {}, but none may be negative",
                  length, stiffness, damping));
  model_->forces.emplace_back(
      model::Spring{{model::Anchor{a, carried(a, at_a)}, model::Anchor{b, carried(b, at_b)}},
                    length,
                    stiffness,
                    damping});
}

void Model::add_drag(BodyIndex body, double linear, double quadratic, double angular,
                     const Vec3& wind) {
  require_body(body);
  require(linear >= 0 && quadratic >= 0 && angular >= 0 &&
              std::isfinite(linear + quadratic + angular) && wind.allFinite(),
          fmt::format("drag has the coefficients {}, {} and {}, but none may be negative", linear,
                      quadratic, angular));
  model_->forces.emplace_back(model::Drag{body, linear, quadratic, angular, wind});
}

void Model::add_force(BodyIndex body, const Vec3& force, const Vec3& at, const Vec3& torque) {
  require(force.allFinite() && torque.allFinite(), "a force or torque is not finite");
  model_->forces.emplace_back(
      model::ConstantForce{model::Anchor{body, carried(body, at)}, force, torque});
}

void Model::add_impulse(BodyIndex body, double time, const Vec3& impulse, const Vec3& at) {
  require_body(body);
  require(time >= 0 && std::isfinite(time) && impulse.allFinite() && at.allFinite(),
          "an impulse needs a time that is not negative, and finite vectors");
  model_->forces.emplace_back(model::Impulse{body, time, impulse, false, at});
}

int Model::body_count() const {
  return static_cast<int>(model_->bodies.size());
}

const std::string& Model::body_name(BodyIndex body) const {
  require(body >= 0 && body < body_count(), fmt::format("there is no body {}", body));
  return model_->bodies[body].name;
}

BodyIndex Model::body(std::string_view name) const {
  const auto& bodies = model_->bodies;
  const auto found = std::find_if(bodies.begin(), bodies.end(),
                                  [name](const model::Body& body) { return body.name == name; });
  require(found != bodies.end(), fmt::format("there is no body named {}", name));
  return static_cast<BodyIndex>(found - bodies.begin());
}

MassProperties Model::mass(BodyIndex body) const {
  require(body >= 0 && body < body_count(), fmt::format("there is no body {}", body));
  const body::Mass& mass = model_->bodies[body].mass;
  return {mass.volume, mass.mass, mass.central.position, mass.inertia};
}

int Model::joint_count() const {
  return static_cast<int>(model_->joints.size());
}

const std::string& Model::joint_name(JointIndex joint) const {
  require(joint >= 0 && joint < joint_count(), fmt::format("there is no joint {}", joint));
  return model_->joints[joint].name;
}

JointIndex Model::joint(std::string_view name) const {
  const auto& joints = model_->joints;
  const auto found = std::find_if(joints.begin(), joints.end(),
                                  [name](const joint::Joint& joint) { return joint.name == name; });
  require(found != joints.end(), fmt::format("there is no joint named {}", name));
  return static_cast<JointIndex>(found - joints.begin());
}

const std::vector<Diagnostic>& Model::warnings() const {
  return warnings_;
}

}  // namespace abut
