#include <gtest/gtest.h>

#include <Eigen/LU>

#include "lcp/cone_problem.h"
#include "support/cones.h"
#include "support/seeds.h"
#include "support/sizes.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

TEST(ConeLeastNorm, FourFeetShareEqually) {
  std::vector<RoughContact> feet;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0})
      feet.push_back({0, -1, Eigen::Vector3d::UnitZ(), {x, y, 0}, {x, y, 0}, 0.5});
  }
  const ConeProblem p = rough_problem({{1, Eigen::Vector3d::Ones(), {3, 0, -10}, {0, 0, 0}}}, feet);
  const ConeSolution s = solve_cones(p);
  const ConeForces forces = least_norm(p, s);
  EXPECT_FALSE(forces.is_unique());
  EXPECT_EQ(forces.deficiency, 6);  // 12 unknowns, 6 freedoms
  for (Eigen::Index k = 0; k < 12; k += 3) {
    EXPECT_NEAR(forces.z[k], 2.5, 1e-12);
    EXPECT_NEAR(forces.z.segment<2>(k + 1).norm(), 0.75, 1e-12);
  }
}

TEST(ConeLeastNorm, UniqueForcesAreReturned) {
  RandomProblems random(abut::test::seed(1));
  for (int k = 0; k < cases(50); ++k) {
    const Matrix j = random.matrix(9, 12);
    const ConeProblem p{j * j.transpose(), random.vector(9),
                        std::vector<ConeBlock>(3, ConeBlock::contact(0.5))};
    const ConeSolution s = solve_cones(p);
    ASSERT_EQ(s.status, Status::solved);
    const ConeForces forces = least_norm(p, s);
    EXPECT_TRUE(forces.is_unique());
    EXPECT_EQ(forces.z, s.z);
  }
}

TEST(ConeLeastNorm, NothingShorterHasTheSameMotion) {
  RandomProblems random(abut::test::seed(2));
  const int tries = cases(250);
  int unsolved = 0;  // of bodies that are jammed, the solver misses about one in a thousand
  for (int k = 0; k < tries; ++k) {
    SCOPED_TRACE(k);
    const int contacts = random.whole(3, 15);
    const ConeProblem p = rough_bodies(random, {contacts, random.whole(1, 3), 10, 1.5, k % 2 == 0});
    const ConeSolution s = solve_cones(p);
    if (s.status != Status::solved) {
      ++unsolved;
      continue;
    }
    const ConeForces forces = least_norm(p, s);
    EXPECT_LT(cone_residual(p, forces.z), 1e-11);
    EXPECT_LE(forces.z.norm(), s.z.norm() * (1 + 1e-12));
    const double scale = p.b.norm() + p.a.norm() * s.z.norm();
    EXPECT_LT((p.a * (forces.z - s.z)).norm(), 1e-10 * scale);
    // Any other z with the same motion, such as one on the way to the solution, is longer, and at
    // an obtuse angle: (z - z_least).z_least >= 0.
    EXPECT_GE((s.z - forces.z).dot(forces.z), -1e-9 * s.z.squaredNorm());
    // From another start the solution may be another one; with the same motion the least is the
    // same.
    ConeStart start{forces.z + random.vector(p.size()), {}, 0};
    const ConeSolution other = solve_cones(p, &start);
    ASSERT_EQ(other.status, Status::solved);
    if ((other.w - s.w).norm() < 1e-11 * scale) {
      EXPECT_LE((least_norm(p, other).z - forces.z).norm(), 1e-6 * forces.z.norm());
    }
  }
  EXPECT_LE(unsolved, 1 + tries / 250);
}

}  // namespace
