#include "law/split_system.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <random>

namespace abut::law {
namespace {

using math::NodeBlock;
using math::NodeVector;

// Nodes with springs between some of them, two further parts, and a coupling of a node to one of
// these; dense as well.
struct Net {
  Net(int nodes, const std::vector<std::array<int, 2>>& pairs)
      : parts(nodes + 2), matrix(nodes, pairs), random(static_cast<unsigned>(nodes)) {
    dense = Eigen::MatrixXd::Identity(3 * parts, 3 * parts);
    for (const auto& [a, b] : pairs) couple(a, b, spring());
    for (std::size_t p = 0; p < pairs.size(); ++p)
      matrix.pair(static_cast<int>(p)) =
          NodeBlock(Mat3(dense.block<3, 3>(3 * pairs[p][0], 3 * pairs[p][1])));
    coupling = spring();
    couple(1, nodes, coupling);
    for (int i = 0; i < nodes; ++i) matrix.diagonal(i) = own(i);
    matrix.prepare_sweeps();
  }

  double uniform() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  Mat3 spring() {
    const Vec3 u = Vec3(uniform(), uniform(), uniform()).normalized();
    return 20 * u * u.transpose();
  }
  void couple(int a, int b, const Mat3& block) {
    for (const int k : {a, b}) dense.block<3, 3>(3 * k, 3 * k) += block;
    dense.block<3, 3>(3 * a, 3 * b) -= block;
    dense.block<3, 3>(3 * b, 3 * a) -= block;
  }
  NodeBlock own(int part) const { return NodeBlock(Mat3(dense.block<3, 3>(3 * part, 3 * part))); }

  int parts;
  math::NodeMatrix matrix;
  Eigen::MatrixXd dense;
  Mat3 coupling;
  std::mt19937 random;
};

// Solved anew for what is left, a system in single precision leads to all digits.
void expect_solution(Net& net) {
  const int nodes = net.matrix.nodes();
  SplitSystem system({{0, 1, &net.matrix}}, static_cast<std::size_t>(net.parts));
  for (int i = 0; i < net.parts; ++i)
    system.set_inverse(i, NodeBlock(Mat3(net.own(i).matrix().inverse())));
  Eigen::VectorXd asked(3 * net.parts), found = Eigen::VectorXd::Zero(3 * net.parts);
  for (int i = 0; i < 3 * net.parts; ++i) asked[i] = net.uniform();
  const auto add_coupling = [&](const NodeVector& x, NodeVector& y) {
    y[1].head<3>() -= net.coupling * x[nodes].head<3>();
    y[nodes].head<3>() -= net.coupling * x[1].head<3>();
  };
  double left = 1;
  for (int round = 0; round < 4; ++round) {
    const Eigen::VectorXd missing = asked - net.dense * found;
    NodeVector b(net.parts), v;
    for (int i = 0; i < net.parts; ++i) b[i] = math::quad(missing.segment<3>(3 * i));
    const double part = 1e-4 * left;
    EXPECT_TRUE(system.solve({1, nodes}, add_coupling, b, {part * part, part, 0}, v));
    for (int i = 0; i < net.parts; ++i) found.segment<3>(3 * i) += v[i].head<3>();
    left = (asked - net.dense * found).cwiseAbs().maxCoeff();
  }
  EXPECT_LT((net.dense.llt().solve(asked) - found).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(SplitSystem, IsTheSolutionOfAGrid) {
  constexpr int width = 11, height = 7;
  std::vector<std::array<int, 2>> pairs;
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i)
      for (const auto& [di, dj] : {std::array{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}})
        if (i + di >= 0 && i + di < width && j + dj < height)
          pairs.push_back({i + j * width, i + di + (j + dj) * width});
  std::sort(pairs.begin(), pairs.end());
  Net net(width * height, pairs);
  // Neighbours in one direction are one term for most packs.
  EXPECT_LT(net.matrix.order().before().count(), 8 * net.matrix.order().packs());
  expect_solution(net);
}

TEST(SplitSystem, IsTheSolutionOfAnyNet) {
  constexpr int nodes = 40;
  std::mt19937 random(5);
  std::vector<std::array<int, 2>> pairs;
  for (int a = 0; a < nodes; ++a)
    for (int b = a + 1; b < nodes; ++b)
      if (random() % 6 == 0) pairs.push_back({a, b});
  Net net(nodes, pairs);
  expect_solution(net);
}

}  // namespace
}  // namespace abut::law
