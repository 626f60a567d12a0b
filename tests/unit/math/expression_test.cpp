#include "math/expression.h"
#include "support/constants.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

using abut::math::Expression;
using abut::math::ExpressionError;
using abut::math::Interval;
using abut::math::IntervalJet;
using abut::math::Jet;

namespace {

using abut::test::pi;

Expression parsed(const std::string& text, const std::string& variable = "t") {
  const auto result = Expression::parse(text, variable);
  if (const auto* error = std::get_if<ExpressionError>(&result)) {
    ADD_FAILURE() << text << ": " << error->message;
    return {};
  }
  return std::get<Expression>(result);
}

double value(const std::string& text, double t = 0) {
  return parsed(text).value(t);
}

ExpressionError error_of(const std::string& text, const std::string& variable = "t") {
  const auto result = Expression::parse(text, variable);
  if (const auto* error = std::get_if<ExpressionError>(&result)) return *error;
  ADD_FAILURE() << text << " was accepted";
  return {};
}

/// Random formulas that are smooth where they are defined.
class FormulaMaker {
 public:
  explicit FormulaMaker(unsigned seed) : engine_(seed) {}
  std::string make(int depth) {
    if (depth == 0 || pick(6) == 0) return leaf();
    switch (pick(12)) {
      case 0:
        return "(" + make(depth - 1) + "+" + make(depth - 1) + ")";
      case 1:
        return "(" + make(depth - 1) + "-" + make(depth - 1) + ")";
      case 2:
        return make(depth - 1) + "*" + make(depth - 1);
      case 3:
        return "(" + make(depth - 1) + ")/(2.5+sin(" + make(depth - 1) + "))";
      case 4:
        return "(" + make(depth - 1) + ")^" + std::to_string(pick(5));
      case 5:
        return "sqrt(3+cos(" + make(depth - 1) + "))";
      case 6:
        return "exp(sin(" + make(depth - 1) + "))";
      case 7:
        return "log(4+cos(" + make(depth - 1) + "))";
      case 8:
        return "atan2(" + make(depth - 1) + ",2+cos(" + make(depth - 1) + "))";
      case 9:
        return "(2+sin(" + make(depth - 1) + "))^(0.3*cos(" + make(depth - 1) + "))";
      case 10:
        return "tanh(" + make(depth - 1) + ")";
      default:
        return "asin(0.9*sin(" + make(depth - 1) + "))";
    }
  }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  std::string leaf() {
    static const char* const leaves[] = {"t", "t", "pi", "0.7", "2", "-t", "e"};
    return leaves[pick(7)];
  }
  std::mt19937_64 engine_;
};

TEST(Expression, ShiftedHasTheValuesOfLater) {
  const Expression f = parsed("t^2 + sin(3*t)/exp(t)");
  const Expression later = f.shifted(0.5).shifted(0.25);
  for (const double t : {-1.0, 0.0, 2.5}) {
    EXPECT_DOUBLE_EQ(later.value(t), f.value(t + 0.75));
    EXPECT_DOUBLE_EQ(later.jet(t).first, f.jet(t + 0.75).first);
    EXPECT_TRUE(later.jet(Interval(t, t + 1)).value.contains(f.value(t + 1.1)));
  }
  // Nothing added widens nothing.
  const Interval same = f.shifted(0).jet(Interval(1, 2)).value;
  EXPECT_EQ(same.lower, f.jet(Interval(1, 2)).value.lower);
  EXPECT_EQ(same.upper, f.jet(Interval(1, 2)).value.upper);
}

}  // namespace

TEST(Expression, UsualPrecedence) {
  EXPECT_EQ(value("1+2*3"), 7);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("8-4-2"), 2);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("1/60"), 1.0 / 60);
  EXPECT_EQ(value("2*pi/3"), 2 * pi / 3);
  EXPECT_EQ(value(" 0.1 * t ^ 2 ", 3), 0.1 * 9);
  EXPECT_EQ(value("1.5e-3"), 1.5e-3);
}

