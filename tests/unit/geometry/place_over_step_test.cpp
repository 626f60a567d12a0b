// Places that are nearly where a surface has a changing normal, against the places themselves.

#include "geometry/place_over_step.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "geometry/closed_surface.h"
#include "support/surfaces.h"

namespace abut::geometry {
namespace {

using math::Polynomial;
using math::PolynomialVector;

constexpr int looks = 200;

// Turns by about `angle`, rad, and is of any length.
PolynomialVector turning(std::mt19937& random, const Vec3& about, double angle) {
  std::uniform_real_distribution<double> number(-1, 1);
  PolynomialVector m;
  for (int k = 0; k < 3; ++k) {
    Eigen::VectorXd coefficients(5);
    for (double& c : coefficients) c = 2 * about[k] + angle * number(random);
    m[k] = Polynomial::from_bernstein(coefficients);
  }
  return m;
}

Vec3 value(const PolynomialVector& m, double s) {
  return {m[0].value(s), m[1].value(s), m[2].value(s)};
}

// What is promised of the place, and that no more than rounding is given away where the direction
// hardly changes.
void expect_near(const SupportAtom& atom, const PolynomialVector& m, double sharpness) {
  const auto place = place_over_step(atom, m);
  ASSERT_TRUE(place);
  const double size = atom.outer_radius();
  EXPECT_LT(place->off, sharpness * size);
  EXPECT_LT(place->turn, sharpness);
  const Polynomial height = place->height(m, 2 * size);
  for (int i = 0; i <= looks; ++i) {
    const double s = double(i) / looks;
    const Vec3 along = value(m, s);
    const double exact = atom.height(along);
    EXPECT_GE(height.value(s), exact - 1e-15 * size);
    EXPECT_LT(height.value(s), exact + 20 * sharpness * size * along.norm());
    // Where radii of curvature are moderate, a normal tells the place.
    EXPECT_LT((value(place->point, s) - atom.support(along)).norm(), 100 * sharpness * size);
  }
}

class PlaceOverStepOf : public testing::TestWithParam<unsigned> {
 protected:
  std::mt19937 random{GetParam()};
  PolynomialVector direction(double angle) {
    return turning(random, Vec3(0.5, 0.6, 0.7).normalized(), angle);
  }
};

TEST_P(PlaceOverStepOf, Ellipsoids) {
  expect_near(SupportAtom::ellipsoid({0.2, 0.3, 0.4}), direction(0.001), 2e-11);
}

TEST_P(PlaceOverStepOf, Superellipsoids) {
  expect_near(SupportAtom::superellipsoid({0.2, 0.3, 0.4}, 0.7, 0.8), direction(0.001), 1e-9);
}

TEST_P(PlaceOverStepOf, Circles) {
  expect_near(SupportAtom::circle({0.1, 0.2, 0.3}, 0.4), direction(0.001), 2e-11);
}

TEST_P(PlaceOverStepOf, SurfacesByFormulas) {
  const auto checked =
      test::implicit("x^4 + y^4 + 2*z^4 - 0.03", {-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6});
  ASSERT_TRUE(checked.surface);
  expect_near(SupportAtom::of_surface(checked.surface), direction(0.001), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlaceOverStepOf, testing::Range(1u, 9u));

// Bounds are bounds also where they are not sharp: over turns that the series do not follow.
TEST(PlaceOverStep, BoundsHoldOverLargeTurns) {
  std::mt19937 random{3};
  const SupportAtom atom = SupportAtom::ellipsoid({0.2, 0.3, 0.4});
  for (int i = 0; i < 20; ++i) {
    const PolynomialVector m = turning(random, Vec3(0.5, 0.6, 0.7).normalized(), 1.0);
    const auto place = place_over_step(atom, m);
    if (!place) continue;
    const Polynomial height = place->height(m, 0.8);
    for (int k = 0; k <= looks; ++k) {
      const double s = double(k) / looks;
      EXPECT_GE(height.value(s), atom.height(value(m, s)));
    }
  }
}

// A surface in parameters has no function whose zeros it is.
TEST(PlaceOverStep, NothingIsKnownOfOtherSurfaces) {
  std::mt19937 random{1};
  const auto checked = test::parametric({"0.3*cos(u)*cos(v)", "0.3*sin(u)*cos(v)", "0.2*sin(v)"},
                                        {0, 2 * M_PI}, {-M_PI / 2, M_PI / 2});
  ASSERT_TRUE(checked.surface);
  EXPECT_FALSE(place_over_step(SupportAtom::of_surface(checked.surface),
                               turning(random, Vec3(0.5, 0.6, 0.7), 0.1)));
}

}  // namespace
}  // namespace abut::geometry
