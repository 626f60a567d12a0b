#include "model/joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace abut::model {

Pose motion_frame_at_start(const Model& model, BodyIndex index) {
  if (index == world) return {};
  const Body& body = model.bodies[index];
  return body.is_dynamic() ? body::central_from_body(body.mass, body.pose) : body.pose;
}

std::optional<std::array<Vec3, 2>> joint_anchors(const Model& model, const joint::Joint& joint,
                                                 std::span<const Vec3> given) {
  const auto position = [&](BodyIndex body) -> std::optional<Vec3> {
    if (body == world) return std::nullopt;
    return model.bodies[body].pose.position;
  };
  std::optional<Vec3> first, second;
  if (joint.type == joint::Type::distance) {
    first = !given.empty() ? std::optional(given[0]) : position(joint.bodies[0]);
    second = given.size() > 1 ? std::optional(given[1]) : position(joint.bodies[1]);
  } else {
    first = second = !given.empty() ? std::optional(given[0]) : position(joint.bodies[1]);
  }
  if (!first || !second) return std::nullopt;
  return std::array{*first, *second};
}

std::string default_joint_name(std::size_t index) {
  return fmt::format("joints[{}]", index);
}

std::vector<std::pair<BodyIndex, BodyIndex>> pairs_without_contact(const Model& model) {
  std::vector<std::pair<BodyIndex, BodyIndex>> pairs;
  for (const auto& [a, b] : model.no_collide) pairs.emplace_back(std::min(a, b), std::max(a, b));
  for (const joint::Joint& joint : model.joints) {
    const auto [a, b] = std::minmax(joint.bodies[0], joint.bodies[1]);
    if (!joint.collide && a != world) pairs.emplace_back(a, b);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

double size_of_joint(const Model& model, const joint::Joint& joint) {
  double size = std::numeric_limits<double>::infinity();
  for (std::size_t side = 0; side < 2; ++side)
    if (joint.bodies[side] != world)
      size = std::min(size, model.bodies[joint.bodies[side]].bounding_radius +
                                joint.frames[side].position.norm());
  return size;
}

double gap_within_step(const Model& model, const joint::Joint& joint,
                       const std::vector<BodyState>& bodies) {
  double gap = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const BodyIndex body = joint.bodies[side];
    if (body == world || !model.bodies[body].is_dynamic()) continue;
    const double turned = step_length(model.solver) * bodies[body].angular_velocity.norm();
    gap += turned * turned / 8 * joint.frames[side].position.norm();
  }
  return gap;
}

}  // namespace abut::model
