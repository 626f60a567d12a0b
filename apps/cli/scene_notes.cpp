#include "scene_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "joint/rows.h"
#include "model/joints.h"
#include "model/material.h"
#include "model/promises.h"

namespace abut::cli {
namespace {

/// Rates at which a joint's bodies part, relative to their speeds there (dimensionless), from which
/// on the velocities do not fit it: more than numbers written by hand are off by is meant.
constexpr double fitting_rate = 1e-6;

bool has_friction(const model::Model& model) {
  return std::any_of(model.materials.begin(), model.materials.end(),
                     [](const model::Material& m) { return m.friction.static_coefficient > 0; }) ||
         std::any_of(model.contacts.begin(), model.contacts.end(),
                     [](const model::ContactOverride& c) {
                       return c.friction && c.friction->static_coefficient > 0;
                     });
}

/// Whether there are two bodies that can touch.
bool can_have_contacts(const model::Model& model) {
  const auto dynamic = std::count_if(model.bodies.begin(), model.bodies.end(),
                                     [](const model::Body& body) { return body.is_dynamic(); });
  const auto count = static_cast<std::size_t>(model.bodies.size());
  const std::size_t pairs = count * (count - 1) / 2;
  return dynamic > 0 && count > 1 && pairs > model::pairs_without_contact(model).size();
}

/// How fast a joint would open if nothing held it: m/s and rad/s together, for a remark is enough.
void note_joint(const model::Model& model, const joint::Joint& joint,
                std::vector<std::string>& notes) {
  for (const BodyIndex body : joint.bodies) {
    // Scripts have velocities of their own.
    if (body != world && model.bodies[static_cast<std::size_t>(body)].script() != nullptr) return;
  }
  const auto motions = model::joint_motions_at_start(model, joint);
  const body::RigidMotion &a = motions[0], &b = motions[1];
  std::vector<body::ConstraintRow> rows;
  joint::add_equality_rows(joint, a, b, rows);
  double rate = 0, scale = 0;
  for (const body::ConstraintRow& row : rows) {
    rate = std::max(rate, std::abs(row.rate));
    for (const auto& [motion, side] : {std::pair(&a, row.sides[0]), std::pair(&b, row.sides[1])})
      scale = std::max(scale, side.linear.norm() * motion->velocity.norm() +
                                  side.angular.norm() * motion->angular_velocity.norm());
  }
  if (!(rate > fitting_rate * scale)) return;
  notes.push_back(
      fmt::format("the starting velocities do not fit joint {}, whose bodies part at {:.3g} m/s or "
                  "rad/s; an impulse of the joint changes them at time 0",
                  joint.name, rate));
}

/// Where rounding of positions is larger than what counts as touching, or than is promised.
void note_distance(const model::Model& model, const model::Body& body,
                   std::vector<std::string>& notes) {
  const double farthest = body.pose.position.cwiseAbs().maxCoeff();
  const double lost = std::nextafter(farthest, infinity) - farthest;
  const double promised = model::promised_position * body.bounding_radius;
  if (!body.is_dynamic() || lost <= std::min(model.solver.contact_distance, promised)) return;
  notes.push_back(
      fmt::format("body {} is {:.3g} m from the origin, where positions are multiples of {:.2g} m: "
                  "smaller motions and gaps are lost; move the scene nearer to the origin",
                  body.name, body.pose.position.norm(), lost));
}

/// Of solids none of whose vibrations lasts as long as a step.
void note_stiffness(const model::Model& model, const model::Body& body,
                    std::vector<std::string>& notes) {
  if (!body.bends() || body.bending->body->is_sheet()) return;
  const double period = flexible::natural_periods(*body.bending->body).longest;
  if (!(period < model.solver.step)) return;
  notes.push_back(fmt::format(
      "body {} is so stiff that its slowest vibration lasts {:.3g} s, less than a step of {:.3g} "
      "s; steps cannot follow it: leave `flexible` out, and the body is rigid",
      body.name, period, model.solver.step));
}

}  // namespace

std::vector<std::string> notes_on(const model::Model& model) {
  std::vector<std::string> notes;
  if (can_have_contacts(model) && !has_friction(model))
    notes.emplace_back(
        "all contacts are frictionless: no material and no entry of contacts gives a friction");
  for (const joint::Joint& joint : model.joints) note_joint(model, joint, notes);
  for (const model::Body& body : model.bodies) note_distance(model, body, notes);
  for (const model::Body& body : model.bodies) note_stiffness(model, body, notes);
  return notes;
}

}  // namespace abut::cli
