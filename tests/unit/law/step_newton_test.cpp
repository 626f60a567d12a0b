#include "law/step_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "law/step_interior.h"
#include "unit/law/step_bodies.h"

namespace abut::law {
namespace {

using step_testing::add_support;
using step_testing::cube;
using step_testing::expect_lawful;
using step_testing::random_tower;

// From impulses that are a few per cent off, as those of the step before are, it arrives in most
// of the towers, and where it says so the laws hold.
TEST(StepNewton, FindsLawfulImpulsesFromNear) {
  int arrived = 0, tried = 0;
  for (int seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const StepProblem asked = random_tower(seed, 6, 1);
    StepProblem exact = asked;
    if (!solve_from_inside(exact, 1e-4).arrived) continue;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> off(0.95, 1.05);
    StepProblem near = asked;
    for (std::size_t i = 0; i < near.rows.size(); ++i)
      near.rows[i].impulse = off(random) * exact.rows[i].impulse;
    ++tried;
    if (!(solve_from_near(near, 1e-2) <= 1e-2)) continue;
    ++arrived;
    expect_lawful(near, asked, 2e-2);
  }
  EXPECT_GE(tried, 30);
  EXPECT_GE(arrived, 0.5 * tried);
}

// Four corners on a floor carry a cube though three would do, and a heavier one on top.
TEST(StepNewton, HoldsMoreContactsThanThereAreFreedoms) {
  for (const double top : {1.0, 10.0}) {
    StepProblem problem;
    problem.bodies = {cube(1, Vec3(0, 0, -0.04)), cube(top, Vec3(0, 0, -0.04))};
    add_support(problem, 0, impulse::immovable, 0.4, 0);
    add_support(problem, 1, 0, 0.4, 0);
    const StepProblem asked = problem;
    ASSERT_LE(solve_from_near(problem, 1e-7), 1e-7) << top;
    expect_lawful(problem, asked, 1e-6);
    for (const StepBody& body : problem.bodies) EXPECT_LT(body.velocity.linear.norm(), 1e-6);
  }
}

// Two supports 4 cm apart stop a cube that falls and turns: p1 + p2 = 1 N s, and the difference
// stops the spin, 6 a (p1 - p2) = 0.05 rad/s for a cube of 1 kg and 1 m with a = 0.02 m. Rows that
// differ so little answer to that difference by a two-hundredth of what they answer to their sum.
TEST(StepNewton, RowsThatNearlyDependOnEachOtherGiveLess) {
  constexpr double a = 0.02;
  StepProblem problem;
  problem.bodies = {cube(1, Vec3(0, 0, -1))};
  problem.bodies[0].velocity.angular.y() = 0.05;
  for (const double x : {-a, a}) {
    StepBlock support;
    support.slots = {0, impulse::immovable};
    support.upper = infinity;
    problem.begin_block(support);
    step_testing::add_rows(problem, {Vec3::UnitZ()}, Vec3(x, 0, -0.5), Vec3::Zero());
  }
  ASSERT_LE(solve_from_near(problem, 1e-6), 1e-6);
  const double difference = 0.05 / (6 * a);
  EXPECT_NEAR(problem.rows[0].impulse, 0.5 * (1 - difference), 1e-4);
  EXPECT_NEAR(problem.rows[1].impulse, 0.5 * (1 + difference), 1e-4);
}

// A motor that has to brake pushes backwards, less than it could.
TEST(StepNewton, ARowBetweenItsBoundsHasNoMotion) {
  StepProblem problem;
  problem.bodies = {cube(2, Vec3(1, 0, 0))};
  StepBlock motor;
  motor.slots = {0, impulse::immovable};
  motor.lower = -10;
  motor.upper = 10;
  problem.begin_block(motor);
  StepRow drive;
  drive.sides[0].linear = Vec3::UnitX();
  drive.bias = 2;
  problem.rows.push_back(drive);
  ASSERT_LE(solve_from_near(problem, 1e-7), 1e-7);
  EXPECT_NEAR(problem.bodies[0].velocity.linear.x(), -2, 1e-7);
  EXPECT_NEAR(problem.rows[0].impulse, -6, 1e-6);
}

// Two cables in one line carry half the weight each, whatever they began with.
TEST(StepNewton, RowsThatPullInVainForgetIt) {
  StepProblem problem;
  problem.bodies = {cube(2, Vec3(0, 0, -0.5))};
  for (const double pull : {1e6, -1e6}) {
    StepBlock cable;
    cable.kind = StepBlock::Kind::equality;
    cable.slots = {0, impulse::immovable};
    problem.begin_block(cable);
    StepRow row;
    row.sides[0].linear = Vec3::UnitZ();
    row.impulse = pull;
    problem.rows.push_back(row);
  }
  ASSERT_LE(solve_from_near(problem, 1e-7), 1e-7);
  EXPECT_NEAR(problem.bodies[0].velocity.linear.z(), 0, 1e-7);
  for (const StepRow& row : problem.rows) EXPECT_NEAR(row.impulse, 0.5, 1e-6);
}

// Where it does not arrive, nothing is changed.
TEST(StepNewton, LeavesAProblemAloneThatItCannotSolve) {
  StepProblem problem;
  problem.bodies = {cube(1, Vec3(0, 0, std::nan("")))};
  add_support(problem, 0, impulse::immovable, 0.4, 0);
  EXPECT_FALSE(std::isfinite(solve_from_near(problem, 1e-7)));
  for (const StepRow& row : problem.rows) EXPECT_EQ(row.impulse, 0);
}

}  // namespace
}  // namespace abut::law
