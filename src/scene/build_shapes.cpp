// Shapes and parts.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "scene/builder.h"
#include "scene/format.h"
#include "scene/read.h"

namespace abut::scene {
namespace {

std::optional<shape::Geometry> build_plane(const Node& node, Builder& builder) {
  shape::Plane plane;
  if (const Node* normal = node.find("normal")) {
    const auto direction = read_direction(*normal, "normal", builder.problems);
    if (!direction) return std::nullopt;
    plane.normal = *direction;
  }
  plane.offset = read_number_or(node, "offset", 0);
  return plane;
}

std::optional<shape::Geometry> build_torus(const Node& node, Builder& builder) {
  const Node& tube = *node.find("tube");
  const shape::Torus torus{node.find("radius")->number, tube.number};
  if (torus.tube < torus.radius) return torus;
  builder.problems.error(tube.mark, fmt::format("tube is {}, but must be less than the radius {}; "
                                                "otherwise the ring has no hole",
                                                torus.tube, torus.radius));
  return std::nullopt;
}

/// The shape key of a part, which stands beside `position` and the like, or under `shape`.
const Node* find_shape(const Node& part, std::string& kind, Builder& builder) {
  const Node* found = nullptr;
  const Node& holder = part.find("shape") != nullptr ? *part.find("shape") : part;
  std::size_t count = 0;
  for (std::size_t i = 0; i < holder.keys.size(); ++i) {
    if (format::shape_record()->find(holder.keys[i].name) == nullptr) continue;
    found = &holder.items[i];
    kind = holder.keys[i].name;
    ++count;
  }
  if (count == 1) return found->valid ? found : nullptr;
  builder.problems.error(
      part.mark, fmt::format("a part has {} shapes, but must have exactly one, such as {}", count,
                             base::listed(format::shape_record()->key_names(), "or")));
  return nullptr;
}

/// What a part takes from its body.
struct Inherited {
  int material = 0;
  const Node* density = nullptr;  ///< the body's `density`, which yields to a part's own material
};

void set_substance(shape::Part& part, int material, bool own, const Inherited& from,
                   const Builder& builder) {
  const auto index = static_cast<std::size_t>(material);
  part.material = material;
  part.density = builder.model.materials[index].density;
  const bool own_density = own && builder.density_given[index];
  if (from.density != nullptr && !own_density) part.density = from.density->number;
}

std::optional<shape::Part> build_part(const Node& node, const Inherited& from, Builder& builder) {
  std::string kind;
  const Node* parameters = find_shape(node, kind, builder);
  if (parameters == nullptr) return std::nullopt;
  if (kind == "sheet") {
    builder.problems.error(parameters->mark,
                           "a sheet cannot be a part of a union; make it a body of its own, and "
                           "`attach` its nodes");
    return std::nullopt;
  }
  const auto geometry = build_geometry(kind, *parameters, builder);
  const Node* own = node.find("material");
  const auto material = own == nullptr ? std::optional(from.material)
                        : own->valid   ? build_material(*own, builder)
                                       : std::nullopt;
  if (!geometry || !material) return std::nullopt;
  shape::Part part;
  part.geometry = *geometry;
  part.pose.position = read_vec3_or(node, "position", Vec3::Zero());
  part.pose.orientation = read_orientation_or(node, Quat::Identity(), builder.problems);
  set_substance(part, *material, own != nullptr, from, builder);
  return part;
}

}  // namespace

std::optional<int> body_material(const Node& body, Builder& builder) {
  if (const Node* material = body.find("material")) {
    if (!material->valid) return std::nullopt;
    return build_material(*material, builder);
  }
  if (builder.default_material < 0) {
    builder.model.materials.push_back({});
    builder.density_given.push_back(false);
    builder.default_material = static_cast<int>(builder.model.materials.size()) - 1;
  }
  return builder.default_material;
}

std::optional<shape::Geometry> build_geometry(const std::string& kind, const Node& node,
                                              Builder& builder) {
  const auto length = [&](const char* key) { return node.find(key)->number; };
  const bool inverted = read_flag_or(node, "inverted", false);
  if (kind == "plane") return build_plane(node, builder);
  if (kind == "sphere") return shape::Sphere{length("radius"), inverted};
  if (kind == "ellipsoid") return shape::Ellipsoid{read_vec3(*node.find("radii")), inverted};
  if (kind == "superellipsoid") {
    const Node& exponents = *node.find("exponents");
    return shape::Superellipsoid{read_vec3(*node.find("radii")), exponents.items[0].number,
                                 exponents.items[1].number, inverted};
  }
  if (kind == "capsule") return shape::Capsule{length("radius"), length("height")};
  if (kind == "cylinder") return shape::Cylinder{length("radius"), length("height")};
  if (kind == "cone") return shape::Cone{length("radius"), length("height")};
  if (kind == "torus") return build_torus(node, builder);
  if (kind == "box") return shape::Box{read_vec3(*node.find("size"))};
  if (kind == "convex") return build_convex(node, builder);
  if (kind == "implicit") return build_implicit(node, builder);
  if (kind == "parametric") return build_parametric(node, builder);
  return build_mesh(node, builder);
}

std::optional<std::vector<shape::Part>> build_parts(const Node& body, Builder& builder) {
  const Node* single = body.find("shape");
  const Node* several = body.find("shapes");
  if (single != nullptr && several != nullptr) {
    builder.problems.error(several->mark, "the body has both `shape` and `shapes`; keep one");
    return std::nullopt;
  }
  if (single == nullptr && several == nullptr) {
    builder.problems.error(body.mark,
                           "the body has no `shape`; add one, such as "
                           "`shape: {sphere: {radius: 0.5}}`");
    return std::nullopt;
  }
  const auto material = body_material(body, builder);
  const Inherited from{material.value_or(0), body.valid_at("density")};
  bool good = material.has_value();
  std::vector<shape::Part> parts;
  if (single != nullptr) {
    if (!single->valid) return std::nullopt;
    const auto geometry = build_geometry(single->keys[0].name, single->items[0], builder);
    if (!good || !geometry) return std::nullopt;
    parts.push_back({*geometry, {}, 0, 0});
    set_substance(parts.back(), from.material, false, from, builder);
    return parts;
  }
  if (!several->is_sequence()) return std::nullopt;
  for (const Node& entry : several->items) {
    if (!entry.is_map()) return std::nullopt;
    const auto part = build_part(entry, from, builder);
    good = good && part.has_value();
    if (part) parts.push_back(*part);
  }
  if (!good || parts.empty()) return std::nullopt;
  return parts;
}

}  // namespace abut::scene
