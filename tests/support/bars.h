#pragma once
// Bars and hinges in the plane y = 0, of which mechanisms are made.

#include <cmath>
#include <string>
#include <utility>

#include "joint/placement.h"
#include "support/models.h"

namespace abut::test {

constexpr double bar_thickness = 0.05;

/// A bar from one point to another: a box whose x axis points there.
inline model::Body bar(std::string name, const Vec3& from, const Vec3& to, double mass) {
  const double length = (to - from).norm();
  model::Body body = body_of(shape::Box{Vec3(length, bar_thickness, bar_thickness)},
                             mass / (length * bar_thickness * bar_thickness));
  body.name = std::move(name);
  body.pose.position = 0.5 * (from + to);
  const Vec3 along = (to - from) / length;
  body.pose.orientation = Quat(Eigen::AngleAxisd(std::atan2(-along.z(), along.x()), Vec3::UnitY()));
  return body;
}

/// Of a bar about an axis through its middle, across it.
inline double bar_moment(double mass, double length) {
  return mass * (length * length + bar_thickness * bar_thickness) / 12;
}

/// Turning about a point that it holds still there, at `rate` about y.
inline void turn_about(model::Body& body, const Vec3& point, double rate) {
  body.angular_velocity = Vec3(0, rate, 0);
  body.velocity = body.angular_velocity.cross(body.pose.position - point);
}

inline void join(model::Model& model, JointType type, BodyIndex a, BodyIndex b, const Vec3& at,
                 const Vec3& axis = Vec3::UnitY()) {
  joint::Joint joint;
  joint.name = "joint " + std::to_string(model.joints.size());
  joint.type = type;
  joint.bodies = {a, b};
  const auto frame = [&](BodyIndex body) {
    if (body == world) return Pose{};
    const model::Body& of = model.bodies[body];
    return of.is_dynamic() ? body::central_from_body(of.mass, of.pose) : of.pose;
  };
  joint::place(joint, {{at, at}, axis, {}}, {frame(a), frame(b)});
  model.joints.push_back(joint);
}

}  // namespace abut::test
