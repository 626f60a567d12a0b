// Springs, drag, constant forces and impulses.
#include <fmt/format.h>

#include "base/text.h"
#include "model/material.h"
#include "scene/builder.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

const model::Body& body_at(BodyIndex index, const Builder& builder) {
  return builder.model.bodies[static_cast<std::size_t>(index)];
}

/// A body that a force can move, reporting any other.
std::optional<BodyIndex> dynamic_body(const Node& name, Builder& builder) {
  if (name.text == "world") {
    builder.problems.error(name.mark, "a force cannot act on `world`; name a dynamic body");
    return std::nullopt;
  }
  const auto index = builder.body_named(name);
  if (!index || body_at(*index, builder).is_dynamic()) return index;
  builder.problems.error(
      name.mark,
      fmt::format("{} {} and yields to no force; name a dynamic body", base::shown(name.text),
                  body_at(*index, builder).script() != nullptr ? "follows a script" : "is fixed"));
  return std::nullopt;
}

/// Where the two ends of a spring are at time 0, in the world.
std::optional<std::array<Vec3, 2>> spring_points(const Node& node, const Node& names,
                                                 const std::array<BodyIndex, 2>& bodies,
                                                 Builder& builder) {
  const std::vector<Vec3> given = given_points(node);
  std::array<Vec3, 2> points = {Vec3::Zero(), Vec3::Zero()};
  for (std::size_t i = 0; i < 2; ++i) {
    if (i < given.size()) {
      points[i] = given[i];
    } else if (bodies[i] != world) {
      points[i] = body_at(bodies[i], builder).pose.position;
    } else {
      builder.problems.error(names.items[i].mark,
                             "the spring's end on `world` has no place; give both ends in "
                             "`at: [[x, y, z], [x, y, z]]`");
      return std::nullopt;
    }
  }
  return points;
}

std::optional<model::Force> build_spring(const Node& node, Builder& builder) {
  const Node* names = node.valid_at("bodies");
  if (names == nullptr) return std::nullopt;
  const auto bodies = connected_bodies(*names, "spring", builder);
  if (!bodies || !node.valid) return std::nullopt;
  const auto points = spring_points(node, *names, *bodies, builder);
  if (!points) return std::nullopt;
  model::Spring spring;
  for (std::size_t i = 0; i < 2; ++i) {
    const BodyIndex body = (*bodies)[i];
    spring.ends[i].body = body;
    spring.ends[i].point =
        body == world ? (*points)[i]
                      : model::material_point_at_start(body_at(body, builder), (*points)[i]);
  }
  spring.length = read_number_or(node, "length", ((*points)[1] - (*points)[0]).norm());
  if (!(spring.length > 0) && node.find("length") == nullptr) {
    builder.problems.error(node.mark,
                           "the spring's ends are in one place at time 0, so its length "
                           "must be given; add `length`");
    return std::nullopt;
  }
  spring.stiffness = node.find("stiffness")->number;
  spring.damping = read_number_or(node, "damping", 0);
  return spring;
}

std::optional<model::Force> build_drag(const Node& node, BodyIndex body, Builder& builder) {
  if (node.find("linear") == nullptr && node.find("quadratic") == nullptr &&
      node.find("angular") == nullptr) {
    builder.problems.warning(node.mark,
                             "this drag does nothing; give `linear`, `quadratic` or "
                             "`angular`");
  }
  return model::Drag{body, read_number_or(node, "linear", 0), read_number_or(node, "quadratic", 0),
                     read_number_or(node, "angular", 0), read_vec3_or(node, "wind", Vec3::Zero())};
}

std::optional<model::Force> build_constant(const Node& node, BodyIndex index, Builder& builder) {
  const model::Body& body = body_at(index, builder);
  model::ConstantForce constant;
  constant.at = {index, body.mass.central.position};
  if (const Node* at = node.find("at"))
    constant.at.point = model::material_point_at_start(body, read_vec3(*at));
  constant.force = read_vec3_or(node, "force", Vec3::Zero());
  constant.torque = read_vec3_or(node, "torque", Vec3::Zero());
  if (node.find("force") == nullptr && node.find("torque") == nullptr) {
    builder.problems.warning(node.mark, "this force does nothing; give `force` or `torque`");
  }
  return constant;
}

std::optional<model::Force> build_impulse(const Node& node, BodyIndex body, Builder& builder) {
  const Node* at = node.find("at");
  const Node& time = *node.find("time");
  if (time.number > builder.model.duration) {
    builder.problems.warning(time.mark,
                             fmt::format("time is {:g}, after the end of the run at {:g}; "
                                         "the impulse never acts",
                                         time.number, builder.model.duration));
  }
  return model::Impulse{body, time.number, read_vec3(*node.find("impulse")), at == nullptr,
                        at != nullptr ? read_vec3(*at) : Vec3::Zero().eval()};
}

std::optional<model::Force> build_force(const Node& node, Builder& builder) {
  const std::string& type = node.find("type")->text;
  if (type == "spring") return build_spring(node, builder);
  const Node* name = node.valid_at("body");
  if (name == nullptr) return std::nullopt;
  const auto body = dynamic_body(*name, builder);
  if (!body || !node.valid) return std::nullopt;
  if (type == "drag") return build_drag(node, *body, builder);
  if (type == "constant") return build_constant(node, *body, builder);
  return build_impulse(node, *body, builder);
}

}  // namespace

void build_forces(const Node& document, Builder& builder) {
  const Node* forces = document.find("forces");
  if (forces == nullptr || !forces->is_sequence()) return;
  for (const Node& node : forces->items) {
    if (node.choice < 0) continue;  // no known type; reported
    if (const auto force = build_force(node, builder)) builder.model.forces.push_back(*force);
  }
}

}  // namespace abut::scene
