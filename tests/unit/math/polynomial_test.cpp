#include "math/polynomial.h"

#include <gtest/gtest.h>

#include <random>

#include "math/bernstein.h"
#include "support/seeds.h"

namespace abut::math {
namespace {

constexpr double rounding = 1e-13;

Polynomial random_polynomial(std::mt19937& random, int degree) {
  std::uniform_real_distribution<double> number(-1, 1);
  Eigen::VectorXd coefficients(degree + 1);
  for (double& c : coefficients) c = number(random);
  return Polynomial::from_bernstein(coefficients);
}

TEST(Polynomial, ValuesAreThoseOfTheBernsteinForm) {
  Eigen::Matrix<double, 1, 5> c;
  c << 1, -2, 0.5, 3, 7;
  const Polynomial p = Polynomial::from_bernstein(c.transpose());
  EXPECT_EQ(p.degree(), 4);
  for (const double s : {0.0, 0.2, 0.5, 0.77, 1.0})
    EXPECT_NEAR(p.value(s), (bernstein_value<1, 5>(c, s)[0]), rounding);
  EXPECT_NEAR((p.bernstein().transpose() - c).norm(), 0, rounding);
}

TEST(Polynomial, SumsAndProductsHaveTheValuesOfTheirParts) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    const Polynomial x = random_polynomial(random, 7), y = random_polynomial(random, 14);
    const Polynomial sum = x + y, difference = x - y, product = x * y, scaled = 3.0 * x;
    for (double s = 0; s <= 1; s += 0.0625) {
      EXPECT_NEAR(sum.value(s), x.value(s) + y.value(s), rounding);
      EXPECT_NEAR(difference.value(s), x.value(s) - y.value(s), rounding);
      EXPECT_NEAR(product.value(s), x.value(s) * y.value(s), rounding);
      EXPECT_NEAR(scaled.value(s), 3 * x.value(s), rounding);
    }
  }
}

TEST(Polynomial, VectorsMultiplyAsUsual) {
  std::mt19937 random(test::seed(5));
  PolynomialVector x, y;
  for (int k = 0; k < 3; ++k) {
    x[k] = random_polynomial(random, 3);
    y[k] = random_polynomial(random, 5);
  }
  const PolynomialVector across = cross(x, y);
  EXPECT_NEAR(dot(across, x).value(0.3), 0, rounding);
  EXPECT_NEAR(dot(across, y).value(0.8), 0, rounding);
  EXPECT_NEAR(dot(x + y, x - y).value(0.4), (dot(x, x) - dot(y, y)).value(0.4), rounding);
}

// Of random polynomials the true minimum is found by looking closely.
TEST(Polynomial, IsAboveWhatItIsAboveOfAndNothingElse) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    std::mt19937 random(seed);
    const Polynomial p = random_polynomial(random, 20);
    double least = 1e9;
    for (int i = 0; i <= 100000; ++i) least = std::min(least, p.value(i / 1e5));
    EXPECT_TRUE(is_above(p, least - 0.02)) << seed;
    EXPECT_FALSE(is_above(p, least)) << seed;
  }
}

}  // namespace
}  // namespace abut::math
