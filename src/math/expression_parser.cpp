#include "math/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace abut::math {
namespace {

bool is_letter(char c) {
  return is_ascii_letter(c) || c == '_';
}

/// A character of the text as a message can show it.
std::string shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte >= 0x7f ? fmt::format("byte 0x{:02x}", byte) : fmt::format("`{}`", c);
}

}  // namespace

std::variant<Expression, ExpressionError> ExpressionParser::parse() {
  if (scanner_.at_end()) {
    return ExpressionError{0, "the formula is empty; write a number or a formula"};
  }
  if (sum() && !scanner_.at_end()) {
    fail(scanner_.offset(),
         fmt::format("unexpected {}; an operator such as + or * is missing before it, or "
                     "it does not belong in a formula",
                     shown(scanner_.peek())));
  }
  if (failed_) return std::move(error_);
  result_.text_ = std::string(scanner_.text());
  return std::move(result_);
}

bool ExpressionParser::sum() {
  if (!product()) return false;
  for (;;) {
    const Op op = scanner_.peek() == '-' ? Op::subtract : Op::add;
    if (!scanner_.take('+') && !scanner_.take('-')) return true;
    if (!product()) return false;
    emit(op, -1);
  }
}

bool ExpressionParser::product() {
  if (!unary()) return false;
  for (;;) {
    const Op op = scanner_.peek() == '/' ? Op::divide : Op::multiply;
    if (!scanner_.take('*') && !scanner_.take('/')) return true;
    if (!unary()) return false;
    emit(op, -1);
  }
}

bool ExpressionParser::unary() {
  const bool negative = scanner_.take_signs();
  if (!power()) return false;
  if (negative) emit(Op::negate, 0);
  return true;
}

bool ExpressionParser::power() {
  if (!atom()) return false;
  if (!scanner_.take('^')) return true;
  if (!enter(scanner_.offset())) return false;
  const std::size_t exponent_start = result_.program_.size();
  if (!unary()) return false;
  --nesting_;
  return emit_power(exponent_start);
}

/// A constant exponent is folded into the instruction: whole ones need no logarithm and so work
/// for every base.
bool ExpressionParser::emit_power(std::size_t exponent_start) {
  auto& program = result_.program_;
  const auto begin = program.begin() + static_cast<std::ptrdiff_t>(exponent_start);
  const bool constant = std::none_of(
      begin, program.end(), [](const auto& instruction) { return instruction.op == Op::variable; });
  if (!constant) {
    emit(Op::power, -1);
    return true;
  }
  Expression exponent;
  exponent.program_.assign(begin, program.end());
  const double value = exponent.value(0);
  program.resize(exponent_start);
  constexpr int largest = std::numeric_limits<int>::max() / 2;
  const bool whole = std::abs(value) <= largest && value == std::floor(value);
  // abs(u)^p has no kink for p > 1, and abs(u)^2 is u^2: told as one operation, its derivatives are
  // enclosed tightly where u changes its sign.
  if (value > 1 && !program.empty() && program.back().op == Op::abs) {
    const bool even = whole && std::fmod(value, 2) == 0;
    program.pop_back();
    emit(even ? Op::integer_power : Op::abs_power, -1, value);
    return true;
  }
  emit(whole ? Op::integer_power : Op::real_power, -1, value);
  return true;
}

bool ExpressionParser::atom() {
  if (scanner_.at_end()) {
    return fail(scanner_.offset(), "the formula ends where a number, a name or `(` should follow");
  }
  if (scanner_.starts_number()) return number();
  const char c = scanner_.peek();
  if (is_letter(c)) return name();
  const std::size_t start = scanner_.offset();
  if (!scanner_.take('(')) {
    return fail(start,
                fmt::format("unexpected {} where a number, a name or `(` should be", shown(c)));
  }
  if (!enter(start)) return false;
  if (!sum()) return false;
  if (!scanner_.take(')')) return fail(start, "this `(` has no matching `)`");
  --nesting_;
  return true;
}

