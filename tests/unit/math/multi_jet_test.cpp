#include "math/multi_jet.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "math/expression.h"

namespace {

using abut::math::Expression;
using abut::math::Interval;
using abut::math::MultiJet;

const std::vector<std::string> xyz = {"x", "y", "z"};

Expression formula_of(const std::string& text) {
  return std::get<Expression>(Expression::parse(text, xyz));
}

// Every operation and function of the language, where all of them have values.
const std::vector<std::string> formulas = {
    "x^2/4 + y^2 + z^2 - 1",
    "x*y*z - x/(y + 3) + z",
    "sin(x*y) + cos(y - z)*tan(0.3*z)",
    "exp(0.5*x - y) * log(3 + z) + sqrt(4 + x*y)",
    "asin(0.3*x) + acos(0.3*y*z) + atan(x + z)",
    "sinh(x) + cosh(y*z) - tanh(x - y)",
    "atan2(y + 3, x*z)",
    "abs(x - y*z)^2.5 + abs(y)^3 + abs(z)^2",
    "(2 + x)^(1 + 0.2*y) - (3 + z)^-1.5",
    "x^-2*0 + (x^2 + y^2 + 1)^3 - z^5",
    "min(x + 5, y) * max(z, x - 7)",
};

TEST(MultiJet, AgreesWithDifferences) {
  for (const std::string& text : formulas) {
    SCOPED_TRACE(text);
    const Expression f = formula_of(text);
    const std::array<double, 3> at = {0.7, -0.4, 0.9};
    const auto jet = f.jets<3>(at);
    EXPECT_EQ(jet.value, f.value(at));
    const double h = 1e-5;
    for (std::size_t i = 0; i < 3; ++i) {
      auto low = at, high = at;
      low[i] -= h;
      high[i] += h;
      EXPECT_NEAR(jet.first[i], (f.value(high) - f.value(low)) / (2 * h), 1e-7);
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_NEAR(jet.by(i, j), (f.jets<3>(high).first[j] - f.jets<3>(low).first[j]) / (2 * h),
                    1e-7);
    }
  }
}

RC_GTEST_PROP(MultiJet, EnclosesValueAndDerivatives, ()) {
  const auto unit = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  const std::string& text = *rc::gen::elementOf(formulas);
  const Expression f = formula_of(text);
  std::array<Interval, 3> box;
  std::array<double, 3> at{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = unit(), b = unit();
    box[i] = {std::min(a, b), std::max(a, b)};
    const double t = 0.5 * (unit() + 1);
    at[i] = std::clamp(box[i].lower + t * box[i].width(), box[i].lower, box[i].upper);
  }
  const auto point = f.jets<3>(at);
  const auto range = f.jets<3>(box);
  RC_TAG(text);
  RC_ASSERT(range.value.contains(point.value));
  RC_ASSERT(f.range(box).contains(point.value));
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::isfinite(point.first[i])) RC_ASSERT(range.first[i].contains(point.first[i]));
    for (std::size_t j = 0; j < 3; ++j)
      if (std::isfinite(point.by(i, j))) RC_ASSERT(range.by(i, j).contains(point.by(i, j)));
  }
}

// Sums of squares do not become negative by rounding: the root of one has a value everywhere.
TEST(MultiJet, KeepsTheSignOfSquares) {
  const std::array<Interval, 3> box = {Interval(-1, 1), Interval(-2, 1), Interval(0, 1)};
  EXPECT_EQ(formula_of("x^2 + 3*y^2").range(box).lower, 0);
  EXPECT_EQ(formula_of("sqrt(x^2 + y^2)").range(box).lower, 0);
  EXPECT_EQ(formula_of("x^4 + abs(y)^2.5").jets<3>(box).by(0, 0).lower, 0);
  EXPECT_EQ(formula_of("x^4 + abs(y)^2.5").jets<3>(box).by(1, 1).lower, 0);
}

}  // namespace
