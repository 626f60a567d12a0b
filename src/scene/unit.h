#pragma once
// Physical units: their dimension, and their size in SI.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut::scene {

/// Exponents of the base units. Angles count as a dimension of their own, so that degrees where a
/// length belongs are noticed.
struct Dimension {
  int metre = 0;
  int kilogram = 0;
  int second = 0;
  int radian = 0;

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

Dimension operator+(const Dimension& a, const Dimension& b);
Dimension operator*(const Dimension& a, int exponent);

namespace dimension {
inline constexpr Dimension none{};
inline constexpr Dimension length{1, 0, 0, 0};
inline constexpr Dimension mass{0, 1, 0, 0};
inline constexpr Dimension time{0, 0, 1, 0};
inline constexpr Dimension angle{0, 0, 0, 1};
inline constexpr Dimension frequency{0, 0, -1, 0};
inline constexpr Dimension velocity{1, 0, -1, 0};
inline constexpr Dimension angular_velocity{0, 0, -1, 1};
inline constexpr Dimension acceleration{1, 0, -2, 0};
inline constexpr Dimension density{-3, 1, 0, 0};
inline constexpr Dimension inertia{2, 1, 0, 0};
inline constexpr Dimension force{1, 1, -2, 0};
inline constexpr Dimension torque{2, 1, -2, 0};
inline constexpr Dimension impulse{1, 1, -1, 0};
inline constexpr Dimension stiffness{0, 1, -2, 0};
inline constexpr Dimension damping{0, 1, -1, 0};
inline constexpr Dimension quadratic_drag{-1, 1, 0, 0};
inline constexpr Dimension angular_damping{2, 1, -1, 0};
inline constexpr Dimension pressure{-1, 1, -2, 0};
}  // namespace dimension

/// What a dimension is called: "a length", "an angular velocity (rad/s)", or its base units.
std::string describe(const Dimension& dimension);
/// The SI unit of a dimension: "m", "kg/m^3"; empty for plain numbers.
std::string si_unit(const Dimension& dimension);

/// value_SI = value * factor * 10^power / divisor. Kept apart so that `5 mm` is exactly 0.005 and
/// `36 km/h` exactly 10.
struct Unit {
  double factor = 1;
  double divisor = 1;
  int power_of_ten = 0;
  Dimension dimension;

  double to_si(double value) const;
};

Unit operator*(const Unit& a, const Unit& b);
/// The unit to a small whole power.
Unit power(const Unit& unit, int exponent);

/// `m`, `mm`, `kg`, `GPa`, `deg`, `rpm`, ...
std::optional<Unit> find_unit(std::string_view name);
/// Every unit name, for suggestions and for the reference.
const std::vector<std::string>& unit_names();

}  // namespace abut::scene
