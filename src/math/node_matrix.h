#pragma once
// A symmetric matrix of symmetric 3 x 3 blocks, such as point masses have that springs join.
//
// Vectors are four numbers per node, the last one 0, so that a block is three columns of four
// numbers that are read once for both of its places in the matrix.

#include <array>
#include <memory>
#include <vector>

#include "abut/types.h"
#include "math/sweep_order.h"

namespace abut::math {

using Quad = Eigen::Vector4d;
using NodeVector = std::vector<Quad>;

inline Quad quad(const Vec3& x) {
  return {x[0], x[1], x[2], 0};
}

/// Three columns of a symmetric block.
struct NodeBlock {
  std::array<Quad, 3> columns = {Quad::Zero(), Quad::Zero(), Quad::Zero()};

  NodeBlock() = default;
  explicit NodeBlock(const Mat3& block)
      : columns{quad(block.col(0)), quad(block.col(1)), quad(block.col(2))} {}
  Quad operator*(const Quad& x) const {
    return columns[0] * x[0] + columns[1] * x[1] + columns[2] * x[2];
  }
  NodeBlock& operator+=(const NodeBlock& other) {
    for (int i = 0; i < 3; ++i) columns[i] += other.columns[i];
    return *this;
  }
  Mat3 matrix() const {
    Mat3 block;
    for (int i = 0; i < 3; ++i) block.col(i) = columns[i].head<3>();
    return block;
  }
};

class NodeMatrix {
 public:
  NodeMatrix() = default;
  /// `pairs` of nodes that act on each other: first < second, each once, ordered.
  NodeMatrix(int nodes, std::vector<std::array<int, 2>> pairs);

  int nodes() const { return static_cast<int>(diagonal_.size()); }
  NodeBlock& diagonal(int node) { return diagonal_[node]; }
  const NodeBlock& diagonal(int node) const { return diagonal_[node]; }
  /// The block of a pair, by its number.
  NodeBlock& pair(int number) { return blocks_[number]; }
  /// To be called once all blocks of pairs are set, before sweeps read them.
  void prepare_sweeps();
  /// In which sweeps over its nodes go, with the blocks of the terms.
  const SweepOrder& order() const { return *order_; }
  const std::vector<float>& blocks_before() const { return before_; }
  const std::vector<float>& blocks_after() const { return after_; }

  /// Adds what blocks off the diagonal make of x, both with a number per node of this matrix.
  void add_coupling(const Quad* x, Quad* y) const;

 private:
  std::vector<NodeBlock> diagonal_, blocks_;
  std::vector<std::array<int, 2>> pairs_;
  std::shared_ptr<const SweepOrder> order_;
  std::vector<float> before_, after_;
};

double dot(const NodeVector& x, const NodeVector& y);

}  // namespace abut::math
