#pragma once
// Turns the text of a formula into the postfix program of math::Expression. The grammar is in
// expression.h; each of its rules is one function here.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "math/expression.h"
#include "math/formula_scanner.h"

namespace abut::math {

class ExpressionParser {
 public:
  /// Nesting of parentheses, calls and exponents; bounds the recursion of the parser.
  static constexpr int maximum_nesting = 64;
  /// Operands waiting at the same time; bounds the memory of an evaluation.
  static constexpr std::size_t maximum_stack = 64;

  ExpressionParser(std::string_view text, std::span<const std::string> variables)
      : scanner_(text), variables_(variables) {}

  std::variant<Expression, ExpressionError> parse();

 private:
  using Op = Expression::Op;

  // Each returns false after fail(), and leaves one more operand on the stack otherwise.
  bool sum();
  bool product();
  bool unary();
  bool power();
  bool atom();
  bool number();
  bool name();
  bool call(Op op, std::size_t argument_count, std::string_view function, std::size_t start);

  void emit(Op op, int stack_change, double operand = 0);
  bool emit_power(std::size_t exponent_start);
  bool enter(std::size_t offset);
  bool fail(std::size_t offset, std::string message);

  FormulaScanner scanner_;
  std::span<const std::string> variables_;
  int nesting_ = 0;
  int stack_ = 0;
  bool failed_ = false;
  Expression result_;
  ExpressionError error_;
};

}  // namespace abut::math
