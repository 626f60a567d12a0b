#include "law/sheet_newton.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>
#include <span>

#include "law/step_interior.h"
#include "unit/law/step_bodies.h"

namespace abut::law {
namespace {

using step_testing::cube;

// Of velocities of about 2 m/s: as steps ask for.
constexpr double accuracy = 1e-3;

// A square of nodes with springs along its sides, and its matrix, dense as well.
struct Square {
  explicit Square(int side, double stiffness) : nodes(side * side) {
    std::vector<std::array<int, 2>> pairs;
    for (int i = 0; i < nodes; ++i) {
      if (i % side + 1 < side) pairs.push_back({i, i + 1});
      if (i + side < nodes) pairs.push_back({i, i + side});
    }
    std::sort(pairs.begin(), pairs.end());
    matrix = math::NodeMatrix(nodes, pairs);
    dense = Eigen::MatrixXd::Identity(3 * nodes, 3 * nodes);
    for (int i = 0; i < nodes; ++i) matrix.diagonal(i) = math::NodeBlock(Mat3::Identity());
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const Vec3 u = Vec3(uniform(random), uniform(random), uniform(random)).normalized();
      const Mat3 block = stiffness * u * u.transpose();
      const auto [a, b] = pairs[p];
      matrix.pair(static_cast<int>(p)) = math::NodeBlock(Mat3(-block));
      for (const int k : {a, b}) {
        matrix.diagonal(k) += math::NodeBlock(block);
        dense.block<3, 3>(3 * k, 3 * k) += block;
      }
      dense.block<3, 3>(3 * a, 3 * b) -= block;
      dense.block<3, 3>(3 * b, 3 * a) -= block;
    }
    matrix.prepare_sweeps();
  }

  int nodes;
  math::NodeMatrix matrix;
  Eigen::MatrixXd dense;
};

// Falls, and slides, with a velocity that differs from node to node.
StepProblem falling(const Square& square) {
  StepProblem problem;
  problem.sheets.push_back({0, static_cast<double>(square.nodes), &square.matrix});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < square.nodes; ++i) {
    problem.node_velocities.emplace_back(Vec3::Zero());
    problem.node_momenta.emplace_back(2 + uniform(random), uniform(random), uniform(random) - 1);
  }
  return problem;
}

// A point of the sheet above the floor, or above a body.
void add_point(StepProblem& problem, const std::vector<std::pair<int, double>>& weights,
               double friction, int other = impulse::immovable) {
  StepBlock block;
  block.kind = StepBlock::Kind::contact;
  block.rows = 3;
  block.friction = friction;
  block.slots = {impulse::immovable, other};
  block.first_node = static_cast<int>(problem.block_nodes.size());
  block.nodes = static_cast<int>(weights.size());
  for (const auto& [node, weight] : weights) problem.block_nodes.push_back(node);
  problem.begin_block(block);
  for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0, 1, 0)}) {
    StepRow row;
    row.first_node = static_cast<int>(problem.node_sides.size());
    for (const auto& [node, weight] : weights) problem.node_sides.emplace_back(weight * axis);
    row.sides[1] = {-axis, Vec3::Zero()};
    problem.rows.push_back(row);
  }
}

// A v = c + J^T x, with the matrix of the square as it is.
void expect_momentum(const StepProblem& solved, const Square& square) {
  Eigen::VectorXd c(3 * square.nodes), v(3 * square.nodes);
  for (int i = 0; i < square.nodes; ++i) {
    c.segment<3>(3 * i) = solved.node_momenta[i];
    v.segment<3>(3 * i) = solved.node_velocities[i];
  }
  for (const StepBlock& block : solved.blocks)
    for (int i = block.first; i < block.first + block.rows; ++i)
      for (int k = 0; k < block.nodes; ++k)
        c.segment<3>(3 * solved.block_nodes[block.first_node + k]) +=
            solved.rows[i].impulse * solved.node_sides[solved.rows[i].first_node + k];
  EXPECT_LT((square.dense.llt().solve(c) - v).cwiseAbs().maxCoeff(), 3 * accuracy);
}

TEST(SheetNewton, IsTheLinearSolutionWithoutContacts) {
  const Square square(9, 40);
  StepProblem problem = falling(square);
  EXPECT_TRUE(solve(problem, accuracy, accuracy).solved);
  expect_momentum(problem, square);
}

TEST(SheetNewton, ObeysCoulombsLawAtNodesAndWithinTriangles) {
  const Square square(9, 40);
  for (const double friction : {0.0, 0.3}) {
    StepProblem asked = falling(square);
    for (int i = 0; i < square.nodes; i += 2) add_point(asked, {{i, 1.0}}, friction);
    add_point(asked, {{1, 0.2}, {2, 0.3}, {11, 0.5}}, friction);
    StepProblem solved = asked;
    EXPECT_TRUE(solve(solved, accuracy, accuracy).solved);
    expect_momentum(solved, square);
    step_testing::expect_lawful(solved, asked, 10 * accuracy);
  }
}

