#include "law/step_problem.h"

#include <gtest/gtest.h>

#include <limits>

#include "law/sweeps.h"
#include "unit/law/step_bodies.h"

namespace abut::law {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using step_testing::cube;

// A contact of the body in slot a with the one in slot b, upwards.
void add_contact(StepProblem& problem, int a, int b, const Vec3& arm_a, const Vec3& arm_b,
                 double friction) {
  step_testing::begin_contact(problem, a, b, friction);
  step_testing::add_rows(problem, {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()}, arm_a, arm_b);
}

void add_feet(StepProblem& problem, int a, int b, double friction) {
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      add_contact(problem, a, b, Vec3(x, y, -0.5), Vec3(x, y, 0.5), friction);
}

// Sliding at v on a plane: friction takes mu g h of it, whatever the feet bear.
TEST(StepProblem, ABlockSlidesByCoulombsLaw) {
  const double fall = 0.04, friction = 0.3;
  StepProblem problem;
  problem.bodies = {cube(2, Vec3(1, 0, -fall))};
  add_feet(problem, 0, impulse::immovable, friction);
  ASSERT_TRUE(solve(problem, 1e-12, 1e-12).solved);
  EXPECT_NEAR(problem.bodies[0].velocity.linear.x(), 1 - friction * fall, 1e-10);
  EXPECT_NEAR(problem.bodies[0].velocity.linear.z(), 0, 1e-10);
  EXPECT_NEAR(problem.bodies[0].velocity.angular.norm(), 0, 1e-10);
  double weight = 0;
  for (const StepBlock& block : problem.blocks) weight += problem.rows[block.first].impulse;
  EXPECT_NEAR(weight, 2 * fall, 1e-10);
}

TEST(StepProblem, ASlowBlockStops) {
  StepProblem problem;
  problem.bodies = {cube(2, Vec3(0.01, 0, -0.04))};
  add_feet(problem, 0, impulse::immovable, 0.3);
  ASSERT_TRUE(solve(problem, 1e-12, 1e-12).solved);
  EXPECT_NEAR(problem.bodies[0].velocity.linear.norm(), 0, 1e-10);
}

// A gap that closes only in part is let close: w = v + gap / h >= 0.
TEST(StepProblem, WhatIsNotReachedIsNotStopped) {
  StepProblem problem;
  problem.bodies = {cube(1, Vec3(0, 0, -1))};
  StepBlock block;
  block.slots = {0, impulse::immovable};
  block.upper = infinity;
  problem.begin_block(block);
  StepRow row;
  row.sides[0].linear = Vec3::UnitZ();
  row.bias = 0.25;
  problem.rows.push_back(row);
  ASSERT_TRUE(solve(problem, 1e-14, 1e-14).solved);
  EXPECT_NEAR(problem.bodies[0].velocity.linear.z(), -0.25, 1e-13);
}

TEST(StepProblem, AnEqualityHoldsWhereItsRowsRepeatEachOther) {
  StepProblem problem;
  problem.bodies = {cube(1, Vec3(1, 2, 3))};
  StepBlock block;
  block.kind = StepBlock::Kind::equality;
  block.slots = {0, impulse::immovable};
  block.rows = 4;
  problem.begin_block(block);
  for (const Vec3& axis :
       {Vec3::UnitX().eval(), Vec3::UnitY().eval(), Vec3::UnitZ().eval(), Vec3::UnitZ().eval()}) {
    StepRow row;
    row.sides[0].linear = axis;
    problem.rows.push_back(row);
  }
  solve(problem, 1e-10, 1e-10);
  EXPECT_LT(problem.bodies[0].velocity.linear.norm(), 1e-8);
}

// A thousand kilograms on four of one: nothing moves, and every layer bears what is above it.
TEST(StepProblem, ExactMethodsCarryHeavyOnLight) {
  const double fall = 0.04;
  StepProblem problem;
  const std::vector<double> masses = {1, 1, 1, 1, 1000};
  for (const double mass : masses) problem.bodies.push_back(cube(mass, Vec3(0, 0, -fall)));
  for (int i = 0; i < 5; ++i) add_feet(problem, i, i == 0 ? impulse::immovable : i - 1, 0.4);
  ASSERT_TRUE(solve(problem, 1e-12, 1e-12).exact);
  for (const StepBody& body : problem.bodies) EXPECT_LT(body.velocity.linear.norm(), 1e-3 * fall);
  double above = 0;
  for (int i = 4; i >= 0; --i) {
    above += masses[i];
    double borne = 0;
    for (int foot = 0; foot < 4; ++foot)
      borne += problem.rows[problem.blocks[4 * i + foot].first].impulse;
    EXPECT_NEAR(borne, above * fall, 1e-3 * above * fall) << i;
  }
}

// Bricks in a wall, each on two others: as many contacts as a heap has.
StepProblem wall(int rows, int columns) {
  const double fall = 0.04;
  StepProblem problem;
  for (int k = 0; k < rows * columns; ++k) problem.bodies.push_back(cube(1, Vec3(0, 0, -fall)));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int brick = row * columns + column;
      if (row == 0) {
        add_feet(problem, brick, impulse::immovable, 0.4);
        continue;
      }
      for (const int side : {0, 1}) {
        const int below = brick - columns + (column + side < columns ? side : 0);
        const double x = side == 0 ? -0.5 : 0.5;
        for (const double y : {-0.5, 0.5})
          add_contact(problem, brick, below, Vec3(x, y, -0.5), Vec3(0, y, 0.5), 0.4);
      }
    }
  return problem;
}

