#include <gtest/gtest.h>

#include "lcp/lcp.h"
#include "support/complementarity.h"
#include "support/dense.h"
#include "support/seeds.h"
#include "support/sizes.h"

using namespace abut;
using namespace abut::lcp;
using namespace abut::test;

namespace {

TEST(LeastNorm, LegsOfATableShareTheWeight) {
  Matrix j(4, 3);
  j << 1, 1, 1, 1, 1, -1, 1, -1, -1, 1, -1, 1;
  const Problem p = Problem::complementarity(j * j.transpose(), -4 * j.col(0));
  const Vector z = least_norm(p, solve_psd(p));
  EXPECT_LT((z - Vector::Ones(4)).norm(), 1e-14);
}

TEST(LeastNorm, LegsThatAreRelievedStayAtZero) {
  // The load sits on a leg: without bounds the least norm would pull at the opposite one.
  Matrix j(4, 3);
  j << 1, 1, 1, 1, 1, -1, 1, -1, -1, 1, -1, 1;
  const Problem p = Problem::complementarity(j * j.transpose(), -j * Vector{{1, 1, 1}});
  const Vector z = least_norm(p, solve_psd(p));
  EXPECT_LT((z - Vector::Unit(4, 0)).norm(), 1e-14);
}

/// The conditions for the least norm, checked without projectors: moving along null vectors of A,
/// as far as bounds and w allow, must not shorten z. The steepest such move is itself found by
/// brute force: random null vectors, cut to what is allowed.
TEST(LeastNorm, NoAllowedNullVectorShortensIt) {
  RandomProblems random(abut::test::seed(11));
  for (int k = 0; k < cases(200); ++k) {
    const int n = random.whole(2, 12);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    Problem p = random.degenerate(n, random.whole(1, n - 1));
    if (k % 2 == 0) random.mix_bounds(p);
    const Solution s = solve_psd(p);
    ASSERT_EQ(s.status, Status::solved);
    const Vector z = least_norm(p, s);
    EXPECT_LT(residual(p, z), 1e-11);
    EXPECT_LE(z.norm(), s.z.norm() * (1 + 1e-12));
    EXPECT_LT((p.a * (z - s.z)).norm(), 1e-10 * (1 + s.z.norm()));

    const Matrix null_vectors = test::null_space(p.a);
    for (int trial = 0; trial < 50; ++trial) {
      Vector d = null_vectors * random.vector(null_vectors.cols());
      if (d.norm() == 0) continue;
      d.normalize();
      if (d.dot(z) > 0) d = -d;
      const Vector moved = z + 1e-4 * d;
      const bool allowed = residual(p, moved) < 1e-11;
      if (allowed) {
        EXPECT_GE(moved.norm(), z.norm() * (1 - 1e-12));
      }
    }
  }
}

TEST(LeastNorm, DoesNotDependOnStartOrOrder) {
  RandomProblems random(abut::test::seed(12));
  for (int k = 0; k < cases(200); ++k) {
    const int n = random.whole(2, 40);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    Problem p = random.degenerate(n, random.whole(1, n));
    if (k % 2 == 0) random.mix_bounds(p);
    const Vector z = least_norm(p, solve_psd(p));

    std::vector<Place> start(static_cast<std::size_t>(n));
    for (Place& place : start) place = static_cast<Place>(random.whole(0, 3));
    const Vector warm = least_norm(p, solve_psd(p, &start));
    EXPECT_LT((warm - z).norm(), 1e-9 * (1 + z.norm()));

    const Problem reversed = {p.a.reverse(), p.b.reverse(), p.lower.reverse(), p.upper.reverse()};
    const Vector other = least_norm(reversed, solve_psd(reversed));
    EXPECT_LT((other.reverse() - z).norm(), 1e-9 * (1 + z.norm()));
  }
}

TEST(LeastNorm, BricksOfAWallShareTheirLoadsEvenly) {
  const Problem wall = brick_wall(4, 1);
  const Vector z = least_norm(wall, solve_psd(wall));
  EXPECT_LT(residual(wall, z), 1e-12);
  // Each brick weighs 2 * 9.81 N on four corners; between bricks there is no force.
  for (Eigen::Index i = 0; i < wall.size(); ++i) {
    const double expected = wall.b[i] < 0 ? 2 * 9.81 / 4 : 0;
    EXPECT_NEAR(z[i], expected, 1e-12);
  }
}

TEST(CompleteBasis, RowsWithoutAccelerationDependOnIt) {
  RandomProblems random(abut::test::seed(13));
  for (int k = 0; k < cases(200); ++k) {
    const int n = random.whole(1, 30);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    const Problem p = random.degenerate(n, random.whole(1, n));
    Solution s = solve_psd(p);
    complete_basis(p, s);
    std::vector<Eigen::Index> basis, zero;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (s.places[static_cast<std::size_t>(i)] == Place::between) basis.push_back(i);
      if (std::abs(s.w[i]) < 1e-10) zero.push_back(i);
    }
    if (basis.empty()) continue;
    // All numbers are small and whole: ranks are clear.
    EXPECT_EQ(test::rank(p.a(zero, zero)), basis.size());
    EXPECT_EQ(test::rank(p.a(basis, basis)), basis.size());
    const Solution again = solve_psd(p, &s.places);
    EXPECT_EQ(again.status, Status::solved);
    EXPECT_EQ(again.pivots, 0);
  }
}

}  // namespace
