#include "joint_facts.h"

#include "joint/rows.h"
#include "model/material.h"

namespace abut::cli {

JointFacts facts_of(const joint::Joint& joint, const model::Model& model) {
  const auto name = [&](BodyIndex body) {
    return body == world ? "world" : model.bodies[static_cast<std::size_t>(body)].name;
  };
  JointFacts facts;
  facts.name = joint.name;
  facts.type = to_string(joint.type);
  facts.bodies = {name(joint.bodies[0]), name(joint.bodies[1])};
  const auto [first, second] = model::joint_motions_at_start(model, joint);
  facts.at = joint::joint_point(joint, second);
  if (joint::has_axis(joint.type))
    facts.axis = first.pose.orientation * (joint.frames[0].orientation * Vec3::UnitZ());
  return facts;
}

}  // namespace abut::cli
