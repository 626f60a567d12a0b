// Joints and contacts in one problem, against brute force and dense algebra.

#include "impulse/mixed_problem.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "support/dense.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/impulse/random_rows.h"

namespace abut::impulse {
namespace {

using test::RandomRows;

/// `unilaterals` rows first, then `equalities`, some of which repeat others; b is what motion makes
/// of the rows, so that redundant ones agree.
struct Case {
  std::vector<Inertia> inertias;
  RowSystem system;
  MixedProblem problem;

  Case(RandomRows& random, int bodies, int unilaterals, int equalities, int repeated) {
    inertias = random.inertias(bodies);
    std::vector<SystemRow> rows = random.rows(unilaterals + equalities, bodies);
    for (int i = 0; i < repeated; ++i)
      rows.push_back(rows[unilaterals + random.whole(0, equalities - 1)]);
    system = RowSystem(rows, inertias);
    std::vector<Twist> motion(bodies);
    for (Twist& twist : motion) twist = {random.vector(), random.vector()};
    problem = MixedProblem::pushing(system, system.along(motion), row_range(0, unilaterals),
                                    row_range(unilaterals, system.size()));
  }
  Case(const Case&) = delete;

  Vector w(const Vector& z) const { return system.along(system.response(z)) + problem.b; }
};

void expect_solves(const Case& c, const Vector& z) {
  const Vector w = c.w(z);
  const double scale = c.problem.b.cwiseAbs().maxCoeff();
  const double force = z.cwiseAbs().maxCoeff();
  for (const int i : c.problem.equalities) EXPECT_NEAR(w[i], 0, 1e-10 * scale) << i;
  for (std::size_t k = 0; k < c.problem.unilaterals.size(); ++k) {
    const int i = c.problem.unilaterals[k];
    const auto at = static_cast<Eigen::Index>(k);
    EXPECT_GE(z[i], c.problem.lower[at]);
    EXPECT_LE(z[i], c.problem.upper[at]);
    EXPECT_TRUE(w[i] < 1e-10 * scale || z[i] <= c.problem.lower[at] + 1e-10 * force);
    EXPECT_TRUE(w[i] > -1e-10 * scale || z[i] >= c.problem.upper[at] - 1e-10 * force);
  }
}

TEST(MixedProblem, RangesLeaveRowsOut) {
  EXPECT_EQ(row_range(2, 6), (std::vector<int>{2, 3, 4, 5}));
  EXPECT_EQ(row_range(2, 6, {1, 3, 5, 6}), (std::vector<int>{2, 4}));
  EXPECT_TRUE(row_range(3, 3).empty());
}

TEST(MixedProblem, SolvesContactsAndRedundantJoints) {
  RandomRows random(test::seed(1));
  for (int round = 0; round < test::cases(100); ++round) {
    SCOPED_TRACE(round);
    const int bodies = random.whole(2, 5);
    const Case c(random, bodies, random.whole(0, 8), random.whole(1, 2 * bodies),
                 random.whole(0, 3));
    const MixedSolution solution = solve(c.problem);
    ASSERT_EQ(solution.status, lcp::Status::solved);
    EXPECT_LT(solution.residual, 1e-11);
    EXPECT_LT(solution.equality_residuals.of_terms, 1e-10);
    expect_solves(c, solution.z);
    // The basis carries the solution, and its rows are independent.
    EXPECT_EQ(independent_rows(c.system.only(solution.basis)).size(), solution.basis.size());
    for (int i = 0; i < c.system.size(); ++i) {
      const bool carries = std::count(solution.basis.begin(), solution.basis.end(), i) > 0;
      EXPECT_TRUE(carries || solution.z[i] == 0) << i;
    }
    // From its own places there is nothing to pivot.
    EXPECT_EQ(solve(c.problem, &solution.places).pivots, 0);
  }
}

// All 2^n choices of which contacts press: exactly the right accelerations come out.
TEST(MixedProblem, AgreesWithBruteForce) {
  RandomRows random(test::seed(2));
  for (int round = 0; round < test::cases(60); ++round) {
    SCOPED_TRACE(round);
    const int n = random.whole(1, 5);
    const Case c(random, 3, n, 2, 0);
    const Matrix a = c.system.matrix();
    int found = 0;
    for (int choice = 0; choice < (1 << n); ++choice) {
      std::vector<int> active = c.problem.equalities;
      for (int i = 0; i < n; ++i)
        if ((choice >> i) & 1) active.push_back(i);
      const Matrix block = a(active, active);
      const Vector part = test::least_norm_solution(block, -c.problem.b(active));
      Vector z = Vector::Zero(c.system.size());
      z(active) = part;
      const Vector w = c.w(z);
      if (z.head(n).minCoeff() < -1e-9 || w.head(n).minCoeff() < -1e-9) continue;
      if (w(active).cwiseAbs().maxCoeff() > 1e-9) continue;
      ++found;
      EXPECT_LT((c.w(solve(c.problem).z) - w).norm(), 1e-8);
    }
    EXPECT_GE(found, 1);
  }
}

// Bounds on both sides, as motors of limited force have them.
TEST(MixedProblem, KeepsBoundsOnBothSides) {
  RandomRows random(test::seed(3));
  for (int round = 0; round < test::cases(60); ++round) {
    SCOPED_TRACE(round);
    Case c(random, 3, 6, 3, 1);
    for (int i = 3; i < 6; ++i) {
      c.problem.upper[i] = random.number(0, 0.5);
      c.problem.lower[i] = -c.problem.upper[i];
    }
    const MixedSolution solution = solve(c.problem);
    ASSERT_EQ(solution.status, lcp::Status::solved);
    expect_solves(c, solution.z);
  }
}

// Where every row is an equality, the least norm is that of the pseudo-inverse.
TEST(MixedProblem, LeastNormIsThatOfThePseudoInverse) {
  RandomRows random(test::seed(4));
  for (int round = 0; round < test::cases(50); ++round) {
    SCOPED_TRACE(round);
    const Case c(random, 2, 0, 6, 4);
    const Vector z = solve_least_norm(c.problem);
    expect_solves(c, z);
    const Vector expected = test::least_norm_solution(c.system.matrix(), -c.problem.b);
    EXPECT_LT((z - expected).norm(), 1e-8 * (1 + expected.norm()));
  }
}

TEST(MixedProblem, LeastNormSolvesAndIsNoLarger) {
  RandomRows random(test::seed(5));
  for (int round = 0; round < test::cases(50); ++round) {
    SCOPED_TRACE(round);
    const Case c(random, 2, 10, 3, 2);
    const Vector z = solve_least_norm(c.problem);
    expect_solves(c, z);
    EXPECT_LE(z.norm(), solve(c.problem).z.norm() * (1 + 1e-9));
  }
}

// Joints that demand different things of the same motion: said, not hidden.
TEST(MixedProblem, ContradictionsShowInTheResidual) {
  RandomRows random(test::seed(6));
  Case c(random, 2, 0, 4, 1);
  c.problem.b[4] += 1;
  EXPECT_GT(solve(c.problem).equality_residuals.of_terms, 0.01);
}

}  // namespace
}  // namespace abut::impulse
