#include "scene/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "scene/quantity_parser.h"

namespace abut::scene {
namespace {

bool starts_a_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.');
}

/// Words that other YAML readers take for flags, infinities and the like.
std::string_view special_word(std::string_view text) {
  static constexpr std::array flags = {"yes", "no", "on", "off", "true", "false"};
  static constexpr std::array infinities = {".nan", ".inf", "-.inf", "+.inf",   "nan",
                                            "inf",  "-inf", "+inf",  "infinity"};
  std::string lowered;
  for (const char c : text.substr(0, 16)) {
    lowered += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const char* flag : flags) {
    if (lowered == flag) return "a flag stands where a number belongs";
  }
  for (const char* infinity : infinities) {
    if (lowered == infinity) return "numbers must be finite";
  }
  return {};
}

/// Angles are numbers: where masses are involved, radians may be left out or written.
bool agree(const Dimension& given, const Dimension& expected) {
  if (given == expected) return true;
  Dimension without = given;
  without.radian = expected.radian;
  return expected.kilogram != 0 && without == expected;
}

}  // namespace

std::variant<Quantity, QuantityError> parse_quantity(std::string_view text) {
  // Nearly all numbers are plain; read those at once and exactly.
  if (starts_a_number(text)) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status == std::errc() && end == text.data() + text.size()) return Quantity{value, {}};
  }
  if (text.empty()) return QuantityError{"the text is empty; give a number"};
  if (const auto hint = special_word(text); !hint.empty()) {
    return QuantityError{fmt::format("`{}` is not a number; {}", base::shown(text), hint)};
  }
  auto result = QuantityParser(text).parse();
  if (const auto* error = std::get_if<QuantityError>(&result)) {
    return QuantityError{
        fmt::format("`{}` is not a number; {}", base::shown(text), error->message)};
  }
  return result;
}

std::variant<double, QuantityError> parse_number(std::string_view text, const Dimension& expected) {
  const auto result = parse_quantity(text);
  if (const auto* error = std::get_if<QuantityError>(&result)) return *error;
  const Quantity quantity = std::get<Quantity>(result);
  if (quantity.dimension == dimension::none || agree(quantity.dimension, expected)) {
    return quantity.value;
  }
  return QuantityError{fmt::format("`{}` is {}, but {} is expected", base::shown(text),
                                   describe(quantity.dimension), describe(expected))};
}

}  // namespace abut::scene
