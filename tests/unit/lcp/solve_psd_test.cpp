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

// Residuals are relative to the terms of each row. 1e-15 is usual; the worst basis that is allowed
// may lose a few digits more.
constexpr double small_psd_residual = 1e-11;

/// The smallest eigenvalue of the basic block, after scaling it to a diagonal of 1.
double basis_conditioning(const Problem& problem, const Solution& solution) {
  std::vector<Eigen::Index> basis;
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    if (solution.places[static_cast<std::size_t>(i)] == Place::between) basis.push_back(i);
  }
  if (basis.empty()) return 1;
  Matrix block = problem.a(basis, basis);
  const Vector scales = block.diagonal().cwiseSqrt().cwiseInverse();
  block = scales.asDiagonal() * block * scales.asDiagonal();
  return test::smallest_eigenvalue(block);
}

void expect_places_match(const Problem& problem, const Solution& solution) {
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    const double z = solution.z[i];
    switch (solution.places[static_cast<std::size_t>(i)]) {
      case Place::lower:
        EXPECT_EQ(z, problem.lower[i]);
        break;
      case Place::upper:
        EXPECT_EQ(z, problem.upper[i]);
        break;
      case Place::redundant:
        EXPECT_EQ(problem.lower[i], -infinite);
        EXPECT_EQ(problem.upper[i], infinite);
        EXPECT_EQ(z, 0);
        break;
      case Place::between:
        EXPECT_GE(z, problem.lower[i]);
        EXPECT_LE(z, problem.upper[i]);
    }
  }
}

/// Some problems are large; at full size, larger.
int large_problem() {
  return full_size() ? 200 : 80;
}

/// Solved, certified, with a basis, and solved again from its own active set without a pivot.
Solution expect_psd_solved(const Problem& problem) {
  Solution solution = solve_psd(problem);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_LT(residual(problem, solution.z), small_psd_residual);
  expect_places_match(problem, solution);
  if (problem.size() <= 200) {  // eigenvalues take long
    EXPECT_GT(basis_conditioning(problem, solution), 1e-14);
  }
  const Solution again = solve_psd(problem, &solution.places);
  EXPECT_EQ(again.status, Status::solved);
  EXPECT_EQ(again.pivots, 0);
  EXPECT_EQ(again.places, solution.places);
  EXPECT_LT(residual(problem, again.z), small_psd_residual);
  return solution;
}

