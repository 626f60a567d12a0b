#include "math/node_matrix.h"

namespace abut::math {

NodeMatrix::NodeMatrix(int nodes, const std::vector<std::array<int, 2>>& pairs)
    : diagonal_(nodes), blocks_(pairs.size()), first_(nodes + 1, 0) {
  second_.reserve(pairs.size());
  for (const auto& [a, b] : pairs) {
    ++first_[a + 1];
    second_.push_back(b);
  }
  for (int i = 0; i < nodes; ++i) first_[i + 1] += first_[i];
}

void NodeMatrix::add_coupling(const Quad* x, Quad* y) const {
  for (int a = 0; a < nodes(); ++a) {
    const Quad mine = x[a];
    Quad sum = y[a];
    for (int p = first_[a]; p < first_[a + 1]; ++p) {
      const NodeBlock& block = blocks_[p];
      const int b = second_[p];
      sum += block * x[b];
      y[b] += block * mine;
    }
    y[a] = sum;
  }
}

void NodeMatrix::solve_lower(const NodeBlock* inverses, Quad* x) const {
  for (int a = 0; a < nodes(); ++a) {
    const Quad mine = inverses[a] * x[a];
    x[a] = mine;
    for (int p = first_[a]; p < first_[a + 1]; ++p) x[second_[p]] -= blocks_[p] * mine;
  }
}

void NodeMatrix::solve_upper(const NodeBlock* inverses, Quad* x) const {
  for (int a = nodes() - 1; a >= 0; --a) {
    Quad sum = x[a];
    for (int p = first_[a]; p < first_[a + 1]; ++p) sum -= blocks_[p] * x[second_[p]];
    x[a] = inverses[a] * sum;
  }
}

double dot(const NodeVector& x, const NodeVector& y) {
  Quad sum = Quad::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i].cwiseProduct(y[i]);
  return (sum[0] + sum[1]) + sum[2];
}

}  // namespace abut::math
