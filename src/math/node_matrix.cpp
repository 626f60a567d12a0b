#include "math/node_matrix.h"

#include "math/lanes.h"

namespace abut::math {
namespace {

void fill(const SweepTerms& terms, const std::vector<NodeBlock>& blocks, std::vector<float>& to) {
  constexpr std::size_t size = block_parts * lane_count;
  to.resize(size * terms.count());
  for (std::size_t pair = 0; pair < blocks.size(); ++pair) {
    const auto [term, lane] = terms.place_of_pair[pair];
    const auto& [x, y, z] = blocks[pair].columns;
    const std::array<double, block_parts> parts = {x[0], y[1], z[2], x[1], x[2], y[2]};
    float* lanes = &to[size * term + lane];
    for (int i = 0; i < block_parts; ++i) lanes[i * lane_count] = static_cast<float>(parts[i]);
  }
}

}  // namespace

NodeMatrix::NodeMatrix(int nodes, std::vector<std::array<int, 2>> pairs)
    : diagonal_(nodes),
      blocks_(pairs.size()),
      pairs_(std::move(pairs)),
      order_(std::make_shared<const SweepOrder>(nodes, pairs_)) {}

void NodeMatrix::prepare_sweeps() {
  fill(order_->before(), blocks_, before_);
  fill(order_->after(), blocks_, after_);
}

void NodeMatrix::add_coupling(const Quad* x, Quad* y) const {
  for (std::size_t p = 0; p < pairs_.size();) {
    const int a = pairs_[p][0];
    const Quad mine = x[a];
    Quad sum = y[a];
    for (; p < pairs_.size() && pairs_[p][0] == a; ++p) {
      const int b = pairs_[p][1];
      sum += blocks_[p] * x[b];
      y[b] += blocks_[p] * mine;
    }
    y[a] = sum;
  }
}

double dot(const NodeVector& x, const NodeVector& y) {
  Quad sum = Quad::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i].cwiseProduct(y[i]);
  return (sum[0] + sum[1]) + sum[2];
}

}  // namespace abut::math