TEST(Expression, Functions) {
  EXPECT_DOUBLE_EQ(value("sin(pi/6)"), 0.5);
  EXPECT_DOUBLE_EQ(value("cos(pi/3)"), 0.5);
  EXPECT_DOUBLE_EQ(value("tan(pi/4)"), 1);
  EXPECT_DOUBLE_EQ(value("asin(1)+acos(1)"), pi / 2);
  EXPECT_DOUBLE_EQ(value("4*atan(1)"), pi);
  EXPECT_DOUBLE_EQ(value("cosh(1)^2-sinh(1)^2"), 1);
  EXPECT_DOUBLE_EQ(value("tanh(log(3)/2)"), 0.5);
  EXPECT_DOUBLE_EQ(value("log(exp(2))"), 2);
  EXPECT_DOUBLE_EQ(value("log(e)"), 1);
  EXPECT_EQ(value("sqrt(16)"), 4);
  EXPECT_EQ(value("abs(-3)"), 3);
  EXPECT_EQ(value("min(2, 3) + 10*max(2, 3)"), 32);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1)"), 3 * pi / 4);
}

TEST(Expression, WholePowersWorkForEveryBase) {
  EXPECT_EQ(value("(-2)^3"), -8);
  EXPECT_EQ(value("(-2)^-2"), 0.25);
  EXPECT_EQ(value("t^(4/2)", -3), 9);
  EXPECT_TRUE(std::isnan(value("(-2)^0.5")));
  const Jet cube = parsed("t^3").jet(-2);
  EXPECT_EQ(cube.value, -8);
  EXPECT_EQ(cube.first, 12);
  EXPECT_EQ(cube.second, -12);
}

TEST(Expression, DerivativesOfPowersAtZero) {
  const double expected[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 2}, {0, 0, 0}, {0, 0, 0}};
  for (int n = 0; n <= 4; ++n) {
    const Jet jet = parsed("t^" + std::to_string(n)).jet(0);
    EXPECT_EQ(jet.value, expected[n][0]) << n;
    EXPECT_EQ(jet.first, expected[n][1]) << n;
    EXPECT_EQ(jet.second, expected[n][2]) << n;
  }
}

TEST(Expression, ConstantsHaveNoDerivativeEvenWhereTheFunctionIsSteep) {
  const Jet jet = parsed("sqrt(0)*t + asin(1)").jet(0.5);
  EXPECT_EQ(jet.first, 0);
  EXPECT_EQ(jet.second, 0);
}

TEST(Expression, KnownDerivatives) {
  const double t = 0.7;
  const Jet wave = parsed("sin(2*pi*t)").jet(t);
  EXPECT_DOUBLE_EQ(wave.first, 2 * pi * std::cos(2 * pi * t));
  EXPECT_DOUBLE_EQ(wave.second, -4 * pi * pi * std::sin(2 * pi * t));
  const Jet angle = parsed("atan2(t, 1-t)").jet(t);
  const double r2 = t * t + (1 - t) * (1 - t);
  EXPECT_NEAR(angle.first, 1 / r2, 1e-14);
  EXPECT_NEAR(angle.second, -(4 * t - 2) / (r2 * r2), 1e-13);
  const Jet root = parsed("t^1.5").jet(4);
  EXPECT_DOUBLE_EQ(root.first, 3);
  EXPECT_DOUBLE_EQ(root.second, 0.375);
}

RC_GTEST_PROP(Expression, DerivativesAgreeWithDifferences, ()) {
  const std::string text = FormulaMaker(*rc::gen::inRange(0u, 1000000u)).make(3);
  const double t = 0.05 * *rc::gen::inRange(-20, 21) + 0.013;
  const Expression f = parsed(text);
  const Jet jet = f.jet(t);
  RC_ASSERT(jet.value == f.value(t));
  // Central differences of order 4 of value and of first derivative. The error left is rounding,
  // about 1e-16 / h, and the fifth derivative times h^4, which the enclosure below bounds roughly.
  const double h = 1e-3;
  const auto slope = [&](auto&& g) {
    return (8 * (g(t + h) - g(t - h)) - (g(t + 2 * h) - g(t - 2 * h))) / (12 * h);
  };
  const double first = slope([&](double x) { return f.value(x); });
  const double second = slope([&](double x) { return f.jet(x).first; });
  const double first_half = (f.value(t + h / 2) - f.value(t - h / 2)) / h;
  const double second_half = (f.jet(t + h / 2).first - f.jet(t - h / 2).first) / h;
  // The two difference formulas bracket their own error; a wrong derivative is off by order one.
  const double size = 1 + std::abs(jet.value) + std::abs(jet.first) + std::abs(jet.second);
  RC_ASSERT(std::abs(first - jet.first) <= std::abs(first - first_half) + 1e-9 * size);
  RC_ASSERT(std::abs(second - jet.second) <= std::abs(second - second_half) + 1e-8 * size);
}

