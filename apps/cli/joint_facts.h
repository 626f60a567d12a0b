#pragma once
// What `abut check` tells about a joint.

#include <array>
#include <optional>
#include <string>

#include "model/model.h"

namespace abut::cli {

struct JointFacts {
  std::string name;
  std::string type;
  std::array<std::string, 2> bodies;  ///< names; `world` for the surroundings
  Vec3 at = Vec3::Zero();             ///< the anchor on the second body, in the world at time 0
  std::optional<Vec3> axis;           ///< in the world at time 0; of the first body
};

JointFacts facts_of(const joint::Joint& joint, const model::Model& model);

}  // namespace abut::cli
