#include "scene/quantity_parser.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "math/expression.h"

namespace abut::scene {
namespace {

using math::is_digit;

/// Letters of units: also the bytes of the degree and micro signs.
bool is_letter(char c) {
  return math::is_ascii_letter(c) || static_cast<unsigned char>(c) >= 0x80;
}

bool is_constant(std::string_view word) {
  return word == "pi" || word == "e";
}

std::vector<std::string> known_words() {
  std::vector<std::string> words = unit_names();
  for (const char* word : {"pi", "sin", "cos", "tan", "sqrt", "exp", "log", "abs"}) {
    words.emplace_back(word);
  }
  return words;
}

}  // namespace

std::variant<Quantity, QuantityError> QuantityParser::parse() {
  Quantity result;
  if (sum(result) && !scanner_.at_end()) {
    fail(fmt::format("unexpected `{}`", base::shown(scanner_.rest())));
  }
  if (message_.empty() && !std::isfinite(result.value)) fail("the result is not finite");
  if (!message_.empty()) return QuantityError{message_};
  return result;
}

bool QuantityParser::enter() {
  if (++nesting_ <= maximum_nesting) return true;
  return fail(fmt::format("it is nested more than {} deep", maximum_nesting));
}

bool QuantityParser::sum(Quantity& out) {
  if (!product(out)) return false;
  for (;;) {
    const bool minus = scanner_.peek() == '-';
    if (!scanner_.take('+') && !scanner_.take('-')) return true;
    Quantity term;
    if (!product(term)) return false;
    if (term.dimension != out.dimension) {
      return fail(fmt::format("{} and {} cannot be added", describe(out.dimension),
                              describe(term.dimension)));
    }
    out.value += minus ? -term.value : term.value;
  }
}

bool QuantityParser::product(Quantity& out) {
  if (!signed_power(out) || !units(out)) return false;
  for (;;) {
    const bool divide = scanner_.peek() == '/';
    if (!scanner_.take('*') && !scanner_.take('/')) return true;
    Quantity factor;
    if (!signed_power(factor)) return false;
    // A unit belongs to the whole product, unless a factor before has one of its own.
    const bool has_units = out.dimension != dimension::none;
    if (has_units && !units(factor)) return false;
    out.value = divide ? out.value / factor.value : out.value * factor.value;
    out.dimension = out.dimension + factor.dimension * (divide ? -1 : 1);
    if (!has_units && !units(out)) return false;
  }
}

bool QuantityParser::signed_power(Quantity& out) {
  const bool negative = scanner_.take_signs();
  if (!power(out)) return false;
  if (negative) out.value = -out.value;
  return true;
}

bool QuantityParser::power(Quantity& out) {
  if (!atom(out)) return false;
  if (!scanner_.take('^')) return true;
  Quantity exponent;
  if (!enter() || !signed_power(exponent)) return false;
  --nesting_;
  return raise(out, exponent);
}

bool QuantityParser::raise(Quantity& base, const Quantity& exponent) {
  constexpr int largest = 9;  // of a power of a quantity with units
  if (exponent.dimension != dimension::none) return fail("an exponent must be a plain number");
  if (base.dimension != dimension::none) {
    if (exponent.value != std::floor(exponent.value) || std::abs(exponent.value) > largest) {
      return fail(fmt::format("a quantity with units can only be raised to a whole power up to {}",
                              largest));
    }
    base.dimension = base.dimension * static_cast<int>(exponent.value);
    const Dimension& d = base.dimension;
    for (const int e : {d.metre, d.kilogram, d.second, d.radian}) {
      if (std::abs(e) > 100) return fail("the exponents of its units are absurdly large");
    }
  }
  base.value = std::pow(base.value, exponent.value);
  return true;
}

bool QuantityParser::atom(Quantity& out) {
  if (scanner_.at_end()) return fail("it ends where a number should follow");
  if (scanner_.starts_number()) return number(out);
  if (is_letter(scanner_.peek())) return name(out);
  if (!scanner_.take('(')) {
    return fail(fmt::format("unexpected `{}`", base::shown(scanner_.rest().substr(0, 1))));
  }
  if (!enter() || !sum(out)) return false;
  if (!scanner_.take(')')) return fail("a `)` is missing");
  --nesting_;
  return true;
}

bool QuantityParser::number(Quantity& out) {
  const auto [value, digits, status] = scanner_.take_number();
  if (status == std::errc::invalid_argument) return fail("`.` is not a number");
  if (status == std::errc::result_out_of_range) {
    return fail(fmt::format("{} is beyond the range of numbers", base::shown(digits)));
  }
  out.value = value;
  if (!scanner_.at_end()) {
    const char c = scanner_.peek();
    if (digits == "0" && (c == 'x' || c == 'X')) return fail("hexadecimal numbers are not read");
    if (digits == "0" && c == 'o') return fail("octal numbers are not read");
    if (c == '_') return fail("underscores in numbers are not read; leave them out");
    if (c == ',' && nesting_ == 0)
      return fail("the decimal sign is a point, and digits are not grouped");
  }
  scanner_.skip_space();
  return true;
}

bool QuantityParser::name(Quantity& out) {
  const std::string_view word = word_at(scanner_.offset());
  const std::size_t after = scanner_.offset() + word.size();
  if (is_constant(word)) {
    scanner_.go_to(after);
    scanner_.skip_space();
    out.value = word == "pi" ? 3.14159265358979323846 : 2.71828182845904523536;
    return true;
  }
  if (scanner_.at(after) == '(') {
    scanner_.go_to(after);
    return call(word, out);
  }
  if (find_unit(word)) return fail(fmt::format("a number is missing before the unit `{}`", word));
  return fail(fmt::format("`{}` is not a number, a unit or a function{}", base::shown(word),
                          base::did_you_mean(word, known_words())));
}

/// Functions take and give plain numbers, except that angles may stand in sin, cos and tan.
bool QuantityParser::call(std::string_view function, Quantity& out) {
  std::vector<double> arguments;
  if (!enter()) return false;
  scanner_.take('(');
  do {
    Quantity argument;
    if (!sum(argument)) return false;
    const bool angle = argument.dimension == dimension::angle &&
                       (function == "sin" || function == "cos" || function == "tan");
    if (argument.dimension != dimension::none && !angle) {
      return fail(
          fmt::format("{} takes plain numbers, not {}", function, describe(argument.dimension)));
    }
    arguments.push_back(argument.value);
  } while (scanner_.take(','));
  if (!scanner_.take(')')) return fail("a `)` is missing");
  --nesting_;
  // The formula evaluator knows the functions; it gets the arguments with all their digits.
  std::string formula = std::string(function) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!std::isfinite(arguments[i])) return fail("an argument is not finite");
    formula += fmt::format("{}({})", i > 0 ? "," : "", arguments[i]);
  }
  const auto parsed = math::Expression::parse(formula + ")", "");
  if (const auto* error = std::get_if<math::ExpressionError>(&parsed)) return fail(error->message);
  out = {std::get<math::Expression>(parsed).value(0), dimension::none};
  return true;
}

