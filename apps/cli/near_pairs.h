#pragma once
// Which bodies of a scene are worth comparing at time 0.

#include <utility>
#include <vector>

#include "model/model.h"

namespace abut::cli {

/// Two bodies by their indices, the smaller one first.
using BodyPair = std::pair<BodyIndex, BodyIndex>;

/// In the order of the indices, the pairs that may collide and whose bounding balls are no farther
/// apart than `distance` (m, may be infinite). Bodies may collide if one of them is dynamic and
/// the scene does not except them.
std::vector<BodyPair> near_pairs(const model::Model& model, double distance);

}  // namespace abut::cli
