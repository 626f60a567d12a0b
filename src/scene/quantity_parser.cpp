#include "scene/quantity_parser.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"
#include "math/expression.h"

namespace abut::scene {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// Letters of units: also the bytes of the degree and micro signs.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
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
  skip_space();
  if (sum(result) && next_ < text_.size()) {
    fail(fmt::format("unexpected `{}`", base::shown(text_.substr(next_))));
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
    const bool minus = next_ < text_.size() && text_[next_] == '-';
    if (!take('+') && !take('-')) return true;
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
    const bool divide = next_ < text_.size() && text_[next_] == '/';
    if (!take('*') && !take('/')) return true;
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
  bool negative = false;
  for (;;) {
    if (take('-')) {
      negative = !negative;
    } else if (!take('+')) {
      break;
    }
  }
  if (!power(out)) return false;
  if (negative) out.value = -out.value;
  return true;
}

bool QuantityParser::power(Quantity& out) {
  if (!atom(out)) return false;
  if (!take('^')) return true;
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
  if (next_ == text_.size()) return fail("it ends where a number should follow");
  const char c = text_[next_];
  if (is_digit(c) || c == '.') return number(out);
  if (is_letter(c)) return name(out);
  if (!take('(')) return fail(fmt::format("unexpected `{}`", base::shown(text_.substr(next_, 1))));
  if (!enter() || !sum(out)) return false;
  if (!take(')')) return fail("a `)` is missing");
  --nesting_;
  return true;
}

bool QuantityParser::number(Quantity& out) {
  const char* const begin = text_.data() + next_;
  const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), out.value);
  if (status == std::errc::invalid_argument) return fail("`.` is not a number");
  const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
  if (status == std::errc::result_out_of_range) {
    return fail(fmt::format("{} is beyond the range of numbers", base::shown(digits)));
  }
  next_ += digits.size();
  if (next_ < text_.size()) {
    const char c = text_[next_];
    if (digits == "0" && (c == 'x' || c == 'X')) return fail("hexadecimal numbers are not read");
    if (digits == "0" && c == 'o') return fail("octal numbers are not read");
    if (c == '_') return fail("underscores in numbers are not read; leave them out");
    if (c == ',' && nesting_ == 0)
      return fail("the decimal sign is a point, and digits are not grouped");
  }
  skip_space();
  return true;
}

bool QuantityParser::name(Quantity& out) {
  const std::string_view word = word_at(next_);
  const std::size_t after = next_ + word.size();
  if (is_constant(word)) {
    next_ = after;
    skip_space();
    out.value = word == "pi" ? 3.14159265358979323846 : 2.71828182845904523536;
    return true;
  }
  if (after < text_.size() && text_[after] == '(') {
    next_ = after;
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
  take('(');
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
  } while (take(','));
  if (!take(')')) return fail("a `)` is missing");
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
  if (text_.substr(next_).starts_with("1/") && unit_follows(next_ + 2)) {
    next_ += 2;
    sign = -1;
  }
  if (!unit_follows(next_)) return true;
  for (;;) {
    if (!one_unit(total, sign)) return false;
    // An operator belongs to the units only if another unit follows it.
    std::size_t after = next_;
    sign = 1;
    if (after < text_.size() && (text_[after] == '*' || text_[after] == '/')) {
      sign = text_[after] == '/' ? -1 : 1;
      ++after;
      while (after < text_.size() && text_[after] == ' ') ++after;
    }
    if (!unit_follows(after)) break;
    next_ = after;
  }
  value.value = total.to_si(value.value);
  value.dimension = value.dimension + total.dimension;
  return true;
}

bool QuantityParser::one_unit(Unit& total, int sign) {
  const std::string_view word = word_at(next_);
  const auto unit = find_unit(word);
  if (!unit) {
    return fail(fmt::format("`{}` is not a unit{}", base::shown(word),
                            base::did_you_mean(word, unit_names())));
  }
  next_ += word.size();
  skip_space();
  int exponent = 1;
  if (take('^')) {
    const bool negative = take('-');
    if (next_ == text_.size() || !is_digit(text_[next_])) {
      return fail("a unit is raised to a whole number only");
    }
    exponent = text_[next_] - '0';
    ++next_;
    if (next_ < text_.size() && (is_digit(text_[next_]) || text_[next_] == '.')) {
      return fail("a unit is raised to a whole number of one digit only");
    }
    skip_space();
    if (negative) exponent = -exponent;
  }
  total = total * scene::power(*unit, sign * exponent);
  return true;
}

bool QuantityParser::unit_follows(std::size_t position) const {
  if (position >= text_.size() || !is_letter(text_[position])) return false;
  const std::string_view word = word_at(position);
  const std::size_t after = position + word.size();
  return !is_constant(word) && (after >= text_.size() || text_[after] != '(');
}

std::string_view QuantityParser::word_at(std::size_t position) const {
  std::size_t end = position;
  while (end < text_.size() &&
         (is_letter(text_[end]) || (end > position && is_digit(text_[end])))) {
    ++end;
  }
  return text_.substr(position, end - position);
}

bool QuantityParser::fail(std::string message) {
  if (message_.empty()) message_ = std::move(message);
  return false;
}

bool QuantityParser::take(char c) {
  if (next_ == text_.size() || text_[next_] != c) return false;
  ++next_;
  skip_space();
  return true;
}

void QuantityParser::skip_space() {
  while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\t' ||
                                  text_[next_] == '\n' || text_[next_] == '\r')) {
    ++next_;
  }
}

}  // namespace abut::scene
