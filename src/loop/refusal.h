#pragma once
// Models that can be described but not moved.

#include <string>

#include "model/model.h"

namespace abut::loop {

/// The first body that the loop cannot move, or `world` if there is none.
BodyIndex first_immovable(const model::Model& model);
/// Why, and what to do about it.
std::string refusal(const model::Body& body);
/// The model itself; throws SimulationError if it cannot be moved.
const model::Model& movable(const model::Model& model);

}  // namespace abut::loop
