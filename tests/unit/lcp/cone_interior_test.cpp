#include "lcp/cone_interior.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "support/cones.h"
#include "support/sizes.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

// What Newton's method is left with, relative to the terms of each block.
constexpr double near_solution = 1e-5;

struct Approach {
  bool arrives = false;
  Vector z;  // of the problem as given
  std::vector<Mode> modes;
};

Approach approach(const ConeProblem& problem) {
  const ConeSystem system(problem);
  Approach found;
  Vector scaled;
  found.arrives = ConeInterior(system).approach(scaled, found.modes);
  if (!found.arrives) return found;
  found.z.resize(problem.size());
  for (Index i = 0; i < system.block_count(); ++i)
    system.set_part(found.z, i, system.scale(i) * system.part(scaled, i));
  return found;
}

// Systems of bodies with more contacts than they have freedoms, so that forces are not unique.
TEST(ConeInterior, ComesNearSolutionsOfImpacts) {
  int arrived = 0;
  const int count = cases(50);
  for (int k = 0; k < count; ++k) {
    RandomProblems random(static_cast<unsigned>(k));
    const ConeProblem problem = rough_bodies(random, {});
    const Approach found = approach(problem);
    if (!found.arrives) continue;
    ++arrived;
    EXPECT_LT(cone_residual(problem, found.z), near_solution) << k;
  }
  EXPECT_GT(arrived, 0.9 * count);
}

// A square block is pushed along a diagonal: feet that lie alike bear alike, though of four feet
// any share would do.
TEST(ConeInterior, WhatIsSymmetricStaysSo) {
  for (const double push : {2.0, 20.0}) {
    std::vector<RoughContact> feet;
    for (const double y : {-1.0, 1.0})
      for (const double x : {-1.0, 1.0})
        feet.push_back({0, -1, Eigen::Vector3d::UnitZ(), {x, y, 0}, {x, y, 0}, 0.5});
    const ConeProblem problem =
        rough_problem({{1, Eigen::Vector3d::Ones(), {push, 0, -10}, {0, 0, 0}}}, feet);
    const Approach found = approach(problem);
    ASSERT_TRUE(found.arrives);
    for (Eigen::Index x = 0; x < 2; ++x)
      EXPECT_NEAR(found.z[3 * x], found.z[3 * (x + 2)], 1e-6) << push;
    EXPECT_EQ(found.modes, std::vector<Mode>(4, push > 5 ? Mode::slip : Mode::stick));
  }
}

// Two rows that must both open by the same motion: there is no solution, and no way to one.
TEST(ConeInterior, DoesNotArriveWhereThereIsNoSolution) {
  ConeProblem problem{
      Matrix(2, 2), Vector(2), {ConeBlock::bounded(0, infinity), ConeBlock::bounded(0, infinity)}};
  problem.a << 1, -1, -1, 1;
  problem.b << -1, -2;
  EXPECT_FALSE(approach(problem).arrives);
}

TEST(ConeInterior, DeclinesRowsWithUpperBounds) {
  ConeProblem problem{Matrix::Identity(1, 1), -Vector::Ones(1), {ConeBlock::bounded(0, 2)}};
  EXPECT_FALSE(approach(problem).arrives);
}

}  // namespace
