#include "toi/root_finder.h"

#include <cmath>

namespace abut::toi {
namespace {

constexpr GapBand band{0.5e-10, 1e-10};
constexpr RootMethod all[] = {RootMethod::bisection, RootMethod::regula_falsi, RootMethod::newton,
                              RootMethod::quadratic};

// A body thrown up from a height of 1 m and falling back: chi = 1 + 3 t - 9.81 t^2 / 2.
GapSample thrown_up(double t) {
  return {t, 1 + 3 * t - 4.905 * t * t, 3 - 9.81 * t, -9.81};
}
const double landing = (3 + std::sqrt(9 + 4 * 4.905)) / 9.81;

TEST(RootFinder, EveryMethodFindsTheLanding) {
  for (const RootMethod method : all) {
    const Root root = find_root(method, thrown_up, thrown_up(0), thrown_up(2), band);
    EXPECT_TRUE(root.converged);
    EXPECT_TRUE(band.contains(root.sample.gap));
    EXPECT_NEAR(root.sample.time, landing, 1e-10);
  }
}

TEST(RootFinder, TheQuadraticModelNeedsOneIterationUnderConstantAcceleration) {
  EXPECT_EQ(
      find_root(RootMethod::quadratic, thrown_up, thrown_up(0), thrown_up(2), band).iterations, 1);
}

TEST(RootFinder, BetterModelsNeedFewerIterations) {
  const auto count = [](RootMethod method) {
    return find_root(method, thrown_up, thrown_up(0), thrown_up(2), band).iterations;
  };
  EXPECT_LT(count(RootMethod::newton), count(RootMethod::bisection));
  EXPECT_LT(count(RootMethod::regula_falsi), count(RootMethod::bisection));
  EXPECT_LT(count(RootMethod::quadratic), count(RootMethod::newton));
}

// Derivatives that lie must not stop any method from converging.
TEST(RootFinder, SurvivesWrongDerivatives) {
  for (const double lie : {-1.0, 0.0, 1e9, std::nan("")}) {
    const auto gap = [lie](double t) { return GapSample{t, std::cos(t) - t * t * t, lie, -lie}; };
    for (const RootMethod method : all) {
      const Root root = find_root(method, gap, gap(0), gap(1.5), band);
      ASSERT_TRUE(root.converged);
      EXPECT_NEAR(root.sample.time, 0.865474033101614, 1e-9);
    }
  }
}

TEST(RootFinder, SaysSoWhenTheGapJumpsOverTheBand) {
  const auto gap = [](double t) { return GapSample{t, t < 0.3 ? 1.0 : -1.0, 0, 0}; };
  for (const RootMethod method : all) {
    const Root root = find_root(method, gap, gap(0), gap(1), band);
    EXPECT_FALSE(root.converged);
    EXPECT_GT(root.sample.gap, 0);
    EXPECT_NEAR(root.sample.time, 0.3, 1e-15);
  }
}

TEST(PredictedStep, TakesTheFirstPositiveRoot) {
  EXPECT_NEAR(predicted_step({0, 1, -3, 2}, 0), (3 - std::sqrt(5.0)) / 2, 1e-15);
  EXPECT_NEAR(predicted_step({0, 1, 0, -2}, 0), 1, 1e-15);
  EXPECT_NEAR(predicted_step({0, 1, -2, 0}, 0), 0.5, 1e-15);
  EXPECT_TRUE(std::isnan(predicted_step({0, 1, 2, 0}, 0)));
  EXPECT_NEAR(predicted_step({0, 1, -1, 1}, 0), 1, 1e-15);  // never meets: Newton's step
}

}  // namespace
}  // namespace abut::toi
