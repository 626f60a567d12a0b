#include "integrate/spring_scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/limits.h"

namespace abut::integrate {
namespace {

// The depth aimed at, as a fraction of the radius of the smallest dynamic body (dimensionless):
// small enough to pass for touching, large enough to be integrated in reasonable time.
constexpr double depth_fraction = 1e-3;

// Instants at which the speed of scripted bodies is looked at.
constexpr int script_samples = 64;

// Of a point of a dynamic body: that of its centre, and what turning adds.
double first_speed(const model::Body& body) {
  return body.velocity.norm() + body.angular_velocity.norm() * body.bounding_radius;
}

double largest_speed(const model::Model& model, const Scripts& scripts) {
  double dynamic = 0, scripted = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const model::Body& body = model.bodies[i];
    if (body.is_dynamic()) dynamic = std::max(dynamic, first_speed(body));
    if (!scripts[i]) continue;
    const double reach = std::isfinite(body.bounding_radius) ? body.bounding_radius : 0;
    for (int k = 0; k <= script_samples; ++k) {
      const motion::Kinematics now = scripts[i]->kinematics(model.duration * k / script_samples);
      scripted = std::max(scripted, now.velocity.norm() + now.angular_velocity.norm() * reach);
    }
  }
  return dynamic + scripted;
}

// How far the centre of a body is from the surface of a plane that is part of another.
double distance_from_planes(const model::Body& body, const model::Body& other) {
  double farthest = 0;
  for (const shape::Part& part : other.parts) {
    const auto* plane = std::get_if<shape::Plane>(&part.geometry);
    if (plane == nullptr) continue;
    const Pose& pose = other.pose;
    const Vec3 centre = body.pose.position + body.pose.orientation * body.mass.central.position;
    const Vec3 local =
        part.pose.orientation.conjugate() *
        (pose.orientation.conjugate() * (centre - pose.position) - part.pose.position);
    farthest = std::max(farthest, std::abs(plane->normal.dot(local) - plane->offset));
  }
  return farthest;
}

// The size of what is bounded, along gravity, or the distance from a plane if that is more.
double fall_height(const model::Model& model) {
  const Vec3 down = model.gravity.normalized();
  std::vector<const model::Body*> planes;  // a few, of bodies that may be many
  for (const model::Body& body : model.bodies)
    if (!std::isfinite(body.bounding_radius)) planes.push_back(&body);
  double lowest = infinity, highest = -infinity, height = 0;
  for (const model::Body& body : model.bodies) {
    if (std::isfinite(body.bounding_radius)) {
      const Vec3 centre = body.pose.position + body.pose.orientation * body.mass.central.position;
      lowest = std::min(lowest, down.dot(centre) - body.bounding_radius);
      highest = std::max(highest, down.dot(centre) + body.bounding_radius);
    }
    if (!body.is_dynamic()) continue;
    height = std::max(height, body.bounding_radius);
    for (const model::Body* other : planes)
      height = std::max(height, distance_from_planes(body, *other) + body.bounding_radius);
  }
  return std::max(height, highest - lowest);
}

double depth_of(const model::Model& model) {
  if (model.penalty.depth > 0) return model.penalty.depth;
  double smallest = infinity;
  for (const model::Body& body : model.bodies)
    if (body.is_dynamic()) smallest = std::min(smallest, body.bounding_radius);
  return depth_fraction * (smallest < infinity ? smallest : 1);
}

// Of the reduced mass of two bodies, 1/kg.
double inverse_mass(const model::Model& model, BodyIndex a, BodyIndex b) {
  double sum = 0;
  for (const BodyIndex body : {a, b})
    if (body != world && model.bodies[body].is_dynamic()) sum += 1 / model.bodies[body].mass.mass;
  return sum;
}

}  // namespace

double SpringScale::stiffness_of(const model::Model& model, BodyIndex a, BodyIndex b) const {
  return stiffness > 0 ? stiffness : square_frequency / inverse_mass(model, a, b);
}

double SpringScale::rest_speed_of(const model::Model& model, BodyIndex a, BodyIndex b) const {
  const double w = std::sqrt(stiffness_of(model, a, b) * inverse_mass(model, a, b));
  return std::max(model.penalty.creep, model.gravity.norm() / w);
}

SpringScale spring_scale(const model::Model& model, const Scripts& scripts) {
  SpringScale scale;
  scale.stiffness = model.penalty.stiffness;
  scale.depth = depth_of(model);
  const double g = model.gravity.norm();
  double speed = largest_speed(model, scripts);
  if (g > 0) speed += std::min(std::sqrt(2 * g * fall_height(model)), g * model.duration);
  // Where nothing moves and nothing falls, other forces do: at least one depth in the whole run.
  scale.square_frequency = std::max({speed * speed / (scale.depth * scale.depth), g / scale.depth,
                                     1 / (model.duration * model.duration)});
  return scale;
}

}  // namespace abut::integrate
