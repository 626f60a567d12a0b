#include "clock/bent_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "clock/bent_pair.h"
#include "model/joints.h"

namespace abut::clock {
namespace {

bool bends_at(const model::Model& model, BodyIndex body) {
  return body != world && model.bodies[body].bends();
}

bool is_sheet(const model::Model& model, BodyIndex body) {
  return bends_at(model, body) && model.bodies[body].bending->body->is_sheet();
}

// A point of a sheet has no direction of its own: nothing can turn it.
std::string complaint_of_force(const model::Model& model, const model::Force& force) {
  const auto* drag = std::get_if<model::Drag>(&force);
  if (drag != nullptr && drag->angular > 0 && is_sheet(model, drag->body))
    return fmt::format("angular drag acts on sheet {}; leave `angular` out",
                       model.bodies[drag->body].name);
  const auto* constant = std::get_if<model::ConstantForce>(&force);
  if (constant != nullptr && !constant->torque.isZero(0) && is_sheet(model, constant->at.body))
    return fmt::format("a torque acts on sheet {}; give forces at points of it",
                       model.bodies[constant->at.body].name);
  return "";
}

// What the first body of a joint carries is a direction unless the joint holds points alone.
std::string complaint_of_joint(const model::Model& model, const joint::Joint& joint) {
  const bool is_of_points = joint.type == joint::Type::ball || joint.type == joint::Type::distance;
  const bool has_directions = !is_of_points && joint.type != joint::Type::point_on_line &&
                              joint.type != joint::Type::point_on_plane;
  for (const int side : {0, 1}) {
    if (!is_sheet(model, joint.bodies[side])) continue;
    if (!has_directions && (is_of_points || side == 1)) continue;
    return fmt::format(
        "joint {} holds a direction of sheet {}, which has none at a point; use type ball or "
        "distance{}",
        joint.name, model.bodies[joint.bodies[side]].name,
        has_directions ? "" : ", or name the sheet second");
  }
  return "";
}

std::string complaint_of_holds(const model::Model& model, const model::Body& body) {
  for (const model::Hold& hold : body.bending->holds)
    if (bends_at(model, hold.body))
      return fmt::format(
          "{} attaches a node to body {}, which bends too; attach it to a rigid body", hold.name,
          model.bodies[hold.body].name);
  return "";
}

}  // namespace

std::string bent_complaint(const model::Model& model) {
  const auto excepted = model::pairs_without_contact(model);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const model::Body& body = model.bodies[i];
    if (!body.bends()) continue;
    const std::string held = complaint_of_holds(model, body);
    if (!held.empty()) return held;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
      const model::Body& other = model.bodies[k];
      const auto [a, b] = std::minmax(static_cast<BodyIndex>(i), static_cast<BodyIndex>(k));
      if (other.bends() || std::binary_search(excepted.begin(), excepted.end(), std::pair(a, b)))
        continue;
      if (narrow::BodyShape::supports(other) && BentPair::supports(narrow::BodyShape(other)))
        continue;
      return fmt::format(
          "contact of body {}, which bends, with body {} cannot be computed yet, since that is a "
          "torus, inverted, or not known to be convex; make it of convex parts or a mesh, or list "
          "the pair under no_collide",
          body.name, other.name);
    }
  }
  for (const joint::Joint& joint : model.joints) {
    const std::string complaint = complaint_of_joint(model, joint);
    if (!complaint.empty()) return complaint;
  }
  for (const model::Force& force : model.forces) {
    const std::string complaint = complaint_of_force(model, force);
    if (!complaint.empty()) return complaint;
  }
  return "";
}

}  // namespace abut::clock
