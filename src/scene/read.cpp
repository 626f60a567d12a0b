#include "scene/read.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"
#include "scene/format.h"

namespace abut::scene {
namespace {

Quat turn(const Vec3& unit_axis, double angle) {
  const Vec3 part = std::sin(angle / 2) * unit_axis;
  return {std::cos(angle / 2), part.x(), part.y(), part.z()};
}

std::optional<model::Color> from_hex(std::string_view text) {
  if (text.size() != 7 || text[0] != '#') return std::nullopt;
  double parts[3];
  for (std::size_t i = 0; i < 3; ++i) {
    unsigned value = 0;
    const char* const begin = text.data() + 1 + 2 * i;
    const auto [end, status] = std::from_chars(begin, begin + 2, value, 16);
    if (status != std::errc() || end != begin + 2) return std::nullopt;
    parts[i] = value / 255.0;
  }
  return model::Color{parts[0], parts[1], parts[2]};
}

}  // namespace

Vec3 read_vec3(const Node& node) {
  return {node.items[0].number, node.items[1].number, node.items[2].number};
}

Vec3 read_vec3_or(const Node& map, std::string_view key, const Vec3& otherwise) {
  const Node* node = map.valid_at(key);
  return node != nullptr ? read_vec3(*node) : otherwise;
}

double read_number_or(const Node& map, std::string_view key, double otherwise) {
  const Node* node = map.valid_at(key);
  return node != nullptr ? node->number : otherwise;
}

bool read_flag_or(const Node& map, std::string_view key, bool otherwise) {
  const Node* node = map.valid_at(key);
  return node != nullptr ? node->number != 0 : otherwise;
}

std::optional<Vec3> read_direction(const Node& node, std::string_view name, Problems& problems) {
  const Vec3 vector = read_vec3(node);
  // stableNorm: components as small as 1e-200 or as large as 1e100 are directions too.
  const double length = vector.stableNorm();
  if (!(length > 0)) {
    problems.error(node.mark, fmt::format("{} is [0, 0, 0], but must have a direction; give a "
                                          "vector that is not zero",
                                          name));
    return std::nullopt;
  }
  // Axes such as [0, 0, 1] stay exactly what they are.
  return vector / length;
}

std::optional<Quat> read_orientation(const Node& node, Problems& problems) {
  if (node.is_sequence()) {
    const Eigen::Vector4d wxyz(node.items[0].number, node.items[1].number, node.items[2].number,
                               node.items[3].number);
    const double length = wxyz.stableNorm();
    if (!(length > 0)) {
      problems.error(node.mark,
                     "the orientation [0, 0, 0, 0] is no rotation; [1, 0, 0, 0] is the "
                     "one that turns nothing");
      return std::nullopt;
    }
    const Eigen::Vector4d unit = wxyz / length;
    return Quat(unit[0], unit[1], unit[2], unit[3]);
  }
  if (const Node* euler = node.valid_at("euler")) {
    const Vec3 angles = read_vec3(*euler);
    return turn(Vec3::UnitZ(), angles.z()) * turn(Vec3::UnitY(), angles.y()) *
           turn(Vec3::UnitX(), angles.x());
  }
  const auto axis = read_direction(*node.find("axis"), "axis", problems);
  if (!axis) return std::nullopt;
  return turn(*axis, node.find("angle")->number);
}

Quat read_orientation_or(const Node& map, const Quat& otherwise, Problems& problems) {
  const Node* node = map.valid_at("orientation");
  return node != nullptr ? read_orientation(*node, problems).value_or(otherwise) : otherwise;
}

std::optional<model::Friction> read_friction(const Node& node, Problems& problems) {
  if (node.is_scalar()) return model::Friction{node.number, node.number};
  const Node& sticking = *node.find("static");
  const Node& sliding = *node.find("dynamic");
  if (sliding.number > sticking.number) {
    problems.error(sliding.mark,
                   fmt::format("dynamic friction is {}, more than the static friction {}; it must "
                               "not be larger",
                               sliding.number, sticking.number));
    return std::nullopt;
  }
  return model::Friction{sticking.number, sliding.number};
}

std::optional<model::Color> read_color(const Node& node, Problems& problems) {
  if (node.is_sequence()) {
    const Vec3 rgb = read_vec3(node);
    return model::Color{rgb.x(), rgb.y(), rgb.z()};
  }
  if (const auto color = from_hex(node.text)) return color;
  std::vector<std::string> names;
  for (const auto& [name, hex] : format::color_names()) {
    if (name == node.text) return from_hex(hex);
    names.push_back(name);
  }
  problems.error(node.mark,
                 fmt::format("color is `{}`, but must be `#rrggbb`, [r, g, b] from 0 to "
                             "1, or a colour name such as red{}",
                             base::shown(node.text), base::did_you_mean(node.text, names)));
  return std::nullopt;
}

}  // namespace abut::scene