// The same problem in the coordinates of the matrix's factor, as solids have it: A = L L^T,
// u = L^T v, six by six.
StepProblem condensed(const StepProblem& asked, const Square& square, const Eigen::MatrixXd& l) {
  StepProblem problem;
  const int slots = 3 * square.nodes / 6;
  Eigen::VectorXd c(3 * square.nodes);
  for (int i = 0; i < square.nodes; ++i) c.segment<3>(3 * i) = asked.node_momenta[i];
  const Eigen::VectorXd u = l.triangularView<Eigen::Lower>().solve(c);
  for (int k = 0; k < slots; ++k) {
    StepBody body;
    body.inertia = {1, Mat3::Identity()};
    body.velocity = {u.segment<3>(6 * k), u.segment<3>(6 * k + 3)};
    problem.bodies.push_back(body);
  }
  for (const StepBlock& of : asked.blocks) {
    StepBlock block = of;
    block.slots = {0, impulse::immovable};
    block.nodes = 0;
    block.first_more = static_cast<int>(problem.more_slots.size());
    block.more = slots - 1;
    for (int k = 1; k < slots; ++k) problem.more_slots.push_back(k);
    problem.begin_block(block);
    for (int i = of.first; i < of.first + of.rows; ++i) {
      Eigen::VectorXd j = Eigen::VectorXd::Zero(3 * square.nodes);
      for (int k = 0; k < of.nodes; ++k)
        j.segment<3>(3 * asked.block_nodes[of.first_node + k]) =
            asked.node_sides[asked.rows[i].first_node + k];
      l.triangularView<Eigen::Lower>().solveInPlace(j);
      StepRow row;
      row.bias = asked.rows[i].bias;
      row.first_more = static_cast<int>(problem.more_sides.size());
      row.sides[0] = {j.segment<3>(0), j.segment<3>(3)};
      for (int k = 1; k < slots; ++k)
        problem.more_sides.push_back({j.segment<3>(6 * k), j.segment<3>(6 * k + 3)});
      problem.rows.push_back(row);
    }
  }
  return problem;
}

// Random sheets on a floor whose height differs from node to node, against the exact method; energy
// in the metric of the matrix never grows by more than closing gaps give.
TEST(SheetNewton, IsTheExactSolution) {
  const Square square(4, 10);
  const Eigen::MatrixXd l = square.dense.llt().matrixL();
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    StepProblem asked = falling(square);
    for (int i = seed % 2; i < square.nodes; i += 2) add_point(asked, {{i, 1.0}}, 0.3);
    for (std::size_t i = 0; i < asked.rows.size(); i += 3)
      asked.rows[i].bias = 0.1 * uniform(random);
    for (Vec3& momentum : asked.node_momenta) momentum += Vec3(uniform(random), 0, uniform(random));
    StepProblem solved = asked, exact = condensed(asked, square, l);
    EXPECT_TRUE(solve(solved, accuracy, accuracy).solved) << seed;
    step_testing::expect_lawful(solved, asked, 10 * accuracy);
    EXPECT_LE(solve_from_inside(exact, 0.01 * accuracy).left, 0.01 * accuracy) << seed;
    Eigen::VectorXd u(3 * square.nodes), v(3 * square.nodes), c(3 * square.nodes);
    for (std::size_t k = 0; k < exact.bodies.size(); ++k)
      u.segment<6>(6 * static_cast<int>(k)) << exact.bodies[k].velocity.linear,
          exact.bodies[k].velocity.angular;
    double given = 0;
    for (const StepRow& row : solved.rows) given -= 2 * row.impulse * row.bias;
    for (int i = 0; i < square.nodes; ++i) {
      v.segment<3>(3 * i) = solved.node_velocities[i];
      c.segment<3>(3 * i) = asked.node_momenta[i];
    }
    EXPECT_LT((l.transpose().triangularView<Eigen::Upper>().solve(u) - v).cwiseAbs().maxCoeff(),
              5 * accuracy)
        << seed;
    EXPECT_LT(v.dot(square.dense * v) - c.dot(square.dense.llt().solve(c)), given) << seed;
  }
}

// Much friction on a net that turns every push into pressure.
TEST(SheetNewton, ArrivesWithMuchFriction) {
  const Square square(9, 40);
  for (const double friction : {0.5, 0.8}) {
    StepProblem asked = falling(square);
    for (int i = 0; i < square.nodes; i += 2) add_point(asked, {{i, 1.0}}, friction);
    StepProblem solved = asked;
    EXPECT_TRUE(solve(solved, accuracy, accuracy).solved) << friction;
    step_testing::expect_lawful(solved, asked, 10 * accuracy);
  }
}

// A body a thousand times heavier than a node rests on nodes that lie on the floor.
TEST(SheetNewton, CarriesHeavyBodies) {
  const Square square(6, 40);
  StepProblem asked = falling(square);
  asked.bodies.push_back(cube(1000, Vec3(0.1, 0, -1)));
  for (const int node : {14, 15, 20, 21}) {
    add_point(asked, {{node, -1.0}}, 0.5, 0);
    for (StepRow& row : std::span(asked.rows).last(3)) row.sides[1].linear *= -1;
    add_point(asked, {{node, 1.0}}, 0.5);
  }
  StepProblem solved = asked;
  EXPECT_TRUE(solve(solved, accuracy, accuracy).solved);
  expect_momentum(solved, square);
  EXPECT_NEAR(solved.bodies[0].velocity.linear.z(), 0, 10 * accuracy);
}

}  // namespace
}  // namespace abut::law
