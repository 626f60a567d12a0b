#include "scene/unit.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace abut::scene {
namespace {

constexpr double pi = 3.14159265358979323846;

struct UnitEntry {
  std::string_view name;
  Unit unit;
  std::string_view prefixes;  ///< those that are in use with it; u stands for micro
};

constexpr Dimension energy_dimension{2, 1, -2, 0};
constexpr Dimension power_dimension{2, 1, -3, 0};
constexpr Dimension volume_dimension{3, 0, 0, 0};

const std::array unit_table = {
    UnitEntry{"m", {1, 1, 0, dimension::length}, "numcdk"},
    UnitEntry{"in", {254, 1, -4, dimension::length}, ""},
    UnitEntry{"ft", {3048, 1, -4, dimension::length}, ""},
    UnitEntry{"g", {1, 1, -3, dimension::mass}, "umk"},
    UnitEntry{"t", {1, 1, 3, dimension::mass}, ""},
    UnitEntry{"lb", {45359237, 1, -8, dimension::mass}, ""},
    UnitEntry{"s", {1, 1, 0, dimension::time}, "num"},
    UnitEntry{"min", {60, 1, 0, dimension::time}, ""},
    UnitEntry{"h", {3600, 1, 0, dimension::time}, ""},
    UnitEntry{"rad", {1, 1, 0, dimension::angle}, "um"},
    UnitEntry{"deg", {pi, 180, 0, dimension::angle}, ""},
    UnitEntry{"\xc2\xb0", {pi, 180, 0, dimension::angle}, ""},
    UnitEntry{"rev", {2 * pi, 1, 0, dimension::angle}, ""},
    UnitEntry{"rpm", {2 * pi, 60, 0, dimension::angular_velocity}, ""},
    UnitEntry{"Hz", {1, 1, 0, dimension::frequency}, "mkMG"},
    UnitEntry{"N", {1, 1, 0, dimension::force}, "numkMG"},
    UnitEntry{"Nm", {1, 1, 0, dimension::torque}, "mkM"},
    UnitEntry{"Ns", {1, 1, 0, dimension::impulse}, "mk"},
    UnitEntry{"Pa", {1, 1, 0, dimension::pressure}, "mhkMG"},
    UnitEntry{"bar", {1, 1, 5, dimension::pressure}, "m"},
    UnitEntry{"J", {1, 1, 0, energy_dimension}, "numkMG"},
    UnitEntry{"W", {1, 1, 0, power_dimension}, "numkMG"},
    UnitEntry{"l", {1, 1, -3, volume_dimension}, "m"},
    UnitEntry{"L", {1, 1, -3, volume_dimension}, "m"},
};

int power_of_prefix(char prefix) {
  switch (prefix) {
    case 'n':
      return -9;
    case 'u':
      return -6;
    case 'm':
      return -3;
    case 'c':
      return -2;
    case 'd':
      return -1;
    case 'h':
      return 2;
    case 'k':
      return 3;
    case 'M':
      return 6;
    default:
      return 9;  // G
  }
}

using UnitMap = std::unordered_map<std::string, Unit>;

UnitMap make_units() {
  UnitMap units;
  for (const UnitEntry& entry : unit_table) {
    units.emplace(entry.name, entry.unit);
    for (const char prefix : entry.prefixes) {
      Unit scaled = entry.unit;
      scaled.power_of_ten += power_of_prefix(prefix);
      units.emplace(prefix + std::string(entry.name), scaled);
      // The micro sign and the Greek letter look the same.
      if (prefix == 'u') {
        units.emplace("\xc2\xb5" + std::string(entry.name), scaled);
        units.emplace("\xce\xbc" + std::string(entry.name), scaled);
      }
    }
  }
  return units;
}

/// What a dimension is called in messages, and how its SI unit is usually written.
struct NamedDimension {
  Dimension dimension;
  std::string_view name;
  std::string_view unit;
};

constexpr std::array named_dimensions = {
    NamedDimension{dimension::none, "a plain number", ""},
    NamedDimension{dimension::length, "a length", "m"},
    NamedDimension{dimension::mass, "a mass", "kg"},
    NamedDimension{dimension::time, "a time", "s"},
    NamedDimension{dimension::angle, "an angle", "rad"},
    NamedDimension{dimension::frequency, "a frequency", "1/s"},
    NamedDimension{dimension::velocity, "a velocity", "m/s"},
    NamedDimension{dimension::angular_velocity, "an angular velocity", "rad/s"},
    NamedDimension{dimension::acceleration, "an acceleration", "m/s^2"},
    NamedDimension{dimension::density, "a density", "kg/m^3"},
    NamedDimension{dimension::inertia, "a moment of inertia", "kg m^2"},
    NamedDimension{dimension::force, "a force", "N"},
    NamedDimension{dimension::torque, "a torque or energy", "N m"},
    NamedDimension{dimension::impulse, "an impulse", "N s"},
    NamedDimension{dimension::stiffness, "a stiffness", "N/m"},
    NamedDimension{dimension::damping, "a damping constant", "N s/m"},
    NamedDimension{dimension::quadratic_drag, "a quadratic drag constant", "N s^2/m^2"},
    NamedDimension{dimension::angular_damping, "an angular damping constant", "N m s"},
    NamedDimension{dimension::pressure, "a pressure", "Pa"},
    NamedDimension{power_dimension, "a power", "W"},
    NamedDimension{volume_dimension, "a volume", "m^3"},
    NamedDimension{{2, 0, 0, 0}, "an area", "m^2"},
};

const NamedDimension* find_name(const Dimension& dimension) {
  for (const NamedDimension& named : named_dimensions) {
    if (named.dimension == dimension) return &named;
  }
  return nullptr;
}

std::string base_units(const Dimension& dimension) {
  std::string text;
  const auto append = [&](std::string_view name, int exponent) {
    if (exponent == 0) return;
    if (!text.empty()) text += ' ';
    text += exponent == 1 ? std::string(name) : fmt::format("{}^{}", name, exponent);
  };
  append("kg", dimension.kilogram);
  append("m", dimension.metre);
  append("s", dimension.second);
  append("rad", dimension.radian);
  return text;
}

}  // namespace

