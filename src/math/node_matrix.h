#pragma once
// A symmetric matrix of symmetric 3 x 3 blocks, such as point masses have that springs join.
//
// Vectors are four numbers per node, the last one 0, so that a block is three columns of four
// numbers that are read once for both of its places in the matrix.
//
// A sweep that solves for one node after the other waits for the last one each time. Which nodes it
// has to wait for depends on the pairs alone: nodes of level 0 for none, those of the next for such
// of the levels before. Level by level the sweep does the same, and nodes that follow each other do
// not wait for each other.

#include <array>
#include <vector>

#include "abut/types.h"

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
  NodeMatrix(int nodes, const std::vector<std::array<int, 2>>& pairs);

  int nodes() const { return static_cast<int>(diagonal_.size()); }
  NodeBlock& diagonal(int node) { return diagonal_[node]; }
  const NodeBlock& diagonal(int node) const { return diagonal_[node]; }
  /// The block of a pair, by its number.
  NodeBlock& pair(int number) { return blocks_[place_[number]]; }

  /// Adds what blocks off the diagonal make of x, both with a number per node of this matrix.
  void add_coupling(const Quad* x, Quad* y) const;

  /// With L the blocks below the diagonal and D other blocks on it, whose inverses are given:
  /// x becomes (D + L)^-1 x, and `within` D times that, which is known on the way.
  void solve_lower(const NodeBlock* inverses, Quad* x, Quad* within) const;
  /// t = (D + L^T)^-1 x and `beyond` = L^T t.
  void solve_upper(const NodeBlock* inverses, const Quad* x, Quad* t, Quad* beyond) const;

 private:
  void order_by_level(const std::vector<std::array<int, 2>>& pairs);

  std::vector<NodeBlock> diagonal_, blocks_;
  // Nodes in the order of their levels; by place in it, where its pairs begin; by pair in that
  // order, the second node; by number of a pair, its place.
  std::vector<int> order_, first_, second_, place_;
};

double dot(const NodeVector& x, const NodeVector& y);

}  // namespace abut::math
