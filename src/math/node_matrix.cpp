#include "math/node_matrix.h"

#include <algorithm>
#include <numeric>

namespace abut::math {

NodeMatrix::NodeMatrix(int nodes, const std::vector<std::array<int, 2>>& pairs)
    : diagonal_(nodes), blocks_(pairs.size()), first_(nodes + 1, 0) {
  order_by_level(pairs);
  std::vector<int> rank(nodes), by_first(pairs.size());
  for (int k = 0; k < nodes; ++k) rank[order_[k]] = k;
  std::iota(by_first.begin(), by_first.end(), 0);
  std::stable_sort(by_first.begin(), by_first.end(),
                   [&](int a, int b) { return rank[pairs[a][0]] < rank[pairs[b][0]]; });
  place_.resize(pairs.size());
  for (const int number : by_first) {
    ++first_[rank[pairs[number][0]] + 1];
    place_[number] = static_cast<int>(second_.size());
    second_.push_back(pairs[number][1]);
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

void NodeMatrix::order_by_level(const std::vector<std::array<int, 2>>& pairs) {
  std::vector<int> level(nodes(), 0);
  for (const auto& [a, b] : pairs) level[b] = std::max(level[b], level[a] + 1);
  order_.resize(nodes());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return level[a] < level[b]; });
}

void NodeMatrix::add_coupling(const Quad* x, Quad* y) const {
  for (int k = 0; k < nodes(); ++k) {
    const int a = order_[k];
    const Quad mine = x[a];
    Quad sum = y[a];
    for (int p = first_[k]; p < first_[k + 1]; ++p) {
      const NodeBlock& block = blocks_[p];
      const int b = second_[p];
      sum += block * x[b];
      y[b] += block * mine;
    }
    y[a] = sum;
  }
}

void NodeMatrix::solve_lower(const NodeBlock* inverses, Quad* x, Quad* within) const {
  for (int k = 0; k < nodes(); ++k) {
    const int a = order_[k];
    within[a] = x[a];
    const Quad mine = inverses[a] * x[a];
    x[a] = mine;
    for (int p = first_[k]; p < first_[k + 1]; ++p) x[second_[p]] -= blocks_[p] * mine;
  }
}

void NodeMatrix::solve_upper(const NodeBlock* inverses, const Quad* x, Quad* t,
                             Quad* beyond) const {
  for (int k = nodes() - 1; k >= 0; --k) {
    const int a = order_[k];
    Quad sum = Quad::Zero();
    for (int p = first_[k]; p < first_[k + 1]; ++p) sum += blocks_[p] * t[second_[p]];
    beyond[a] = sum;
    t[a] = inverses[a] * (x[a] - sum);
  }
}

double dot(const NodeVector& x, const NodeVector& y) {
  Quad sum = Quad::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i].cwiseProduct(y[i]);
  return (sum[0] + sum[1]) + sum[2];
}

}  // namespace abut::math
