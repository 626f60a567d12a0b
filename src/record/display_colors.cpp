#include "record/display_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace abut::record {
namespace {

constexpr model::Color from_hex(unsigned rgb) {
  return {(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

/// After M. Okabe and K. Ito, "Color universal design" (2008), the yellow darkened for white
/// grounds.
constexpr std::array palette{from_hex(0x0072b2), from_hex(0xe69f00), from_hex(0x009e73),
                             from_hex(0xcc79a7), from_hex(0x56b4e9), from_hex(0xd55e00),
                             from_hex(0xb8a900)};
constexpr model::Color fixed_grey = from_hex(0x9aa3ab);

/// If all bodies are one family, and not a large one, its members have different colours.
constexpr std::size_t few_members = 14;

/// By how much members of a family differ: the largest part of white or black mixed in.
constexpr double variation = 0.22;

std::string family_of(const std::string& name) {
  const std::size_t bracket = name.find('[');
  return bracket == std::string::npos || bracket == 0 ? name : name.substr(0, bracket);
}

/// In [-1, 1], evenly spread (multiples of the golden ratio, modulo 1).
double spread(std::size_t i) {
  const double x = static_cast<double>(i) * 0.6180339887498949;
  return 2 * (x - std::floor(x)) - 1;
}

/// To one of the 256 steps of a screen: thousands of bodies share some hundred materials.
model::Color shaded(const model::Color& color, double amount) {
  const auto mix = [amount](double c) {
    return std::round(255 * (c + std::abs(amount) * ((amount > 0 ? 1 : 0) - c))) / 255;
  };
  return {mix(color.red), mix(color.green), mix(color.blue)};
}

bool needs_color(const model::Body& body) {
  return !body.color && !std::holds_alternative<model::Fixed>(body.motion);
}

}  // namespace

std::vector<model::Color> display_colors(const model::Model& model) {
  std::set<std::string> families;
  std::size_t count = 0;
  for (const model::Body& body : model.bodies) {
    if (!needs_color(body)) continue;
    families.insert(family_of(body.name));
    ++count;
  }
  const bool one_small_family = families.size() == 1 && count <= few_members;

  std::vector<model::Color> colors;
  std::map<std::string, std::size_t> places;  // of families, in the order of the scene
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const model::Body& body = model.bodies[i];
    if (!needs_color(body)) {
      colors.push_back(body.color.value_or(fixed_grey));
      continue;
    }
    const std::string family = one_small_family ? body.name : family_of(body.name);
    const std::size_t place = places.try_emplace(family, places.size()).first->second;
    const model::Color& color = palette[place % palette.size()];
    colors.push_back(family == body.name ? color : shaded(color, variation * spread(i)));
  }
  return colors;
}

}  // namespace abut::record
