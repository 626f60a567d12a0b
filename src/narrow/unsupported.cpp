#include "narrow/unsupported.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "model/joints.h"
#include "narrow/body_shape.h"
#include "narrow/pair.h"

namespace abut::narrow {
namespace {

model::Body alone(const shape::Part& part) {
  model::Body body;
  body.parts = {part};
  return body;
}

// All other shapes are told apart from each other: the table of narrow/part_pair.cpp is complete
// but for what does not move, and for some shapes in bowls.
bool may_lack_support(const model::Body& body) {
  if (body.bends()) return false;  // touches by triangles of its own
  const auto is_bowl = [](const shape::Part& part) {
    return shape::is_unbounded(part.geometry) &&
           !std::holds_alternative<shape::Plane>(part.geometry);
  };
  return !BodyShape::supports(body) || std::any_of(body.parts.begin(), body.parts.end(), is_bowl);
}

std::optional<UnsupportedPair> compared(const model::Model& model, BodyIndex a, BodyIndex b) {
  const auto &parts_a = model.bodies[a].parts, &parts_b = model.bodies[b].parts;
  for (std::size_t i = 0; i < parts_a.size(); ++i)
    for (std::size_t j = 0; j < parts_b.size(); ++j)
      if (!PairQuery::supports(alone(parts_a[i]), alone(parts_b[j])))
        return UnsupportedPair{a, b, static_cast<int>(i), static_cast<int>(j)};
  return std::nullopt;
}

std::string shape_text(const shape::Geometry& geometry) {
  const std::string_view name = shape::name_of(geometry);
  const bool inverted = shape::is_unbounded(geometry) && name != "plane";
  const std::string text = inverted ? fmt::format("inverted {}", name) : std::string(name);
  const bool vowel = std::string_view("aeiou").find(text.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", text);
}

}  // namespace

const char* const unsupported_remedy =
    "make the shape of convex parts (`shapes`), list the pair under no_collide, or say `solver: "
    "{unsupported: ignore}` to let such bodies pass through each other";

std::vector<UnsupportedPair> unsupported_pairs(const model::Model& model) {
  const auto excepted = model::pairs_without_contact(model);
  const auto count = static_cast<BodyIndex>(model.bodies.size());
  std::vector<bool> lacking;
  for (const model::Body& body : model.bodies) lacking.push_back(may_lack_support(body));
  std::vector<UnsupportedPair> found;
  for (BodyIndex i = 0; i < count; ++i) {
    if (!lacking[i]) continue;
    for (BodyIndex k = 0; k < count; ++k) {
      if (k == i || (lacking[k] && k < i)) continue;  // seen from the other side
      if (model.bodies[k].bends()) continue;
      const auto [a, b] = std::minmax(i, k);
      if (!model.bodies[a].is_dynamic() && !model.bodies[b].is_dynamic()) continue;
      if (std::binary_search(excepted.begin(), excepted.end(), std::pair(a, b))) continue;
      if (const auto pair = compared(model, a, b)) found.push_back(*pair);
    }
  }
  return found;
}

std::string description(const model::Model& model, const UnsupportedPair& pair) {
  const model::Body &a = model.bodies[pair.a], &b = model.bodies[pair.b];
  return fmt::format("contact between {} and {} cannot be computed yet (bodies {} and {})",
                     shape_text(a.parts[pair.part_a].geometry),
                     shape_text(b.parts[pair.part_b].geometry), a.name, b.name);
}

}  // namespace abut::narrow
