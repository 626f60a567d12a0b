// Complementarity problems against Siconos: its solvers, its readers of the public problems, and
// its measures of error for our solutions.

#include <gtest/gtest.h>

#include <LCP_Solvers.h>
#include <MLCP_Solvers.h>
#include <MixedLinearComplementarityProblem.h>

#include <cstdlib>

#include "lcp/lcp.h"
#include "support/complementarity.h"
#include "support/public_complementarity.h"
#include "support/seeds.h"
#include "support/siconos.h"
#include "support/sizes.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

const std::string lcp_folder = ABUT_TEST_DATA_DIR "/../../../shared/data/complementarity/";

// Of its errors, which are absolute over |q|.
constexpr double siconos_tolerance = 1e-9;

double difference(const Matrix& ours, const double* theirs) {
  return (ours - Eigen::Map<const Matrix>(theirs, ours.rows(), ours.cols())).norm();
}

void expect_same_w(const Problem& p, int solver) {
  SiconosRun run(p, solver);
  run.set_limits(1e-12, 100000);
  int failure = 0;
  {
    const Silence silence;
    failure = run.solve();
  }
  ASSERT_EQ(failure, 0);
  const Vector theirs = p.a * run.z + p.b;
  const Vector scale = p.b.cwiseAbs() + p.a.cwiseAbs() * run.z.cwiseAbs();
  for (const Solution& ours : {solve_psd(p), solve_lemke(p)}) {
    ASSERT_EQ(ours.status, Status::solved);
    EXPECT_LT((ours.w - theirs).norm(), 1e-9 * scale.norm());
  }
}

TEST(LcpAgainstSiconos, ContactsOfFullRank) {
  RandomProblems random(abut::test::seed(31, abut::test::few_rounds));
  for (int k = 0; k < cases(30); ++k) {
    const int n = random.whole(1, 60);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    expect_same_w(random.contacts(n, n + 2), SICONOS_LCP_LEMKE);
  }
}

TEST(LcpAgainstSiconos, WallsOfBricks) {
  // Its pivoting solvers fail on these; Newton's method on the Fischer-Burmeister function does
  // not.
  for (const auto& [bricks, courses] : {std::pair{1, 1}, {2, 2}, {3, 3}}) {
    const Problem wall = brick_wall(bricks, courses);
    SCOPED_TRACE(testing::Message() << wall.size() << " contacts");
    expect_same_w(wall, SICONOS_LCP_PGS);
  }
}

TEST(LcpAgainstSiconos, PublicLinearProblems) {
  const auto problems = public_problems(lcp_folder + "lcp", false);
  if (problems.empty()) GTEST_SKIP() << "the public problems are not beside this checkout";
  for (const NamedProblem& p : problems) {
    SCOPED_TRACE(p.name);
    auto* theirs = static_cast<LinearComplementarityProblem*>(
        std::malloc(sizeof(LinearComplementarityProblem)));
    linearComplementarity_newFromFilename(theirs, p.path.c_str());
    ASSERT_EQ(theirs->size, p.problem.size());
    if (theirs->M->storageType == NM_DENSE) {
      EXPECT_EQ(difference(p.problem.a, theirs->M->matrix0), 0);
    }
    EXPECT_EQ(difference(p.problem.b, theirs->q), 0);
    Solution ours = solve_lemke(p.problem);
    double error = 0;
    if (ours.status == Status::solved) {
      lcp_compute_error(theirs, ours.z.data(), ours.w.data(), siconos_tolerance, &error);
      EXPECT_LT(error, siconos_tolerance);
    }
    freeLinearComplementarityProblem(theirs);
  }
}

TEST(LcpAgainstSiconos, PublicMixedProblems) {
  const auto problems = public_problems(lcp_folder + "mlcp", true);
  if (problems.empty()) GTEST_SKIP() << "the public problems are not beside this checkout";
  for (const NamedProblem& p : problems) {
    SCOPED_TRACE(p.name);
    MixedLinearComplementarityProblem* theirs = mixedLinearComplementarity_new();
    {
      const Silence silence;
      std::string path = p.path;
      mixedLinearComplementarity_newFromFilename(theirs, path.data());
    }
    // In one file M and q do not fit together; we take its blocks instead.
    if (theirs->M->size0 == p.problem.size()) {
      EXPECT_EQ(difference(p.problem.a, theirs->M->matrix0), 0);
      EXPECT_EQ(difference(p.problem.b, theirs->q), 0);
      Solution ours = solve_lemke(p.problem);
      EXPECT_EQ(ours.status, Status::solved);
      double error = 0;
      mlcp_compute_error(theirs, ours.z.data(), ours.w.data(), siconos_tolerance, &error);
      EXPECT_LT(error, siconos_tolerance);
    }
    mixedLinearComplementarity_free(theirs);
  }
}

}  // namespace
