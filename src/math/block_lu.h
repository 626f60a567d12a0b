#pragma once
// Elimination in a sparse matrix of 6 x 6 blocks, such as a system of bodies has: a block per body
// on the diagonal, and two per pair of bodies that act on each other.
//
// Blocks are eliminated in an order of small degree, without exchanges between bodies; within a
// block rows are exchanged. That is stable for matrices that are near to positive definite.

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <vector>

namespace abut::math {

class BlockLu {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;
  using Part = Eigen::Matrix<double, 6, 1>;

  /// `couplings`: pairs of bodies whose blocks may be other than zero, in any order.
  BlockLu(int size, const std::vector<std::array<int, 2>>& couplings);

  /// The matrix to be factorised, first all zero.
  void clear();
  Block& at(int row, int column);

  /// Replaces the matrix by its factors. False if it is singular, or not finite.
  bool factorise();
  void solve(std::vector<Part>& x) const;

  /// Blocks off the diagonal that an elimination works on: what it costs, roughly.
  std::size_t fill() const;

 private:
  struct Column {
    std::vector<int> below;           // places that are eliminated later, ascending
    std::vector<Block> lower, upper;  // blocks (below, here) and (here, below)
    Block diagonal = Block::Zero();
    Eigen::PartialPivLU<Block> pivot;
  };
  static std::size_t find(const Column& column, int place);

  std::vector<int> place_of_;  // by body: when it is eliminated
  std::vector<Column> columns_;
};

}  // namespace abut::math
