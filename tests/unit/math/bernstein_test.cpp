#include "math/bernstein.h"

#include "support/models.h"

namespace abut::math {
namespace {

using Curve = BernsteinCoefficients<3, 8>;

Curve random_curve() {
  Curve c;
  for (double& x : c.reshaped()) x = *rc::gen::inRange(-1000, 1000) / 100.0;
  return c;
}

double random_parameter() {
  return *rc::gen::inRange(0, 10001) / 10000.0;
}

TEST(Bernstein, BasisSumsToOneAndInterpolatesTheEnds) {
  for (const double s : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    const auto basis = bernstein_basis<7>(s);
    EXPECT_NEAR(basis.sum(), 1, 1e-15);
    EXPECT_GE(basis.minCoeff(), 0);
  }
  EXPECT_EQ(bernstein_basis<7>(0)[0], 1);
  EXPECT_EQ(bernstein_basis<7>(1)[7], 1);
}

TEST(Bernstein, BasisMatchesTheBinomialFormula) {
  const double s = 0.3;
  const double binomial[] = {1, 3, 3, 1};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(bernstein_basis<3>(s)[i], binomial[i] * std::pow(s, i) * std::pow(1 - s, 3 - i),
                1e-16);
}

RC_GTEST_PROP(Bernstein, DerivativeMatchesDifferences, ()) {
  const Curve c = random_curve();
  const double s = 0.1 + 0.8 * random_parameter(), h = 1e-3;
  const auto f = [&](double x) { return bernstein_value<3, 8>(c, x); };
  const Vec3 difference = (8 * (f(s + h) - f(s - h)) - (f(s + 2 * h) - f(s - 2 * h))) / (12 * h);
  RC_ASSERT((bernstein_value<3, 7>(bernstein_derivative<3, 8>(c), s) - difference).norm() < 1e-5);
}

RC_GTEST_PROP(Bernstein, RestrictionIsTheSameCurve, ()) {
  const Curve c = random_curve();
  double a = random_parameter(), b = random_parameter();
  if (a > b) std::swap(a, b);
  const Curve piece = bernstein_restricted<3, 8>(c, a, b);
  const double s = random_parameter();
  RC_ASSERT((bernstein_value<3, 8>(piece, s) - bernstein_value<3, 8>(c, a + s * (b - a))).norm() <
            1e-12);
}

RC_GTEST_PROP(Bernstein, NormBoundHoldsAndIsSharpOnShortIntervals, ()) {
  const Curve c = random_curve();
  const double a = random_parameter(), b = std::min(1.0, a + 1e-3);
  const double bound = bernstein_norm_bound<3, 8>(c, a, b);
  double largest = 0;
  for (int i = 0; i <= 20; ++i)
    largest = std::max(largest, bernstein_value<3, 8>(c, a + (b - a) * i / 20).norm());
  RC_ASSERT(largest <= bound);
  // The hull shrinks onto the curve quadratically, so little is given away.
  RC_ASSERT(bound <= largest + 1e-2);
}

}  // namespace
}  // namespace abut::math
