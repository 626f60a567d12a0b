#include "exact_fits.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace abut::cli {
namespace {

/// Normals are opposite if their sum is no longer than this (dimensionless): faces that enclose a
/// larger angle leave room along their edge.
constexpr double opposite = 1e-9;

/// A face that touches a body, with the normal that points to that body.
struct Side {
  BodyIndex other = 0;
  Vec3 normal = Vec3::UnitZ();
};

/// All bodies that do not yield are one obstacle.
BodyIndex obstacle_of(const model::Model& model, BodyIndex body) {
  return model.bodies[static_cast<std::size_t>(body)].is_dynamic() ? body : world;
}

using Sides = std::map<std::pair<BodyIndex, BodyIndex>, std::vector<Side>>;

/// By body and obstacle. A point or an edge may be turned out of the way, faces may not.
Sides faces_around(const model::Model& model, const std::vector<PairFacts>& pairs) {
  Sides sides;
  for (const PairFacts& pair : pairs) {
    if (pair.state != PairState::touching) continue;
    for (const contact::ContactRegion& region : pair.regions) {
      if (region.dimension < 2) continue;
      sides[{pair.a, obstacle_of(model, pair.b)}].push_back({pair.b, region.normal});
      sides[{pair.b, obstacle_of(model, pair.a)}].push_back({pair.a, -region.normal});
    }
  }
  return sides;
}

}  // namespace

std::vector<std::string> notes_on_fits(const model::Model& model,
                                       const std::vector<PairFacts>& pairs) {
  std::vector<std::string> notes;
  const auto name = [&](BodyIndex body) -> const std::string& {
    return model.bodies[static_cast<std::size_t>(body)].name;
  };
  for (const auto& [bodies, sides] : faces_around(model, pairs)) {
    const auto [body, obstacle] = bodies;
    // Of two bodies that yield, each has a list of its own.
    if (!model.bodies[static_cast<std::size_t>(body)].is_dynamic() || obstacle > body) continue;
    const auto opposite_of = [&sides = sides](const Side& one) -> const Side* {
      for (const Side& two : sides)
        if ((one.normal + two.normal).norm() <= opposite) return &two;
      return nullptr;
    };
    for (const Side& one : sides) {
      const Side* two = opposite_of(one);
      if (two == nullptr) continue;
      const std::string others = one.other == two->other
                                     ? name(one.other)
                                     : fmt::format("{} and {}", name(one.other), name(two->other));
      notes.push_back(
          fmt::format("{} fits {} exactly: bodies that touch are kept a little apart, and there is "
                      "no room for that; `abut run` refuses it, leave some play",
                      name(body), others));
      break;
    }
  }
  return notes;
}

}  // namespace abut::cli
