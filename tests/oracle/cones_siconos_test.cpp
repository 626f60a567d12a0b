// Contacts with friction against Siconos: its solvers, its reader of the public problems, and its
// measure of error for our solutions.

#include <gtest/gtest.h>

#include "lcp/cone_problem.h"
#include "support/cones.h"
#include "support/public_complementarity.h"
#include "support/seeds.h"
#include "support/siconos_friction.h"
#include "support/sizes.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

const std::string folder = ABUT_TEST_DATA_DIR "/../../../shared/data/complementarity/friction";

TEST(ConesAgainstSiconos, PublicProblems) {
  const auto problems = public_friction_problems(folder);
  if (problems.empty()) GTEST_SKIP() << "the public problems are not beside this checkout";
  for (const NamedConeProblem& p : problems) {
    SCOPED_TRACE(p.name);
    SiconosFriction theirs(p.path);
    ASSERT_EQ(theirs.size(), p.problem.size());
    EXPECT_EQ((Eigen::Map<const Vector>(theirs.problem().q, theirs.size()) - p.problem.b).norm(),
              0);
    const ConeSolution ours = solve_cones(p.problem);
    EXPECT_EQ(ours.status, Status::solved);
    EXPECT_LT(ours.residual, 1e-12);
    EXPECT_LT(theirs.error(ours.z), 1e-8);
  }
}

TEST(ConesAgainstSiconos, RandomBodiesHaveTheSameMotion) {
  // With little friction the motion is unique, as it is without.
  RandomProblems random(abut::test::seed(41, abut::test::few_rounds));
  int compared = 0;
  for (int k = 0; k < cases(30); ++k) {
    const int contacts = random.whole(1, 20);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << contacts << " contacts");
    const ConeProblem p = rough_bodies(random, {contacts, contacts, 1, 0.2, k % 2 == 0});
    const ConeSolution ours = solve_cones(p);
    ASSERT_EQ(ours.status, Status::solved);
    SiconosFriction theirs(p);
    EXPECT_LT(theirs.error(ours.z), 1e-9);
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = 1e-11;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 50000;
    int failure = 0;
    {
      const Silence silence;
      failure = theirs.solve(options);
    }
    solver_options_delete(options);
    if (failure != 0) continue;
    ++compared;
    // Where the load itself is rounding, so is what either finds.
    const double scale = std::max(p.b.norm() + p.a.norm() * ours.z.norm(), 1e-6 * p.a.norm());
    EXPECT_LT((p.a * (theirs.forces - ours.z)).norm(), 1e-7 * scale);
  }
  EXPECT_GT(compared, cases(30) / 2);
}

}  // namespace
