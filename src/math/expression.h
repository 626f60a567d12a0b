#pragma once
// Formulas as scene files write them: `1/60`, `2*pi/3`, `0.1*t^2 + sin(2*pi*t)` in one variable,
// `x^2/4 + y^2 + z^2 - 1` in several.
//
// Grammar (usual precedence; ^ binds tightest and to the right, unary minus below ^):
//   sum     = product { ("+" | "-") product }
//   product = unary { ("*" | "/") unary }
//   unary   = { "+" | "-" } power
//   power   = atom [ "^" unary ]
//   atom    = number | name | name "(" sum { "," sum } ")" | "(" sum ")"
// Constants: pi, e. Functions: sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs,
// min(a, b), max(a, b), atan2(y, x).

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "math/interval.h"
#include "math/jet.h"
#include "math/multi_jet.h"

namespace abut::math {

class Series;

/// Why a text is not a formula. `offset` counts bytes from its start.
struct ExpressionError {
  std::size_t offset = 0;
  std::string message;
};

/// A parsed formula, compiled to a postfix program. The default one is the constant 0.
class Expression {
 public:
  Expression() = default;

  /// Parses `text`, in which `variable` (may be empty: none) names the free variable.
  static std::variant<Expression, ExpressionError> parse(std::string_view text,
                                                         std::string_view variable);
  /// The same with any number of variables; their order is that of the arguments below.
  static std::variant<Expression, ExpressionError> parse(std::string_view text,
                                                         std::span<const std::string> variables);
  static Expression constant(double value);

  bool depends_on_variable() const { return depends_on_variable_; }

  /// Not a number where the formula is undefined, as in log(-1).
  double value(double t) const;
  /// Value with first and second derivative, by automatic differentiation.
  Jet jet(double t) const;
  /// Enclosures of value and derivatives over all t in the interval.
  IntervalJet jet(const Interval& t) const;
  /// The Taylor series in s of the value at t + scale s, for every t in the interval.
  Series series(const Interval& t, double scale) const;
  /// Of three variables that are series: with gradient and Hessian.
  MultiJet<Series, 3> jets(const std::array<Series, 3>& along) const;

  /// Of several variables: value, gradient and Hessian, at a point and over a box.
  template <std::size_t N>
  MultiJet<double, N> jets(const std::array<double, N>& at) const;
  template <std::size_t N>
  MultiJet<Interval, N> jets(const std::array<Interval, N>& over) const;
  /// Enclosure of the value alone.
  Interval range(std::span<const Interval> over) const;
  double value(std::span<const double> at) const;
  /// The formula that has at t the value of this one at t + by.
  Expression shifted(double by) const;

  const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;

  enum class Op : unsigned char {
    number,
    pi,
    e,
    variable,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    integer_power,
    real_power,
    abs_power,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    sqrt,
    abs,
    min,
    max,
    atan2,
  };
  struct Instruction {
    Op op = Op::number;
    /// Of `number`, the exponent of the constant powers, and which variable it is.
    double operand = 0;
    double shift = 0;  ///< added to the variable
  };

  template <class Number>
  Number run(std::span<const Number> arguments) const;
  template <class Number>
  static Number apply(const Instruction& instruction, const Number& a);
  template <class Number>
  static Number apply(Op op, const Number& a, const Number& b);

  std::vector<Instruction> program_;
  std::string text_ = "0";
  bool depends_on_variable_ = false;
};

}  // namespace abut::math