bool QuantityParser::units(Quantity& value) {
  Unit total;
  int sign = 1;
  // Frequencies: `60 1/s`.
  if (scanner_.rest().starts_with("1/") && unit_follows(scanner_.offset() + 2)) {
    scanner_.go_to(scanner_.offset() + 2);
    sign = -1;
  }
  if (!unit_follows(scanner_.offset())) return true;
  for (;;) {
    if (!one_unit(total, sign)) return false;
    // An operator belongs to the units only if another unit follows it.
    std::size_t after = scanner_.offset();
    sign = scanner_.at(after) == '/' ? -1 : 1;
    if (scanner_.at(after) == '*' || scanner_.at(after) == '/') {
      ++after;
      while (scanner_.at(after) == ' ') ++after;
    }
    if (!unit_follows(after)) break;
    scanner_.go_to(after);
  }
  value.value = total.to_si(value.value);
  value.dimension = value.dimension + total.dimension;
  return true;
}

bool QuantityParser::one_unit(Unit& total, int sign) {
  const std::string_view word = word_at(scanner_.offset());
  const auto unit = find_unit(word);
  if (!unit) {
    return fail(fmt::format("`{}` is not a unit{}", base::shown(word),
                            base::did_you_mean(word, unit_names())));
  }
  scanner_.go_to(scanner_.offset() + word.size());
  scanner_.skip_space();
  int exponent = 1;
  if (scanner_.take('^')) {
    const bool negative = scanner_.take('-');
    if (!is_digit(scanner_.peek())) return fail("a unit is raised to a whole number only");
    exponent = scanner_.peek() - '0';
    scanner_.go_to(scanner_.offset() + 1);
    if (scanner_.starts_number()) {
      return fail("a unit is raised to a whole number of one digit only");
    }
    scanner_.skip_space();
    if (negative) exponent = -exponent;
  }
  total = total * scene::power(*unit, sign * exponent);
  return true;
}

bool QuantityParser::unit_follows(std::size_t position) const {
  if (!is_letter(scanner_.at(position))) return false;
  const std::string_view word = word_at(position);
  const std::size_t after = position + word.size();
  return !is_constant(word) && scanner_.at(after) != '(';
}

std::string_view QuantityParser::word_at(std::size_t position) const {
  std::size_t end = position;
  while (is_letter(scanner_.at(end)) || (end > position && is_digit(scanner_.at(end)))) ++end;
  return scanner_.text().substr(position, end - position);
}

bool QuantityParser::fail(std::string message) {
  if (message_.empty()) message_ = std::move(message);
  return false;
}

}  // namespace abut::scene
