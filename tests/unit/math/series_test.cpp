#include "math/series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "math/bernstein.h"
#include "math/expression.h"

namespace abut::math {
namespace {

Expression formula(const std::string& text) {
  return std::get<Expression>(Expression::parse(text, "t"));
}

NearPolynomial near(const Expression& f, double from, double to) {
  const double half = 0.5 * (to - from);
  return near_polynomial(f.series(Interval(from + half), half), f.series(Interval(from, to), half));
}

double value(const NearPolynomial& p, double s) {
  const auto basis = bernstein_basis<Series::order - 1>(s);
  double sum = 0;
  for (int i = 0; i < Series::order; ++i) sum += p.coefficients[i] * basis[i];
  return sum;
}

// The error is a bound, and over a short time a small one, for every function there is.
TEST(Series, PolynomialsAreAsNearAsTheySay) {
  for (const std::string text :
       {"0.3",          "t",         "t^3 - 2*t",  "sin(7*t)",
        "cos(3*t + 1)", "exp(-2*t)", "log(1 + t)", "sqrt(2 + t)",
        "1/(1 + t^2)",  "tan(t)",    "asin(t/2)",  "acos(t/3)",
        "atan(2*t)",    "sinh(t)",   "cosh(2*t)",  "tanh(3*t)",
        "abs(t - 5)",   "min(t, 3)", "max(t, 3)",  "atan2(1 + t, 2 - t)",
        "(1 + t)^2.5",  "(2 + t)^t", "(3 - t)^-2", "0.05*sin(2*pi*6*t)*exp(-t)"}) {
    const Expression f = formula(text);
    for (const double from : {-0.3, 0.0, 0.4}) {
      const double to = from + 0.05;
      const NearPolynomial p = near(f, from, to);
      EXPECT_LT(p.error, 1e-11) << text;
      for (int i = 0; i <= 50; ++i) {
        const double s = i / 50.0, t = from + s * (to - from);
        EXPECT_LE(std::abs(value(p, s) - f.value(t)), p.error + 1e-14) << text << " at " << t;
      }
    }
  }
}

// Over a time in which the function turns about, the bound is not small, but one all the same.
TEST(Series, ErrorsAreBoundsOverLongTimes) {
  const Expression f = formula("sin(7*t)");
  const NearPolynomial p = near(f, 0, 1);
  EXPECT_GT(p.error, 1e-10);
  double worst = 0;
  for (int i = 0; i <= 200; ++i)
    worst = std::max(worst, std::abs(value(p, i / 200.0) - f.value(i / 200.0)));
  EXPECT_GT(worst, 1e-12);
  EXPECT_LE(worst, p.error);
}

TEST(Series, KinksAndPolesHaveNoBound) {
  for (const std::string text : {"abs(t)", "1/t", "log(t)", "sqrt(t)", "min(t, 0)", "tan(t + pi/2)",
                                 "t^0.5", "atan2(t, 0*t)"})
    EXPECT_FALSE(std::isfinite(near(formula(text), -0.1, 0.1).error)) << text;
}

}  // namespace
}  // namespace abut::math
