#include "math/dense.h"

#include <random>

#include "support/dense.h"
#include "support/seeds.h"

// Every answer is checked by what it is defined by, on random matrices of given rank.
namespace abut::math {
namespace {

class Dense : public ::testing::Test {
 protected:
  Matrix random_matrix(Eigen::Index rows, Eigen::Index columns) {
    std::normal_distribution<double> normal;
    return Matrix::NullaryExpr(rows, columns, [&] { return normal(random_); });
  }
  Matrix of_rank(Eigen::Index rank, Eigen::Index rows, Eigen::Index columns) {
    return random_matrix(rows, rank) * random_matrix(rank, columns);
  }

  std::mt19937_64 random_{test::seed(5)};
  static constexpr double accuracy = 1e-9;  // of random matrices of these sizes
};

TEST_F(Dense, RegularSystemsAreSolvedByEveryMeans) {
  for (int n = 1; n <= 40; n += 3) {
    const Matrix a = random_matrix(n, n), right = random_matrix(n, 3);
    const Vector b = right.col(0);
    const Vector x = solve(a, b);
    EXPECT_LE((a * x - b).norm(), accuracy * b.norm()) << n;
    EXPECT_LE((a * Lu(a).solve(right) - right).norm(), accuracy * right.norm()) << n;
    EXPECT_LE((inverse(a) * b - x).norm(), accuracy * x.norm()) << n;
    EXPECT_LE((solve_by_complete_pivoting(a, b) - x).norm(), accuracy * x.norm()) << n;
    EXPECT_LE((least_norm_solution(a, b) - x).norm(), accuracy * x.norm()) << n;
    Matrix factors = a;
    EXPECT_EQ(solve_in_place(factors, b), x) << n;
    const Matrix symmetric = a + a.transpose();
    EXPECT_LE((symmetric * solve_symmetric(symmetric, b) - b).norm(), accuracy * b.norm()) << n;
  }
}

TEST_F(Dense, RanksAndNullSpacesAreFound) {
  for (int rows = 2; rows <= 12; ++rows)
    for (int r = 1; r < rows; ++r) {
      const Matrix a = of_rank(r, rows, rows + 2);
      EXPECT_EQ(rank(a), r);
      EXPECT_EQ(test::rank(a, accuracy), r);
      const Matrix nothing = null_space(a);
      EXPECT_EQ(nothing.cols(), rows + 2 - r);
      EXPECT_EQ(rank(nothing), nothing.cols());
      EXPECT_LE((a * nothing).norm(), accuracy * a.norm() * nothing.norm());
    }
}

TEST_F(Dense, CompletePivotsSpanTheWholeMatrix) {
  for (int n = 2; n <= 12; ++n)
    for (int r = 1; r <= n; ++r) {
      const Matrix a = of_rank(r, n, n);
      const CompletePivoting pivots = complete_pivoting(a, accuracy);
      ASSERT_EQ(pivots.rank, r);
      std::vector<Eigen::Index> rows, columns;
      for (int i = 0; i < n; ++i) {
        if (pivots.row_places[i] < r) rows.push_back(i);
        if (i < r) columns.push_back(pivots.column_order[i]);
      }
      EXPECT_EQ(rank(a(rows, columns)), r);
    }
}

// x is the shortest of those nearest: the rest is across the columns, and x along the rows.
TEST_F(Dense, LeastNormSolutionsAreTheShortestOfTheNearest) {
  for (int n = 2; n <= 12; ++n) {
    const Matrix a = of_rank(n / 2, n, n + 3), right = random_matrix(n, 2);
    const Vector b = right.col(0);
    const Vector x = least_norm_solution(a, b);
    EXPECT_LE((a.transpose() * (a * x - b)).norm(), accuracy * a.norm() * b.norm());
    EXPECT_LE((null_space(a).transpose() * x).norm(), accuracy * (1 + x.norm()));
    EXPECT_LE((least_norm_solutions(a, right).col(0) - x).norm(), accuracy * (1 + x.norm()));
    EXPECT_LE((least_norm_solution(a, b, accuracy) - x).norm(), accuracy * (1 + x.norm()));
  }
}

TEST_F(Dense, IndependentColumnsBecomeAnOrthonormalBasis) {
  for (int n = 2; n <= 12; ++n) {
    const Matrix a = of_rank(n / 2, n, n + 3);
    const std::vector<Eigen::Index> columns = independent_columns(a, accuracy);
    ASSERT_EQ(static_cast<int>(columns.size()), n / 2);
    const Matrix basis = orthonormal_basis(a(Eigen::all, columns));
    EXPECT_LE((basis.transpose() * basis - Matrix::Identity(n / 2, n / 2)).norm(), accuracy);
    EXPECT_LE((basis * (basis.transpose() * a) - a).norm(), accuracy * a.norm());
  }
}

}  // namespace
}  // namespace abut::math