TEST(SolvePsd, FourLegsOfATable) {
  // Four legs at the corners of a square under a unit mass: any of them may be relieved. The force
  // adds up to the weight, without a moment.
  const double g = 9.81;
  const Matrix corners{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
  Matrix j(4, 3);
  j << Vector::Ones(4), corners;
  const Solution s = expect_psd_solved(Problem::complementarity(j * j.transpose(), -g * j.col(0)));
  EXPECT_NEAR(s.z.sum(), g, 1e-14 * g);
  EXPECT_NEAR((corners.transpose() * s.z).norm(), 0, 1e-14 * g);
  EXPECT_NEAR(s.w.norm(), 0, 1e-13 * g);
  EXPECT_LE(std::count(s.places.begin(), s.places.end(), Place::between), 3);
}

TEST(SolvePsd, NothingToDo) {
  EXPECT_EQ(expect_psd_solved(Problem::complementarity(Matrix(0, 0), Vector(0))).pivots, 0);
  EXPECT_EQ(
      expect_psd_solved(Problem::complementarity(Matrix::Identity(3, 3), Vector::Ones(3))).pivots,
      0);
  EXPECT_EQ(expect_psd_solved(Problem::complementarity(Matrix::Zero(3, 3), Vector::Zero(3))).pivots,
            0);
}

TEST(SolvePsd, RowsOfZerosThatContradict) {
  // w = -1 whatever z is.
  const Solution s = solve_psd(Problem::complementarity(Matrix::Zero(1, 1), -Vector::Ones(1)));
  EXPECT_EQ(s.status, Status::no_solution);
}

TEST(SolvePsd, BoxesAreClosedFormForDiagonalMatrices) {
  RandomProblems random(abut::test::seed(1));
  for (int k = 0; k < cases(200); ++k) {
    const Vector diagonal = random.vector(10).cwiseAbs();
    Problem p = Problem::complementarity(diagonal.asDiagonal(), random.vector(10));
    random.mix_bounds(p);
    const Solution s = expect_psd_solved(p);
    for (Eigen::Index i = 0; i < p.size(); ++i) {
      const double expected = std::min(std::max(-p.b[i] / diagonal[i], p.lower[i]), p.upper[i]);
      EXPECT_NEAR(s.z[i], expected, 1e-14 * std::abs(expected));
    }
  }
}

TEST(SolvePsd, ContactsOfAnyRank) {
  RandomProblems random(abut::test::seed(2));
  for (int k = 0; k < cases(300); ++k) {
    const int n = random.whole(1, k % 10 == 0 ? large_problem() : 30);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    expect_psd_solved(random.contacts(n, random.whole(1, 2 * n)));
  }
}

TEST(SolvePsd, DegenerateContacts) {
  RandomProblems random(abut::test::seed(3));
  for (int k = 0; k < cases(500); ++k) {
    const int n = random.whole(1, k % 20 == 0 ? large_problem() : 20);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    expect_psd_solved(random.degenerate(n, random.whole(1, n)));
  }
}

TEST(SolvePsd, MixesOfAllBounds) {
  RandomProblems random(abut::test::seed(4));
  for (int k = 0; k < cases(500); ++k) {
    const int n = random.whole(1, k % 20 == 0 ? large_problem() : 30);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    Problem p = k % 2 == 0 ? random.contacts(n, random.whole(1, 2 * n))
                           : random.degenerate(n, random.whole(1, n));
    random.mix_bounds(p);
    expect_psd_solved(p);
  }
}

TEST(SolvePsd, AccelerationsDoNotDependOnTheStart) {
  RandomProblems random(abut::test::seed(5));
  for (int k = 0; k < cases(200); ++k) {
    const int n = random.whole(1, 40);
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    Problem p = random.degenerate(n, random.whole(1, n));
    random.mix_bounds(p);
    const Solution cold = solve_psd(p);
    std::vector<Place> start(static_cast<std::size_t>(n));
    for (Place& place : start) place = static_cast<Place>(random.whole(0, 3));
    const Solution warm = solve_psd(p, &start);
    ASSERT_EQ(warm.status, Status::solved);
    EXPECT_LT(residual(p, warm.z), small_psd_residual);
    EXPECT_NEAR((warm.w - cold.w).norm(), 0, 1e-11 * (1 + p.a.norm() * cold.z.norm()));
  }
}

TEST(SolvePsd, WallsOfBricksStand) {
  std::vector<std::pair<int, int>> walls = {{1, 1}, {3, 2}, {4, 4}};
  if (full_size()) walls.insert(walls.end(), {{8, 6}, {14, 14}});
  for (const auto& [bricks, courses] : walls) {
    for (const double angle : {0.0, 0.3}) {
      const Eigen::AngleAxisd turn(angle, Eigen::Vector3d(1, 2, 3).normalized());
      const Problem wall = brick_wall(bricks, courses, turn.toRotationMatrix());
      SCOPED_TRACE(testing::Message() << wall.size() << " contacts, turned by " << angle);
      const Solution s = expect_psd_solved(wall);
      EXPECT_LT(s.w.cwiseAbs().maxCoeff(), 1e-10);
    }
  }
}

TEST(SolvePsd, JointsThatContradictEachOther) {
  RandomProblems random(abut::test::seed(6));
  for (int k = 0; k < cases(200); ++k) {
    const int n = random.whole(2, 30);
    const int freedoms = random.whole(1, n / 2);  // of J, so that its rank is beyond doubt
    SCOPED_TRACE(testing::Message() << "case " << k << ", " << n << " rows");
    Problem p = random.contacts(n, freedoms);
    p.lower.setConstant(-infinite);
    const Solution consistent = expect_psd_solved(p);
    EXPECT_EQ(std::count(consistent.places.begin(), consistent.places.end(), Place::redundant),
              n - freedoms);
    p.b += p.b.norm() * random.vector(n).normalized();
    EXPECT_EQ(solve_psd(p).status, Status::no_solution);
  }
}

TEST(SolvePsd, OneContactOpensWithFewPivots) {
  Problem wall = brick_wall(4, 4);
  const Solution before = solve_psd(wall);
  const auto last = wall.size() - 1;
  wall.b[last] += 1;  // pulled apart
  const Solution after = solve_psd(wall, &before.places);
  EXPECT_EQ(after.status, Status::solved);
  EXPECT_LT(after.pivots, 20);
}

}  // namespace
