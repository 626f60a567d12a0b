#pragma once
// Elimination in a sparse matrix of 6 x 6 blocks, such as a system of bodies has: a block per body
// on the diagonal, and two per pair of bodies that act on each other.
//
// Blocks are eliminated in an order of small degree, without exchanges between bodies; within a
// block rows are exchanged. That is stable for matrices that are near to positive definite.

#include <Eigen/Core>
#include <array>
#include <vector>

namespace abut::math {

/// The factors of one block, with its rows exchanged. All sizes are known to the compiler, which
/// makes elimination several times as fast as one for matrices of any size.
class BlockPivot {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;

  /// False if the block is singular, or not finite.
  bool factorise(const Block& block);

  /// Replaces the right-hand sides by the solutions.
  template <int columns>
  void solve(Eigen::Matrix<double, 6, columns>& sides) const {
    // By rows, so that all right-hand sides are worked on at once.
    std::array<Eigen::Matrix<double, 1, columns>, 6> x;
    for (int i = 0; i < 6; ++i) x[i] = sides.row(order_[i]);
    for (int i = 1; i < 6; ++i)
      for (int k = 0; k < i; ++k) x[i] -= factors_(i, k) * x[k];
    for (int i = 5; i >= 0; --i) {
      for (int k = i + 1; k < 6; ++k) x[i] -= factors_(i, k) * x[k];
      x[i] *= reciprocals_[i];
    }
    for (int i = 0; i < 6; ++i) sides.row(i) = x[i];
  }

 private:
  Block factors_ = Block::Zero();           // unit lower and upper triangle
  std::array<double, 6> reciprocals_ = {};  // of the upper triangle's diagonal
  std::array<int, 6> order_ = {};           // by place: the row that is there
};

class BlockLu {
 public:
  using Block = BlockPivot::Block;
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
    BlockPivot pivot;
  };
  static std::size_t find(const Column& column, int place);

  std::vector<int> place_of_;  // by body: when it is eliminated
  std::vector<Column> columns_;
};

}  // namespace abut::math
