// Joints: where they are, what they bear, what drives them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "base/text.h"
#include "joint/placement.h"
#include "model/joints.h"
#include "model/material.h"
#include "scene/builder.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

using joint::Joint;

/// Of a distance joint, as a fraction of the radius of its smaller body (dimensionless): directions
/// of shorter ones are lost in the digits of places.
constexpr double least_distance = 1e-9;

/// Both axes of the joint, if it has any; reports those that do not define it.
bool read_axes(const Node& node, joint::Placement& placement, Builder& builder) {
  const Node* axis = node.find("axis");
  if (axis == nullptr) return true;
  const auto direction = read_direction(*axis, "axis", builder.problems);
  if (!direction) return false;
  placement.axis = *direction;
  const Node* second = node.find("axis2");
  if (second == nullptr) return true;
  placement.axis2 = read_direction(*second, "axis2", builder.problems);
  if (!placement.axis2) return false;
  if (joint::nearly_perpendicular(placement.axis, *placement.axis2)) return true;
  builder.problems.error(second->mark,
                         "axis2 is not perpendicular to axis; give another direction, or leave it "
                         "out");
  return false;
}

std::optional<joint::Placement> read_placement(const Node& node, const Joint& joint,
                                               Builder& builder) {
  joint::Placement placement;
  if (!read_axes(node, placement, builder)) return std::nullopt;
  const auto anchors = model::joint_anchors(builder.model, joint, given_points(node));
  if (!anchors) {
    builder.problems.error(node.mark,
                           "where the joint is does not follow, because `world` has no position; "
                           "add `at`");
    return std::nullopt;
  }
  placement.points = *anchors;
  if (joint.type != JointType::distance) return placement;
  const double distance = (placement.points[1] - placement.points[0]).norm();
  double size = std::numeric_limits<double>::infinity();
  for (const BodyIndex body : joint.bodies)
    if (body != world)
      size = std::min(size, builder.model.bodies[static_cast<std::size_t>(body)].bounding_radius);
  if (distance > least_distance * size) return placement;
  const std::string found =
      distance > 0 ? fmt::format("only {:.3g} m apart, which is nothing beside bodies of {:.3g} m,",
                                 distance, size)
                   : "in one place";
  builder.problems.error(node.mark, fmt::format("the two points are {} at time 0; give two points "
                                                "in `at`, or use `type: ball`",
                                                found));
  return std::nullopt;
}

bool read_limits(const Node& node, Joint& joint, Builder& builder) {
  const Node* limits = node.find("limits");
  if (limits == nullptr) return true;
  const double least = limits->items[0].number;
  const double greatest = limits->items[1].number;
  joint.limits = {least, greatest};
  if (!(least < greatest)) {
    builder.problems.error(
        limits->mark,
        fmt::format("limits are {} and {}, but the first must be less",
                    base::shown(limits->items[0].text), base::shown(limits->items[1].text)));
    return false;
  }
  if (least <= 0 && 0 <= greatest) return true;
  builder.problems.error(
      limits->mark,
      fmt::format(
          "limits are {} and {}, but the {} is 0 at time 0 and must lie within them; count "
          "from there",
          base::shown(limits->items[0].text), base::shown(limits->items[1].text),
          joint::coordinate_of(joint.type) == joint::Coordinate::angle ? "angle" : "displacement"));
  return false;
}

/// What nothing stops turns all the time.
void read_motor(const Node& node, Joint& joint, Builder& builder) {
  const Node* given = node.find("motor");
  if (given == nullptr) return;
  joint::Motor motor;
  motor.speed = given->find("speed")->number;
  const bool turns = joint::coordinate_of(joint.type) == joint::Coordinate::angle;
  motor.max_force = read_number_or(*given, turns ? "max_torque" : "max_force", motor.max_force);
  joint.motor = motor;
  if (turns && !joint.limits && !std::isfinite(motor.max_force))
    refuse_fast_turns(given->find("speed")->mark, motor.speed, builder);
}

/// A joint holds a point of a sheet, which is where the sheet is.
bool is_on_sheets(const Node& node, const Joint& joint, const joint::Placement& placement,
                  Builder& builder) {
  constexpr double near = 1e-6;  // of the sheet's size: digits that people write
  for (std::size_t i = 0; i < 2; ++i) {
    if (joint.bodies[i] == world) continue;
    const model::Body& body = builder.model.bodies[static_cast<std::size_t>(joint.bodies[i])];
    if (!body.bends() || !body.bending->body->is_sheet()) continue;
    const Vec3& x = placement.points[i];
    const Vec3 p = model::material_point_at_start(body, x);
    const double off = (body.pose.position + body.pose.orientation * p - x).norm();
    if (off <= near * body.bending->body->extent) continue;
    builder.problems.error(
        node.mark,
        fmt::format("the joint is {:.3g} m away from sheet {}; give a point of it in `at`", off,
                    body.name));
    return false;
  }
  return true;
}

std::optional<Joint> build_joint(const Node& node, Builder& builder) {
  const Node* names = node.valid_at("bodies");
  if (names == nullptr) return std::nullopt;
  const auto bodies = connected_bodies(*names, "joint", builder);
  if (!bodies || !node.valid) return std::nullopt;
  Joint joint;
  joint.type = joint::all_types[static_cast<std::size_t>(node.choice)];
  joint.bodies = *bodies;
  const auto placement = read_placement(node, joint, builder);
  const bool limits_are_good = read_limits(node, joint, builder);
  if (!placement || !limits_are_good || !is_on_sheets(node, joint, *placement, builder))
    return std::nullopt;
  read_motor(node, joint, builder);
  joint.break_force = read_number_or(node, "break_force", joint::unbreakable);
  joint.break_torque = read_number_or(node, "break_torque", joint::unbreakable);
  joint.collide = read_flag_or(node, "collide", false);
  place(joint, *placement,
        {model::motion_frame_at_start(builder.model, joint.bodies[0], placement->points[0]),
         model::motion_frame_at_start(builder.model, joint.bodies[1], placement->points[1])});
  return joint;
}

/// The names of joints, which have nothing to do with those of bodies.
class JointNames {
 public:
  explicit JointNames(Problems& problems) : problems_(problems) {}

  /// The name of an entry, reporting one that is taken.
  std::string name_of(const Node& entry, std::size_t index) {
    const Node* given = entry.valid_at("name");
    std::string name = given != nullptr ? given->text : model::default_joint_name(index);
    const Mark& mark = given != nullptr ? given->mark : entry.mark;
    const auto [earlier, is_new] = lines_.emplace(name, mark.line);
    if (!is_new) {
      problems_.error(mark, fmt::format("the name `{}` is taken by the joint at line {}; choose "
                                        "another",
                                        base::shown(name), earlier->second));
    }
    return name;
  }

 private:
  Problems& problems_;
  std::unordered_map<std::string, int> lines_;
};

}  // namespace

void build_joints(const Node& document, Builder& builder) {
  const Node* joints = document.find("joints");
  if (joints == nullptr || !joints->is_sequence()) return;
  JointNames names(builder.problems);
  for (std::size_t i = 0; i < joints->items.size(); ++i) {
    const Node& node = joints->items[i];
    if (node.choice < 0) continue;  // no known type; reported
    const std::string name = names.name_of(node, i);
    auto joint = build_joint(node, builder);
    if (!joint) continue;
    joint->name = name;
    builder.model.joints.push_back(std::move(*joint));
  }
}

}  // namespace abut::scene
