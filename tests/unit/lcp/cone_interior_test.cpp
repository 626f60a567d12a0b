#include "lcp/cone_interior.h"

#include <gtest/gtest.h>

#include <algorithm>

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
  Vector z;  // of the problem as given
  std::vector<Mode> modes;
};

Approach approach(const ConeProblem& problem, double distance = 1) {
  const ConeSystem system(problem);
  Approach found;
  Vector scaled;
  ConeInterior(system).approach(distance, scaled, found.modes);
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
    arrived += cone_residual(problem, approach(problem).z) < near_solution;
  }
  EXPECT_GT(arrived, 0.9 * count);
}

// What is missed from one distance is reached from another.
TEST(ConeInterior, BeginsAtSeveralDistances) {
  int missed = 0, missed_from_all = 0;
  const int count = cases(1000);
  for (int k = 0; k < count; ++k) {
    RandomProblems random(static_cast<unsigned>(k));
    const ConeProblem problem = rough_bodies(random, {12, 2, 10, 1.5, k % 2 == 0});
    const auto misses = [&](double distance) {
      return !(cone_residual(problem, approach(problem, distance).z) < near_solution);
    };
    if (!misses(1)) continue;
    ++missed;
    missed_from_all +=
        std::all_of(std::begin(ConeInterior::distances), std::end(ConeInterior::distances), misses);
  }
  EXPECT_LE(3 * missed_from_all, missed);  // Newton's method does more of them
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
    for (Eigen::Index x = 0; x < 2; ++x)
      EXPECT_NEAR(found.z[3 * x], found.z[3 * (x + 2)], 1e-6) << push;
    EXPECT_EQ(found.modes, std::vector<Mode>(4, push > 5 ? Mode::slip : Mode::stick));
  }
}

// Rows with bounds on either side, on both and on none: where each unknown ends is known.
TEST(ConeInterior, RowsEndAtTheBoundThatTheyReach) {
  ConeProblem problem{Matrix::Identity(5, 5), Vector(5), {}};
  for (const auto& [lower, upper] :
       {std::pair{0.0, 2.0}, {0.0, 2.0}, {0.0, 2.0}, {-infinity, 2.0}, {-infinity, infinity}})
    problem.blocks.push_back(ConeBlock::bounded(lower, upper));
  problem.b << 1, -1, -3, -3, -3;
  const Approach found = approach(problem);
  const Eigen::Vector<double, 5> expected(0, 1, 2, 2, 3);
  EXPECT_LT((found.z - expected).norm(), near_solution);
  EXPECT_EQ(found.modes, (std::vector<Mode>{Mode::lower, Mode::between, Mode::upper, Mode::upper,
                                            Mode::between}));
}

}  // namespace
