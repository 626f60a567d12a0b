#include "math/expression.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "math/expression_parser.h"
#include "math/series.h"

namespace abut::math {
namespace {

/// The circle number and Euler's number lie between these doubles and their successors.
constexpr double pi_below = 3.141592653589793116;
constexpr double e_below = 2.718281828459045091;

/// A constant known only to lie just above `below`.
void set_constant(double& out, double below) {
  out = below;
}
void set_constant(Jet& out, double below) {
  out = {below, 0, 0};
}
void set_constant(IntervalJet& out, double below) {
  out = {Interval(below, next_up(below)), 0.0, 0.0};
}

template <std::size_t N>
void set_constant(MultiJet<double, N>& out, double below) {
  out = MultiJet<double, N>(below);
}
template <std::size_t N>
void set_constant(MultiJet<Interval, N>& out, double below) {
  out = MultiJet<Interval, N>(Interval(below, next_up(below)));
}
void set_constant(SeriesJet& out, double below) {
  out = SeriesJet(Series(Interval(below, next_up(below))));
}
void set_constant(Interval& out, double below) {
  out = Interval(below, next_up(below));
}
void set_constant(Series& out, double below) {
  out = Series(Interval(below, next_up(below)));
}

void set_number(double& out, double x) {
  out = x;
}
void set_number(Interval& out, double x) {
  out = x;
}
template <class Number, std::size_t N>
void set_number(MultiJet<Number, N>& out, double x) {
  out = MultiJet<Number, N>(Number(x));
}
void set_number(Jet& out, double x) {
  out = {x, 0, 0};
}
void set_number(IntervalJet& out, double x) {
  out = {x, 0.0, 0.0};
}
void set_number(Series& out, double x) {
  out = Series(Interval(x));
}

}  // namespace

std::variant<Expression, ExpressionError> Expression::parse(std::string_view text,
                                                            std::string_view variable) {
  if (variable.empty()) return ExpressionParser(text, {}).parse();
  const std::array names = {std::string(variable)};
  return ExpressionParser(text, names).parse();
}

std::variant<Expression, ExpressionError> Expression::parse(
    std::string_view text, std::span<const std::string> variables) {
  return ExpressionParser(text, variables).parse();
}

Expression Expression::constant(double value) {
  Expression result;
  result.program_.push_back({Op::number, value});
  result.text_ = fmt::format("{}", value);
  return result;
}

template <class Number>
Number Expression::apply(const Instruction& instruction, const Number& a) {
  // The overloads for double; those for jets are found by their argument.
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan;
  using std::sinh, std::cosh, std::tanh, std::exp, std::log, std::sqrt, std::abs;
  switch (instruction.op) {
    case Op::negate:
      return -a;
    case Op::integer_power:
      return power(a, static_cast<int>(instruction.operand));
    case Op::real_power:
      return power(a, instruction.operand);
    case Op::abs_power:
      return abs_power(a, instruction.operand);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sqrt:
      return sqrt(a);
    default:
      return abs(a);
  }
}

template <class Number>
Number Expression::apply(Op op, const Number& a, const Number& b) {
  using std::exp, std::log, std::min, std::max, std::atan2;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return exp(b * log(a));
    case Op::min:
      return min(a, b);
    case Op::max:
      return max(a, b);
    default:
      return atan2(a, b);
  }
}

template <class Number>
Number Expression::run(std::span<const Number> arguments) const {
  std::array<Number, ExpressionParser::maximum_stack> stack;
  std::size_t top = 0;
  for (const Instruction& instruction : program_) {
    switch (instruction.op) {
      case Op::number:
        set_number(stack[top++], instruction.operand);
        break;
      case Op::pi:
        set_constant(stack[top++], pi_below);
        break;
      case Op::e:
        set_constant(stack[top++], e_below);
        break;
      case Op::variable:
        if (instruction.shift == 0) {  // adding nothing to an interval would widen it
          stack[top++] = arguments[static_cast<std::size_t>(instruction.operand)];
        } else {
          set_number(stack[top], instruction.shift);
          stack[top] = arguments[static_cast<std::size_t>(instruction.operand)] + stack[top];
          ++top;
        }
        break;
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::divide:
      case Op::power:
      case Op::min:
      case Op::max:
      case Op::atan2:
        --top;
        stack[top - 1] = apply(instruction.op, stack[top - 1], stack[top]);
        break;
      default:
        stack[top - 1] = apply(instruction, stack[top - 1]);
    }
  }
  if (top == 0) set_number(stack[0], 0.0);
  return stack[0];
}

Expression Expression::shifted(double by) const {
  Expression result = *this;
  for (Instruction& instruction : result.program_)
    if (instruction.op == Op::variable) instruction.shift += by;
  return result;
}

double Expression::value(double t) const {
  return run<double>({&t, 1});
}

double Expression::value(std::span<const double> at) const {
  return run<double>(at);
}

Interval Expression::range(std::span<const Interval> over) const {
  return run<Interval>(over);
}

Jet Expression::jet(double t) const {
  const Jet variable{t, 1, 0};
  return run<Jet>({&variable, 1});
}

IntervalJet Expression::jet(const Interval& t) const {
  const IntervalJet variable{t, Interval(1.0), Interval(0.0)};
  return run<IntervalJet>({&variable, 1});
}

Series Expression::series(const Interval& t, double scale) const {
  const Series variable = Series::variable(t, scale);
  return run<Series>({&variable, 1});
}

SeriesJet Expression::jets(const std::array<Series, 3>& along) const {
  std::array<SeriesJet, 3> variables;
  for (std::size_t i = 0; i < 3; ++i) variables[i] = SeriesJet::variable(along[i], i);
  return run<SeriesJet>(variables);
}

template <std::size_t N>
MultiJet<double, N> Expression::jets(const std::array<double, N>& at) const {
  std::array<MultiJet<double, N>, N> variables;
  for (std::size_t i = 0; i < N; ++i) variables[i] = MultiJet<double, N>::variable(at[i], i);
  return run<MultiJet<double, N>>(variables);
}

template <std::size_t N>
MultiJet<Interval, N> Expression::jets(const std::array<Interval, N>& over) const {
  std::array<MultiJet<Interval, N>, N> variables;
  for (std::size_t i = 0; i < N; ++i) variables[i] = MultiJet<Interval, N>::variable(over[i], i);
  return run<MultiJet<Interval, N>>(variables);
}

template MultiJet<double, 2> Expression::jets(const std::array<double, 2>&) const;
template MultiJet<double, 3> Expression::jets(const std::array<double, 3>&) const;
template MultiJet<Interval, 2> Expression::jets(const std::array<Interval, 2>&) const;
template MultiJet<Interval, 3> Expression::jets(const std::array<Interval, 3>&) const;

}  // namespace abut::math