RC_GTEST_PROP(Expression, IntervalJetsEncloseJets, ()) {
  const unsigned seed = *rc::gen::inRange(0u, 1000000u);
  const Expression f = parsed(FormulaMaker(seed).make(4));
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  const double lower = 4 * unit(engine) - 2;
  const double width = std::pow(10.0, -8 * unit(engine));
  const IntervalJet range = f.jet(Interval(lower, lower + width));
  for (int i = 0; i < 20; ++i) {
    const Jet jet = f.jet(std::min(lower + unit(engine) * width, lower + width));
    RC_ASSERT(range.value.contains(jet.value));
    RC_ASSERT(range.first.contains(jet.first));
    RC_ASSERT(range.second.contains(jet.second));
  }
}

TEST(Expression, KinksAreEnclosed) {
  const IntervalJet inside = parsed("abs(t)").jet(Interval(-1, 2));
  EXPECT_EQ(inside.value.lower, 0);
  EXPECT_EQ(inside.first.lower, -1);
  EXPECT_EQ(inside.first.upper, 1);
  EXPECT_EQ(inside.second.upper, std::numeric_limits<double>::infinity());
  const IntervalJet beside = parsed("max(t, 0)").jet(Interval(1, 2));
  EXPECT_EQ(beside.first.lower, 1);
  EXPECT_EQ(beside.second.upper, 0);
}

TEST(Expression, KnowsWhetherItDependsOnTheVariable) {
  EXPECT_TRUE(parsed("2*t").depends_on_variable());
  EXPECT_FALSE(parsed("2*pi").depends_on_variable());
  EXPECT_FALSE(Expression().depends_on_variable());
  EXPECT_EQ(Expression().value(3), 0);
  EXPECT_EQ(Expression::constant(2.5).jet(3).value, 2.5);
}

TEST(Expression, MistakesAreLocated) {
  EXPECT_EQ(error_of("1 + * 2").offset, 4u);
  EXPECT_EQ(error_of("2 t").offset, 2u);
  EXPECT_EQ(error_of("2t").offset, 1u);
  EXPECT_EQ(error_of("(1+2").offset, 0u);
  EXPECT_EQ(error_of("1+2)").offset, 3u);
  EXPECT_NE(error_of("3*x").message.find("`x`"), std::string::npos);
  EXPECT_NE(error_of("t", "").message.find("`t`"), std::string::npos);
  EXPECT_NE(error_of("min(1)").message.find("takes 2 arguments, not 1"), std::string::npos);
  EXPECT_NE(error_of("sin").message.find("sin(...)"), std::string::npos);
  EXPECT_NE(error_of("1e999").message.find("too large"), std::string::npos);
  EXPECT_NE(error_of("").message.find("empty"), std::string::npos);
  EXPECT_EQ(error_of("0x10").offset, 1u);
  EXPECT_EQ(error_of("1_000").offset, 1u);
  EXPECT_EQ(error_of("1 \xff").offset, 2u);
}

TEST(Expression, DeepNestingIsAnErrorNotACrash) {
  const std::size_t depth = 100000;
  EXPECT_NE(error_of(std::string(depth, '(') + "1").message.find("nested"), std::string::npos);
  std::string calls;
  std::string powers = "2";
  std::string right = "1";
  for (std::size_t i = 0; i < depth; ++i) {
    calls += "sin(";
    powers += "^2";
  }
  for (int i = 0; i < 60; ++i) right = "1+1*2^(" + right + ")";
  EXPECT_NE(error_of(calls).message.find("nested"), std::string::npos);
  EXPECT_NE(error_of(powers).message.find("nested"), std::string::npos);
  EXPECT_FALSE(error_of(right).message.empty());
  EXPECT_EQ(value(std::string(depth, '-') + "1"), 1);
  std::string sum = "1";
  for (std::size_t i = 1; i < depth; ++i) sum += "+1";
  EXPECT_EQ(value(sum), static_cast<double>(depth));
}
