#include <gtest/gtest.h>

#include "lcp/lcp.h"
#include "support/complementarity.h"
#include "support/dense.h"
#include "support/public_complementarity.h"
#include "support/seeds.h"
#include "support/sizes.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

constexpr double small_lemke_residual = 1e-10;

void expect_solved(const Problem& problem) {
  const Solution solution = solve_lemke(problem);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_LT(residual(problem, solution.z), small_lemke_residual);
}

TEST(Lemke, ExampleOfCottlePangAndStone) {
  // Example 4.4.7: with z = (0, 1, 3), w = (2, 0, 0).
  const Matrix m{{0, -1, 2}, {2, 0, -2}, {-1, 1, 0}};
  const Solution s = solve_lemke(Problem::complementarity(m, Vector{{-3, 6, -1}}));
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_LT((s.z - Vector{{0, 1, 3}}).norm(), 1e-14);
}

TEST(Lemke, InfeasibleProblems) {
  // v = -x - 1 < 0.
  EXPECT_EQ(solve_lemke(Problem::complementarity(-Matrix::Ones(1, 1), -Vector::Ones(1))).status,
            Status::no_solution);
  // Two equations for one unknown that contradict each other.
  Problem p = Problem::complementarity(Matrix{{1, 1}, {1, 1}}, Vector{{1, 2}});
  p.lower.setConstant(-infinite);
  EXPECT_EQ(solve_lemke(p).status, Status::no_solution);
  p.b[1] = 1;
  expect_solved(p);
}

TEST(Lemke, FeasibleWithoutSolutionIsNotSaidToBeProven) {
  // v1 = -z1 + z2 - 1 and v2 = 0 z1 + 0 z2 + 1: v2 > 0 forces z2 = 0, then v1 < 0; yet z2 = 1 is
  // feasible.
  const Problem p = Problem::complementarity(Matrix{{-1, 1}, {0, 0}}, Vector{{-1, 1}});
  EXPECT_EQ(solve_lemke(p).status, Status::not_converged);
}

TEST(Lemke, AgreesWithTheSolverForSymmetricMatrices) {
  RandomProblems random(abut::test::seed(21));
  for (int k = 0; k < cases(200); ++k) {
    const int n = random.whole(1, k % 20 == 0 ? 100 : 15);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    Problem p = random.degenerate(n, random.whole(1, n));
    if (k % 2 == 0) random.mix_bounds(p);
    const Solution lemke = solve_lemke(p);
    const Solution psd = solve_psd(p);
    ASSERT_EQ(lemke.status, Status::solved);
    EXPECT_LT(residual(p, lemke.z), small_lemke_residual);
    EXPECT_LT((lemke.w - psd.w).norm(), 1e-9 * (1 + p.a.norm() * psd.z.norm()));
  }
}

TEST(Lemke, SolvesOrRefutesMonotoneProblems) {
  RandomProblems random(abut::test::seed(22));
  int refuted = 0;
  for (int k = 0; k < cases(200); ++k) {
    const int n = random.whole(1, 20);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    const Matrix j = random.matrix(n, random.whole(1, n));
    const Matrix skew = random.matrix(n, n);
    const Matrix a = j * j.transpose() + (k % 3 == 0 ? 0 : 1) * (skew - skew.transpose());
    const Problem p = Problem::complementarity(a, random.vector(n));
    const Solution s = solve_lemke(p);
    EXPECT_NE(s.status, Status::not_converged);
    if (s.status == Status::solved) {
      EXPECT_LT(residual(p, s.z), small_lemke_residual);
    }
    refuted += s.status == Status::no_solution ? 1 : 0;
  }
  EXPECT_GT(refuted, 0);
}

/// All solutions for a matrix whose principal blocks are regular, found by trying every active set.
std::vector<Vector> solutions_by_enumeration(const Problem& p) {
  std::vector<Vector> found;
  for (unsigned mask = 0; mask < 1u << p.size(); ++mask) {
    std::vector<Eigen::Index> basic;
    for (Eigen::Index i = 0; i < p.size(); ++i) {
      if ((mask >> i & 1u) != 0) basic.push_back(i);
    }
    Vector z = Vector::Zero(p.size());
    if (!basic.empty()) {
      z(basic) = test::solution(p.a(basic, basic), -p.b(basic));
    }
    if (residual(p, z) < small_lemke_residual) found.push_back(z);
  }
  return found;
}

TEST(Lemke, FindsTheOneSolutionForPMatrices) {
  RandomProblems random(abut::test::seed(23));
  for (int k = 0; k < cases(100); ++k) {
    const int n = random.whole(1, 8);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    Matrix a = random.matrix(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      a(i, i) = a.row(i).cwiseAbs().sum();  // dominant: a P-matrix
    const Problem p = Problem::complementarity(a, random.vector(n));
    const Solution s = solve_lemke(p);
    ASSERT_EQ(s.status, Status::solved);
    const std::vector<Vector> all = solutions_by_enumeration(p);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_LT((s.z - all.front()).norm(), 1e-10 * (1 + s.z.norm()));
  }
}

TEST(Lemke, NeverClaimsThatThereIsNoSolutionWhereThereIsOne) {
  RandomProblems random(abut::test::seed(24));
  int solvable = 0, solved = 0;
  for (int k = 0; k < cases(200); ++k) {
    const int n = random.whole(1, 7);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    const Problem p = Problem::complementarity(random.matrix(n, n), random.vector(n));
    const Solution s = solve_lemke(p);
    const bool has_solution = !solutions_by_enumeration(p).empty();
    EXPECT_FALSE(has_solution && s.status == Status::no_solution);
    EXPECT_FALSE(!has_solution && s.status == Status::solved);
    solvable += has_solution ? 1 : 0;
    solved += s.status == Status::solved ? 1 : 0;
  }
  EXPECT_GT(solved, 0.95 * solvable);  // the class has no guarantee
}

TEST(Lemke, WallsOfBricksStand) {
  for (const auto& [bricks, courses] : {std::pair{1, 1}, {3, 2}, {4, 3}}) {
    const Problem wall = brick_wall(bricks, courses);
    SCOPED_TRACE(testing::Message() << wall.size() << " contacts");
    expect_solved(wall);
  }
}

TEST(Lemke, PublicProblems) {
  const std::string folder = ABUT_TEST_DATA_DIR "/../../../shared/data/complementarity/";
  std::vector<NamedProblem> problems = public_problems(folder + "lcp", false);
  for (NamedProblem& p : public_problems(folder + "mlcp", true)) problems.push_back(std::move(p));
  if (problems.empty()) GTEST_SKIP() << "the public problems are not beside this checkout";
  for (const NamedProblem& p : problems) {
    SCOPED_TRACE(p.name);
    const Solution s = solve_lemke(p.problem);
    // In this one, v1 = -z2 - z3 - 0.0001 < 0.
    const bool is_infeasible = p.name == "lcp_Pang_isolated_sol_perturbed";
    EXPECT_EQ(s.status, is_infeasible ? Status::no_solution : Status::solved);
    if (!is_infeasible) {
      EXPECT_LT(residual(p.problem, s.z), small_lemke_residual);
    }
  }
}

}  // namespace
