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

std::string complaint_of_force(const model::Model& model, const model::Force& force) {
  const auto name = [&](BodyIndex body, const char* what) {
    if (!bends_at(model, body)) return std::string();
    return fmt::format("a {} acts on body {}, which bends; only gravity and impulses can yet", what,
                       model.bodies[body].name);
  };
  if (const auto* spring = std::get_if<model::Spring>(&force)) {
    const std::string first = name(spring->ends[0].body, "spring");
    return first.empty() ? name(spring->ends[1].body, "spring") : first;
  }
  if (const auto* drag = std::get_if<model::Drag>(&force)) return name(drag->body, "drag");
  if (const auto* constant = std::get_if<model::ConstantForce>(&force))
    return name(constant->at.body, "constant force");
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
  for (const joint::Joint& joint : model.joints)
    for (const BodyIndex body : joint.bodies)
      if (bends_at(model, body))
        return fmt::format("joint {} holds body {}, which bends; that is not possible yet",
                           joint.name, model.bodies[body].name);
  for (const model::Force& force : model.forces) {
    const std::string complaint = complaint_of_force(model, force);
    if (!complaint.empty()) return complaint;
  }
  return "";
}

}  // namespace abut::clock
