// What springs and joints have in common: two bodies, and points on them.
#include <fmt/format.h>

#include <algorithm>

#include "scene/builder.h"
#include "scene/read.h"

namespace abut::scene {

std::optional<std::array<BodyIndex, 2>> connected_bodies(const Node& names,
                                                         std::string_view connection,
                                                         Builder& builder) {
  std::array<BodyIndex, 2> bodies = {world, world};
  bool known = true;
  for (std::size_t i = 0; i < 2; ++i) {
    if (names.items[i].text == "world") continue;
    const auto index = builder.body_named(names.items[i]);
    if (index) bodies[i] = *index;
    known = known && index.has_value();
  }
  if (!known) return std::nullopt;
  if (bodies[0] == bodies[1] && bodies[0] != world) {
    builder.problems.error(
        names.mark, fmt::format("the {} connects a body with itself; give two bodies", connection));
    return std::nullopt;
  }
  if (std::none_of(bodies.begin(), bodies.end(), [&](BodyIndex body) {
        return body != world && builder.model.bodies[static_cast<std::size_t>(body)].is_dynamic();
      })) {
    builder.problems.error(
        names.mark, fmt::format("neither end of the {} can move; one of the bodies must be dynamic",
                                connection));
    return std::nullopt;
  }
  return bodies;
}

std::vector<Vec3> given_points(const Node& entry) {
  const Node* at = entry.valid_at("at");
  if (at == nullptr) return {};
  if (!at->items[0].is_sequence()) return {read_vec3(*at)};
  return {read_vec3(at->items[0]), read_vec3(at->items[1])};
}

}  // namespace abut::scene