bool ExpressionParser::number() {
  const std::size_t start = scanner_.offset();
  const FormulaScanner::Number number = scanner_.take_number();
  if (number.status == std::errc::invalid_argument) return fail(start, "`.` is not a number");
  if (number.status == std::errc::result_out_of_range) {
    return fail(start, fmt::format("{} is too large or too small for a number", number.digits));
  }
  const char c = scanner_.peek();
  if (is_letter(c) || is_digit(c)) {
    return fail(scanner_.offset(),
                fmt::format("unexpected {} after a number; write * for a product", shown(c)));
  }
  scanner_.skip_space();
  emit(Op::number, 1, number.value);
  return !failed_;
}

bool ExpressionParser::name() {
  struct Function {
    std::string_view name;
    Op op;
    std::size_t arguments;
  };
  static constexpr std::array functions = {
      Function{"sin", Op::sin, 1},    Function{"cos", Op::cos, 1},   Function{"tan", Op::tan, 1},
      Function{"asin", Op::asin, 1},  Function{"acos", Op::acos, 1}, Function{"atan", Op::atan, 1},
      Function{"sinh", Op::sinh, 1},  Function{"cosh", Op::cosh, 1}, Function{"tanh", Op::tanh, 1},
      Function{"exp", Op::exp, 1},    Function{"log", Op::log, 1},   Function{"sqrt", Op::sqrt, 1},
      Function{"abs", Op::abs, 1},    Function{"min", Op::min, 2},   Function{"max", Op::max, 2},
      Function{"atan2", Op::atan2, 2}};
  const std::size_t start = scanner_.offset();
  std::size_t end = start;
  while (is_letter(scanner_.at(end)) || is_digit(scanner_.at(end))) ++end;
  const std::string_view word = scanner_.text().substr(start, end - start);
  scanner_.go_to(end);
  scanner_.skip_space();
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (word != variables_[i]) continue;
    result_.depends_on_variable_ = true;
    emit(Op::variable, 1, static_cast<double>(i));
    return !failed_;
  }
  if (word == "pi" || word == "e") {
    emit(word == "pi" ? Op::pi : Op::e, 1);
    return !failed_;
  }
  for (const Function& function : functions) {
    if (word == function.name) return call(function.op, function.arguments, word, start);
  }
  std::string known;
  for (const std::string& variable : variables_) known += variable + ", ";
  known += "pi and e";
  return fail(start, fmt::format("`{}` is not known here; names are {}, and functions such as sin, "
                                 "sqrt, min",
                                 word, known));
}

bool ExpressionParser::call(Op op, std::size_t argument_count, std::string_view function,
                            std::size_t start) {
  if (!scanner_.take('(')) {
    return fail(start, fmt::format("`{0}` is a function; write {0}(...)", function));
  }
  if (!enter(start)) return false;
  std::size_t found = 0;
  do {
    if (!sum()) return false;
    ++found;
  } while (scanner_.take(','));
  if (!scanner_.take(')'))
    return fail(start, fmt::format("the `(` after {} has no matching `)`", function));
  --nesting_;
  if (found != argument_count) {
    return fail(start, fmt::format("{} takes {} argument{}, not {}", function, argument_count,
                                   argument_count == 1 ? "" : "s", found));
  }
  emit(op, 1 - static_cast<int>(argument_count));
  return true;
}

void ExpressionParser::emit(Op op, int stack_change, double operand) {
  stack_ += stack_change;
  if (stack_ > static_cast<int>(maximum_stack)) {
    fail(scanner_.offset(), "the formula has too many nested operands; split it up");
  }
  result_.program_.push_back({op, operand});
}

bool ExpressionParser::enter(std::size_t offset) {
  if (++nesting_ <= maximum_nesting) return true;
  return fail(offset,
              fmt::format("the formula is nested more than {} deep; split it up", maximum_nesting));
}

bool ExpressionParser::fail(std::size_t offset, std::string message) {
  if (!failed_) error_ = {offset, std::move(message)};
  failed_ = true;
  return false;
}

}  // namespace abut::math
