// By Farkas' lemma there is a y as refutes() asks for if and only if no z within bounds and cones
// gives all normals and one-sided rows the right sign of w, but for limiting cases. So that is
// tried: with cones as sums of generators, z = G x, and slacks s,
//     minimise |R|^2 / 2,   R = A_R G x + b_R - s,   over x and s within their bounds,
// where R are the rows whose sign is known. It is a convex problem with bounds only (lcp.h). Its
// optimality conditions say that y = -R refutes the problem, unless R = 0. The generators make a
// pyramid around each cone; what refutes the wider pyramid refutes the cone.

#include "lcp/cone_refutation.h"

#include <cmath>
#include <numbers>

#include "base/limits.h"

namespace abut::lcp {
namespace {

constexpr int sides_of_pyramid = 12;

struct Columns {
  std::vector<Vector> directions;  // of G
  std::vector<double> lower, upper;

  void add(Vector direction, double from, double to) {
    directions.push_back(std::move(direction));
    lower.push_back(from);
    upper.push_back(to);
  }
};

void add_generators(const ConeBlock& block, Eigen::Index first, Eigen::Index size, Columns& g) {
  const bool is_planar = block.rows == 2;
  const int sides = is_planar ? 2 : sides_of_pyramid;
  const double widening = is_planar ? 1 : 1 / std::cos(std::numbers::pi / sides);
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * k / sides;
    Vector direction = Vector::Unit(size, first);
    direction[first + 1] = block.friction * widening * std::cos(angle);
    if (!is_planar) direction[first + 2] = block.friction * widening * std::sin(angle);
    g.add(std::move(direction), 0, infinity);
  }
}

}  // namespace

Vector find_refutation(const ConeProblem& problem) {
  const Eigen::Index n = problem.size();
  Columns g;
  std::vector<Eigen::Index> signed_rows;
  std::vector<double> slack_lower, slack_upper;
  Eigen::Index first = 0;
  for (const ConeBlock& block : problem.blocks) {
    const bool holds_up = block.is_contact() || block.upper == infinity;
    const bool holds_down = !block.is_contact() && block.lower == -infinity;
    if (holds_up || holds_down) {
      signed_rows.push_back(first);
      slack_lower.push_back(holds_up ? 0 : -infinity);
      slack_upper.push_back(holds_down ? 0 : infinity);
    }
    if (block.is_contact()) {
      add_generators(block, first, n, g);
    } else {
      g.add(Vector::Unit(n, first), block.lower, block.upper);
    }
    first += block.rows;
  }
  const auto columns = static_cast<Eigen::Index>(g.directions.size());
  const auto rows = static_cast<Eigen::Index>(signed_rows.size());
  if (rows == 0) return {};
  Matrix map(rows, columns + rows);
  const Matrix a = problem.a(signed_rows, Eigen::all);
  const Vector b = problem.b(signed_rows);
  for (Eigen::Index k = 0; k < columns; ++k)
    map.col(k) = a * g.directions[static_cast<std::size_t>(k)];
  map.rightCols(rows) = -Matrix::Identity(rows, rows);

  Problem least{map.transpose() * map, map.transpose() * b, Vector(columns + rows),
                Vector(columns + rows)};
  least.lower << Eigen::Map<const Vector>(g.lower.data(), columns),
      Eigen::Map<const Vector>(slack_lower.data(), rows);
  least.upper << Eigen::Map<const Vector>(g.upper.data(), columns),
      Eigen::Map<const Vector>(slack_upper.data(), rows);
  const Solution nearest = solve_psd(least);
  if (nearest.status != Status::solved) return {};

  // Rounding errors must not break the signs that y needs.
  const Vector miss = map * nearest.z + b;
  Vector y = Vector::Zero(n);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const auto at = static_cast<std::size_t>(k);
    double weight = -miss[k];
    if (slack_upper[at] == infinity && weight < 0) weight = 0;
    if (slack_lower[at] == -infinity && slack_upper[at] == 0 && weight > 0) weight = 0;
    y[signed_rows[at]] = weight;
  }
  return refutes(problem, y) ? y : Vector();
}

}  // namespace abut::lcp
