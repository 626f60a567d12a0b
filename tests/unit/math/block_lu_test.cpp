#include "math/block_lu.h"

#include <gtest/gtest.h>

#include <random>

#include "math/dense.h"

namespace abut::math {
namespace {

// Rings with chords: elimination fills in what the matrix does not have.
TEST(BlockLu, SolvesAsDenseEliminationDoes) {
  for (const int seed : {1, 2, 3}) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const int size = 12;
    std::vector<std::array<int, 2>> couplings;
    for (int i = 0; i < size; ++i) couplings.push_back({i, (i + 1) % size});
    couplings.push_back({7, 2});
    couplings.push_back({0, 5});
    BlockLu sparse(size, couplings);
    Matrix dense = Matrix::Zero(6 * size, 6 * size);
    const auto put = [&](int row, int column, double diagonal) {
      BlockLu::Block block;
      for (double& x : block.reshaped()) x = uniform(random);
      block.diagonal().array() += diagonal;
      sparse.at(row, column) = block;
      dense.block<6, 6>(6 * row, 6 * column) = block;
    };
    for (int i = 0; i < size; ++i) put(i, i, 20);
    for (const auto& [a, b] : couplings) {
      put(a, b, 0);
      put(b, a, 0);
    }
    Vector right(6 * size);
    for (double& x : right) x = uniform(random);
    std::vector<BlockLu::Part> x(size);
    for (int i = 0; i < size; ++i) x[i] = right.segment<6>(6 * i);
    ASSERT_TRUE(sparse.factorise());
    sparse.solve(x);
    const Vector expected = solve(dense, right);
    for (int i = 0; i < size; ++i)
      EXPECT_LT((x[i] - expected.segment<6>(6 * i)).norm(), 1e-13) << seed;
  }
}

TEST(BlockLu, TellsASingularMatrix) {
  BlockLu matrix(2, {{0, 1}});
  matrix.at(0, 0).setIdentity();
  EXPECT_FALSE(matrix.factorise());
}

// A tower couples neighbours only: elimination from the ends fills in nothing.
TEST(BlockLu, ATowerFillsInNothing) {
  const int size = 50;
  std::vector<std::array<int, 2>> couplings;
  for (int i = 1; i < size; ++i) couplings.push_back({i, i - 1});
  EXPECT_EQ(BlockLu(size, couplings).fill(), static_cast<std::size_t>(size - 1));
}

}  // namespace
}  // namespace abut::math
