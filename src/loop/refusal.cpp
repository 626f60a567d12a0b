#include "loop/refusal.h"

#include <fmt/format.h>

#include "abut/diagnostics.h"

namespace abut::loop {

BodyIndex first_immovable(const model::Model& model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].bends()) return static_cast<BodyIndex>(i);
  return world;
}

std::string refusal(const model::Body& body) {
  return fmt::format(
      "body {} bends; bodies that bend can be checked but not simulated yet, so this scene is not "
      "run; remove `flexible`, or replace the sheet",
      body.name);
}

const model::Model& movable(const model::Model& model) {
  const BodyIndex body = first_immovable(model);
  if (body != world)
    throw SimulationError(0, refusal(model.bodies[static_cast<std::size_t>(body)]));
  return model;
}

}  // namespace abut::loop
