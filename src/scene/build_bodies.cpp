// Bodies, and grids of them.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "scene/builder.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

/// Bodies in a scene, grids counted in full: beyond, memory and not physics is the question.
constexpr double maximum_bodies = 1e6;

void refuse_velocity(const Node& body, const model::Motion& motion, Builder& builder) {
  const bool fixed = std::holds_alternative<model::Fixed>(motion);
  for (const char* key : {"velocity", "angular_velocity"}) {
    const Node* node = body.find(key);
    if (node == nullptr) continue;
    builder.problems.error(
        node->mark,
        fmt::format("{} is given, but the body {}; remove it, or make the motion dynamic", key,
                    fixed ? "is fixed" : "follows a script"));
  }
}

/// The first part that fills an infinite space, if there is one.
const shape::Part* unbounded_part(const std::vector<shape::Part>& parts) {
  const auto found = std::find_if(parts.begin(), parts.end(), [](const shape::Part& part) {
    return shape::is_unbounded(part.geometry);
  });
  return found != parts.end() ? &*found : nullptr;
}

void refuse_unbounded(const Node& body, const shape::Part& part, Builder& builder) {
  const Node* shape = body.find("shape") != nullptr ? body.find("shape") : body.find("shapes");
  const std::string_view name = shape::name_of(part.geometry);
  builder.problems.error(
      shape->mark,
      fmt::format("{} {} fills an infinite space and cannot move freely; add `motion: fixed` or a "
                  "script",
                  name == "plane" ? "a" : "an inverted", name));
}

/// Everything of a body but its name; nothing if a part of it is faulty.
std::optional<model::Body> build_body(const Node& node, Builder& builder) {
  const std::size_t errors = builder.problems.error_count();
  model::Body body;
  body.pose.position = read_vec3_or(node, "position", Vec3::Zero());
  body.pose.orientation = read_orientation_or(node, Quat::Identity(), builder.problems);
  const Node* sheet = sheet_of(node);
  auto parts = sheet == nullptr ? build_parts(node, builder) : std::vector<shape::Part>();
  const auto motion = build_motion(node, body.pose, builder);
  if (motion) body.motion = *motion;
  if (motion && !body.is_dynamic()) refuse_velocity(node, *motion, builder);
  body.velocity = read_vec3_or(node, "velocity", Vec3::Zero());
  body.angular_velocity = read_vec3_or(node, "angular_velocity", Vec3::Zero());
  if (const Node* spin = node.valid_at("angular_velocity"))
    refuse_fast_turns(spin->mark, body.angular_velocity.norm(), builder);
  if (const Node* color = node.valid_at("color")) body.color = read_color(*color, builder.problems);
  if (!parts || !motion) return std::nullopt;
  if (sheet != nullptr) {
    if (sheet->valid) build_sheet(node, *sheet, body, builder);
    if (!sheet->valid || builder.problems.error_count() > errors) return std::nullopt;
    return body;
  }
  body.parts = std::move(*parts);
  const shape::Part* unbounded = unbounded_part(body.parts);
  if (unbounded != nullptr && body.is_dynamic()) {
    refuse_unbounded(node, *unbounded, builder);
  } else if (unbounded == nullptr) {
    if (const auto mass = build_mass(node, body.parts, builder)) body.mass = *mass;
  }
  body.bounding_radius = shape::bounding_radius(body.parts, body.mass.central.position);
  if (builder.problems.error_count() == errors) build_flexible(node, body, builder);
  if (builder.problems.error_count() > errors) return std::nullopt;
  return body;
}

bool room_for(double count, const Node& node, Builder& builder) {
  if (static_cast<double>(builder.model.bodies.size()) + count <= maximum_bodies) return true;
  builder.problems.error(node.mark, fmt::format("the scene would have more than {:g} bodies; make "
                                                "fewer copies",
                                                maximum_bodies));
  return false;
}

void add_body(const model::Body& body, const std::string& name, const Mark& mark,
              Builder& builder) {
  const int index = static_cast<int>(builder.model.bodies.size());
  builder.declare(name, {Declared::Kind::body, mark, index});
  builder.model.bodies.push_back(body);
  builder.model.bodies.back().name = name;
}

/// Whether the script itself says where the body is, so that copies would all be in one place.
bool script_has_position(const Node& body) {
  const Node* motion = body.find("motion");
  if (motion == nullptr || !motion->is_map()) return false;
  if (motion->find("position") != nullptr) return true;
  const Node* keyframes = motion->find("keyframes");
  return keyframes != nullptr &&
         std::any_of(keyframes->items.begin(), keyframes->items.end(),
                     [](const Node& keyframe) { return keyframe.find("position") != nullptr; });
}

/// The script of a copy that stands elsewhere. Its position is the body's own in all of it.
void shift_script(model::Motion& motion, const Vec3& position) {
  auto* script = std::get_if<body::Script>(&motion);
  if (script == nullptr) return;
  if (auto* keyframes = std::get_if<body::KeyframeScript>(script)) {
    for (body::Keyframe& keyframe : keyframes->keyframes) keyframe.pose.position = position;
  } else {
    auto& formulas = std::get<body::ExpressionScript>(*script);
    for (std::size_t i = 0; i < 3; ++i) {
      formulas.position[i] = math::Expression::constant(position[static_cast<Eigen::Index>(i)]);
    }
  }
}

void add_grid(const model::Body& body, const Node& node, const Node& name, Builder& builder) {
  const Node& repeat = *node.find("repeat");
  const Vec3 count = read_vec3(*repeat.find("count"));
  const Vec3 spacing = read_vec3(*repeat.find("spacing"));
  builder.declare(name.text, {Declared::Kind::grid, name.mark, -1});
  if (!room_for(count.prod(), repeat, builder)) return;
  if (script_has_position(node)) {
    builder.problems.error(repeat.mark,
                           "the script gives the position, so all copies would be in "
                           "one place; give each body its own script");
    return;
  }
  model::Body copy = body;
  for (int i = 0; i < static_cast<int>(count.x()); ++i) {
    for (int j = 0; j < static_cast<int>(count.y()); ++j) {
      for (int k = 0; k < static_cast<int>(count.z()); ++k) {
        const Vec3 offset = Vec3(i, j, k).cwiseProduct(spacing);
        copy.pose.position = body.pose.position + offset;
        shift_script(copy.motion, copy.pose.position);
        copy.bending = body.bending;
        shift_bending(copy, offset);
        add_body(copy, fmt::format("{}[{},{},{}]", name.text, i, j, k), name.mark, builder);
      }
    }
  }
}

}  // namespace

void build_bodies(const Node& document, Builder& builder) {
  const Node* bodies = document.find("bodies");
  if (bodies == nullptr || !bodies->is_sequence()) return;
  if (bodies->items.empty()) builder.problems.warning(bodies->mark, "the scene has no bodies");
  for (const Node& node : bodies->items) {
    if (!node.is_map()) continue;
    const auto body = build_body(node, builder);
    const Node* name = node.valid_at("name");
    if (name == nullptr) continue;
    const Node* repeat = node.find("repeat");
    if (!body || (repeat != nullptr && !repeat->valid)) {
      // Others may still refer to it without a second complaint.
      const auto kind = repeat != nullptr ? Declared::Kind::grid : Declared::Kind::body;
      builder.declare(name->text, {kind, name->mark, -1});
    } else if (repeat != nullptr) {
      add_grid(*body, node, *name, builder);
    } else if (room_for(1, node, builder)) {
      add_body(*body, name->text, name->mark, builder);
    }
  }
  builder.model.bodies.shrink_to_fit();
}

}  // namespace abut::scene
