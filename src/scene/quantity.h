#pragma once
// Numbers as scenes write them: `1.5`, `30 deg`, `1/60`, `2*pi/3`, `2*5 mm`, `7.85 g/cm^3`.
//
// A unit stands behind a product and applies to all of it: `1/60 s` is a sixtieth of a second. In
// a product of quantities with units each has its own: `10 m / 2 s`.
//   sum     = product { ("+" | "-") product }
//   product = signed [ units ] { ("*" | "/") signed [ units ] }
//   units   = ["1/"] unit { ["*" | "/"] unit },  unit = name [ "^" whole number ]
//   signed  = { "+" | "-" } power,  power = atom [ "^" signed ]
//   atom    = number | "pi" | "e" | function "(" sum { "," sum } ")" | "(" sum ")"

#include <string>
#include <string_view>
#include <variant>

#include "scene/unit.h"

namespace abut::scene {

/// A number in SI with its dimension. Without units the dimension is `none`.
struct Quantity {
  double value = 0;
  Dimension dimension;
};

/// Why a text is no quantity: "`1_000` is not a number; leave out the underscore".
struct QuantityError {
  std::string message;
};

/// Always finite.
std::variant<Quantity, QuantityError> parse_quantity(std::string_view text);

/// The value of a quantity that should have the given dimension. Plain numbers are SI.
std::variant<double, QuantityError> parse_number(std::string_view text, const Dimension& expected);

}  // namespace abut::scene