TEST(StepProblem, ManyContactsAreSweptUntilItIsEnough) {
  const double fall = 0.04, enough = 0.25 * fall;
  StepProblem problem = wall(8, 8);
  const StepSolution near = solve(problem, 1e-12, enough);
  EXPECT_TRUE(near.solved);
  EXPECT_FALSE(near.exact);
  EXPECT_LE(near.sweeps, 60);
  for (const StepBlock& block : problem.blocks)
    EXPECT_GT(problem.motion(block, block.first), -2 * enough);
  StepProblem again = wall(8, 8);
  EXPECT_TRUE(solve(again, 1e-6, 1e-6).exact);
  for (const StepBody& body : again.bodies) EXPECT_LT(body.velocity.linear.norm(), 1e-3 * fall);
}

// The exact solver finds a few digits, whoever asks for more: that is still the better answer.
// What an impact left would throw it up again.
TEST(StepProblem, ImpulsesOfContactsThatOpenAreMissed) {
  StepProblem problem;
  problem.bodies.push_back(cube(2, Vec3(0, 0, 1)));
  add_support(problem, 0, impulse::immovable, 0.5, 0);
  for (const StepBlock& block : problem.blocks) problem.rows[block.first].impulse = 1;
  Sweeps sweeps(problem);
  sweeps.sweep();
  EXPECT_GT(sweeps.missing(), 0.5);
  for (int k = 0; k < 3; ++k) sweeps.sweep();
  EXPECT_EQ(sweeps.missing(), 0);
  EXPECT_NEAR(problem.bodies[0].velocity.linear.z(), 1, 1e-12);
}

TEST(StepProblem, TheBestThatWasFoundIsKept) {
  const double fall = 0.04;
  StepProblem problem;
  for (const double mass : {1.0, 1.0, 1.0, 1.0, 1000.0})
    problem.bodies.push_back(cube(mass, Vec3(0, 0, -fall)));
  for (int i = 0; i < 5; ++i) add_feet(problem, i, i == 0 ? impulse::immovable : i - 1, 0.4);
  const StepSolution solution = solve(problem, 1e-300, 1e-3 * fall);
  EXPECT_TRUE(solution.solved);
  EXPECT_TRUE(solution.exact);
  for (const StepBody& body : problem.bodies) EXPECT_LT(body.velocity.linear.norm(), 1e-3 * fall);
}

}  // namespace
}  // namespace abut::law