Dimension operator+(const Dimension& a, const Dimension& b) {
  return {a.metre + b.metre, a.kilogram + b.kilogram, a.second + b.second, a.radian + b.radian};
}

Dimension operator*(const Dimension& a, int exponent) {
  return {a.metre * exponent, a.kilogram * exponent, a.second * exponent, a.radian * exponent};
}

std::string describe(const Dimension& dimension) {
  const NamedDimension* named = find_name(dimension);
  if (named == nullptr) return fmt::format("a quantity in {}", base_units(dimension));
  if (named->unit.empty()) return std::string(named->name);
  return fmt::format("{} ({})", named->name, named->unit);
}

std::string si_unit(const Dimension& dimension) {
  const NamedDimension* named = find_name(dimension);
  return named != nullptr ? std::string(named->unit) : base_units(dimension);
}

double Unit::to_si(double value) const {
  value *= factor;
  if (power_of_ten > 0) value *= std::pow(10.0, power_of_ten);
  value /= divisor;
  if (power_of_ten < 0) value /= std::pow(10.0, -power_of_ten);
  return value;
}

Unit operator*(const Unit& a, const Unit& b) {
  return {a.factor * b.factor, a.divisor * b.divisor, a.power_of_ten + b.power_of_ten,
          a.dimension + b.dimension};
}

Unit power(const Unit& unit, int exponent) {
  Unit result{std::pow(unit.factor, std::abs(exponent)), std::pow(unit.divisor, std::abs(exponent)),
              unit.power_of_ten * exponent, unit.dimension * exponent};
  if (exponent < 0) std::swap(result.factor, result.divisor);
  return result;
}

std::optional<Unit> find_unit(std::string_view name) {
  static const UnitMap units = make_units();
  const auto found = units.find(std::string(name));
  if (found == units.end()) return std::nullopt;
  return found->second;
}

const std::vector<std::string>& unit_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const UnitEntry& entry : unit_table) {
      list.emplace_back(entry.name);
      for (const char prefix : entry.prefixes) list.push_back(prefix + std::string(entry.name));
    }
    return list;
  }();
  return names;
}

}  // namespace abut::scene
