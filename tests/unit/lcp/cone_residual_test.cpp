#include <gtest/gtest.h>

#include "lcp/cone_problem.h"
#include "support/cones.h"
#include "support/seeds.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

ConeProblem one_contact(double mu, const Eigen::Vector3d& b) {
  return {Matrix::Identity(3, 3), b, {ConeBlock::contact(mu)}};
}

TEST(ConeResidual, IsZeroForEachModeAndNotBesideIt) {
  struct Case {
    Eigen::Vector3d b, z;
  };
  for (const Case& c : {Case{{1, 5, 5}, {0, 0, 0}},             // open
                        Case{{0, 5, 5}, {0, 0, 0}},             // touching without force
                        Case{{-2, 0.6, -0.5}, {2, -0.6, 0.5}},  // stick
                        Case{{-1, 3, 4}, {1, -0.3, -0.4}}}) {   // slip
    const ConeProblem p = one_contact(0.5, c.b);
    EXPECT_LT(cone_residual(p, c.z), 1e-15);
    for (int k = 0; k < 3; ++k) {
      for (const double side : {-0.1, 0.1}) {
        EXPECT_GT(cone_residual(p, c.z + side * Eigen::Vector3d::Unit(k)), 1e-3);
      }
    }
  }
}

TEST(ConeResidual, AConeWithoutFrictionIsARay) {
  EXPECT_EQ(cone_residual(one_contact(0, {1, 0, 0}), Eigen::Vector3d::Zero()), 0);
  EXPECT_EQ(cone_residual(one_contact(0, {-1, 7, 0}), Eigen::Vector3d(1, 0, 0)), 0);
  EXPECT_GT(cone_residual(one_contact(0, {-1, 7, 0}), Eigen::Vector3d(1, 1e-3, 0)), 1e-5);
}

TEST(ConeResidual, RejectsTheConvexLaw) {
  // z.w = 0 with w in the dual cone: right for the convex problem, a contact that lifts off here.
  const ConeProblem p = one_contact(1, {-1, 3, 0});
  const Eigen::Vector3d convex(2, -2, 0);  // w = (1, 1, 0)
  EXPECT_GT(cone_residual(p, convex), 0.01);
}

TEST(ConeResidual, IsInfiniteForNonsense) {
  const ConeProblem p = one_contact(1, {-1, 3, 0});
  EXPECT_EQ(cone_residual(p, Eigen::Vector3d(NAN, 0, 0)), infinite);
  EXPECT_EQ(cone_residual(p, Eigen::Vector3d(infinite, 0, 0)), infinite);
}

TEST(ConeResidual, DoesNotDependOnUnits) {
  RandomProblems random(abut::test::seed(1));
  const ConeProblem p = rough_bodies(random, {});
  const Vector z = random.vector(p.size());
  ConeProblem q = p;
  q.a *= 1e6;
  q.b *= 1e3;
  EXPECT_NEAR(cone_residual(q, 1e-3 * z), cone_residual(p, z), 1e-12);
}

TEST(ConeRefutation, AcceptsProofsOnly) {
  ConeProblem p = one_contact(0.5, {-1, 0, 0});
  p.a = -Matrix::Identity(3, 3);
  EXPECT_TRUE(refutes(p, Eigen::Vector3d(1, 0, 0)));
  EXPECT_FALSE(refutes(p, Eigen::Vector3d(1, 0.1, 0)));  // the sign of w_T is not known
  EXPECT_FALSE(refutes(p, Eigen::Vector3d(-1, 0, 0)));
  EXPECT_FALSE(refutes(p, Eigen::Vector3d(0, 0, 0)));
  p.a.row(0) << -1, 3, 0;  // a force at the edge of the cone can lift after all
  EXPECT_FALSE(refutes(p, Eigen::Vector3d(1, 0, 0)));
  // A bound that keeps the multiplier from doing harm.
  ConeProblem q{-Matrix::Identity(1, 1), -Vector::Ones(1), {ConeBlock::bounded(-2, infinite)}};
  EXPECT_FALSE(refutes(q, Vector::Ones(1)));
  q.blocks[0].lower = -0.5;
  EXPECT_TRUE(refutes(q, Vector::Ones(1)));
}

}  // namespace
