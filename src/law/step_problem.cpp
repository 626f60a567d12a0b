#include "law/step_problem.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "lcp/cone_interior.h"
#include "lcp/one_contact.h"

namespace abut::law {
namespace {

using impulse::immovable;
using Block6 = Eigen::Matrix<double, 6, 6>;
using Part6 = Eigen::Matrix<double, 6, 1>;

// Sweeps after which Gauss-Seidel is done, whatever it has reached.
constexpr int most_sweeps = 60;

// The rows up to which the interior-point method is quick enough.
constexpr int exact_rows = 600;

// Of the diagonal of an equality's own block (dimensionless): lets rows of one joint depend on each
// other.
constexpr double least_pivot = 1e-9;

class Sweeps {
 public:
  explicit Sweeps(StepProblem& problem) : problem_(problem), answers_(problem.rows.size()) {
    for (const StepBlock& block : problem_.blocks) prepare(block);
    for (const StepBlock& block : problem_.blocks)
      for (int i = 0; i < block.rows; ++i)
        push(block, block.first + i, problem_.rows[block.first + i].impulse);
  }

  /// One exact solution of each block; the largest change of a row's velocity.
  double sweep() {
    double largest = 0;
    std::size_t own = 0;
    for (const StepBlock& block : problem_.blocks) largest = std::max(largest, relax(block, own++));
    return largest;
  }

  lcp::SparseConeProblem as_cones() const;
  void take(const Vector& z);

 private:
  void prepare(const StepBlock& block) {
    Block6 a = Block6::Zero();
    for (int i = 0; i < block.rows; ++i) {
      const StepRow& row = problem_.rows[block.first + i];
      for (const int side : {0, 1}) {
        const int slot = block.slots[side];
        if (slot == immovable) continue;
        const impulse::Inertia& inertia = problem_.bodies[slot].inertia;
        answers_[block.first + i][side] = {inertia.inverse_mass * row.sides[side].linear,
                                           inertia.inverse_inertia * row.sides[side].angular};
      }
    }
    for (int i = 0; i < block.rows; ++i)
      for (int k = 0; k < block.rows; ++k) a(i, k) = entry(block, i, block, k);
    if (block.kind == StepBlock::Kind::equality) {
      const double scale = a.diagonal().head(block.rows).maxCoeff();
      for (int i = 0; i < block.rows; ++i) a(i, i) += least_pivot * scale;
      for (int i = block.rows; i < 6; ++i) a(i, i) = 1;
      inverses_.push_back(a.ldlt().solve(Block6::Identity()));
    } else {
      inverses_.push_back(a);
    }
  }

  double entry(const StepBlock& x, int i, const StepBlock& y, int k) const {
    double sum = 0;
    for (const int s : {0, 1})
      for (const int t : {0, 1}) {
        if (x.slots[s] == immovable || x.slots[s] != y.slots[t]) continue;
        const body::RowSide& side = problem_.rows[x.first + i].sides[s];
        const Twist& answer = answers_[y.first + k][t];
        sum += side.linear.dot(answer.linear) + side.angular.dot(answer.angular);
      }
    return sum;
  }

  void push(const StepBlock& block, int row, double impulse) {
    if (impulse == 0) return;
    for (const int side : {0, 1}) {
      if (block.slots[side] == immovable) continue;
      Twist& v = problem_.bodies[block.slots[side]].velocity;
      v.linear += impulse * answers_[row][side].linear;
      v.angular += impulse * answers_[row][side].angular;
    }
  }

  double relax(const StepBlock& block, std::size_t own) {
    Part6 w = Part6::Zero(), z = Part6::Zero();
    for (int i = 0; i < block.rows; ++i) {
      w[i] = problem_.motion(block, block.first + i);
      z[i] = problem_.rows[block.first + i].impulse;
    }
    Part6 found = z;
    const Block6& a = inverses_[own];
    if (block.kind == StepBlock::Kind::equality) {
      found -= a * w;
    } else if (block.kind == StepBlock::Kind::bounded) {
      if (a(0, 0) > 0) found[0] = std::clamp(z[0] - w[0] / a(0, 0), block.lower, block.upper);
    } else {
      const lcp::PartMatrix local = a.topLeftCorner<3, 3>();
      const lcp::Part guess = z.head<3>();
      const lcp::Part q = w.head<3>() - local * guess;
      lcp::Part result;
      lcp::solve_alone(lcp::ConeBlock::contact(block.friction), local, q, guess, result);
      found.head<3>() = result;
    }
    double largest = 0;
    const Part6 change = found - z;
    for (int i = 0; i < block.rows; ++i) {
      problem_.rows[block.first + i].impulse = found[i];
      push(block, block.first + i, change[i]);
    }
    if (block.kind == StepBlock::Kind::equality) return w.cwiseAbs().maxCoeff();
    for (int i = 0; i < block.rows; ++i)
      largest = std::max(largest, std::abs(a.row(i).head(block.rows).dot(change.head(block.rows))));
    return largest;
  }

  StepProblem& problem_;
  std::vector<std::array<Twist, 2>> answers_;  // M^-1 J^T, by row and side
  std::vector<Block6> inverses_;  // by block: its matrix; of an equality, the inverse of it
};

// Rows in the order of the blocks; equalities as rows without bounds.
lcp::SparseConeProblem Sweeps::as_cones() const {
  lcp::SparseConeProblem cones;
  const auto size = static_cast<Eigen::Index>(problem_.rows.size());
  std::vector<std::vector<int>> by_body(problem_.bodies.size());
  for (std::size_t i = 0; i < problem_.blocks.size(); ++i)
    for (const int slot : problem_.blocks[i].slots)
      if (slot != immovable) by_body[slot].push_back(static_cast<int>(i));
  std::vector<Eigen::Triplet<double>> entries;
  cones.b.resize(size);
  std::vector<int> seen(problem_.blocks.size(), -1);
  for (std::size_t i = 0; i < problem_.blocks.size(); ++i) {
    const StepBlock& block = problem_.blocks[i];
    for (const int slot : block.slots) {
      if (slot == immovable) continue;
      for (const int other : by_body[slot]) {
        if (seen[other] == static_cast<int>(i)) continue;
        seen[other] = static_cast<int>(i);
        const StepBlock& y = problem_.blocks[other];
        for (int r = 0; r < block.rows; ++r)
          for (int c = 0; c < y.rows; ++c)
            entries.emplace_back(block.first + r, y.first + c, entry(block, r, y, c));
      }
    }
    if (block.kind == StepBlock::Kind::contact) {
      cones.blocks.push_back(lcp::ConeBlock::contact(block.friction));
      continue;
    }
    const bool is_bounded = block.kind == StepBlock::Kind::bounded;
    for (int r = 0; r < block.rows; ++r)
      cones.blocks.push_back(lcp::ConeBlock::bounded(is_bounded ? block.lower : -infinity,
                                                     is_bounded ? block.upper : infinity));
  }
  cones.a.resize(size, size);
  cones.a.setFromTriplets(entries.begin(), entries.end());
  // b = J v* + bias, with the impulses so far taken out again.
  Vector z(size);
  for (const StepBlock& block : problem_.blocks)
    for (int r = 0; r < block.rows; ++r) {
      cones.b[block.first + r] = problem_.motion(block, block.first + r);
      z[block.first + r] = problem_.rows[block.first + r].impulse;
    }
  cones.b -= cones.a * z;
  return cones;
}

void Sweeps::take(const Vector& z) {
  for (const StepBlock& block : problem_.blocks)
    for (int r = 0; r < block.rows; ++r) {
      StepRow& row = problem_.rows[block.first + r];
      push(block, block.first + r, z[block.first + r] - row.impulse);
      row.impulse = z[block.first + r];
    }
}

// By the interior-point method alone: a bounded number of sparse systems. Its answer is taken if it
// is better than that of the sweeps.
bool solve_from_inside(StepProblem& problem, Sweeps& sweeps) {
  const lcp::SparseConeProblem cones = sweeps.as_cones();
  const lcp::ConeSystem system(cones);
  Vector z = Vector::Zero(cones.size()), swept(cones.size());
  for (Eigen::Index i = 0; i < cones.size(); ++i) swept[i] = problem.rows[i].impulse;
  std::vector<lcp::Mode> modes;
  if (!lcp::ConeInterior(system).approach(z, modes)) return false;
  for (lcp::Index i = 0; i < system.block_count(); ++i)
    system.set_part(z, i, system.scale(i) * system.part(z, i));
  if (!(lcp::cone_residual(cones, z) < lcp::cone_residual(cones, swept))) return false;
  sweeps.take(z);
  return true;
}

}  // namespace

double StepProblem::motion(const StepBlock& block, int row) const {
  double w = rows[row].bias;
  for (const int side : {0, 1}) {
    if (block.slots[side] == immovable) continue;
    const Twist& v = bodies[block.slots[side]].velocity;
    w += rows[row].sides[side](v.linear, v.angular);
  }
  return w;
}

// Where sweeps converge linearly by a factor r, what is left is the last change times r / (1 - r).
StepSolution solve(StepProblem& problem, double accuracy, Method method) {
  StepSolution solution;
  if (problem.blocks.empty()) return {true, 0, false};
  Sweeps sweeps(problem);
  double before = infinity;
  double left = infinity;
  while (solution.sweeps < most_sweeps && left > accuracy) {
    const double change = sweeps.sweep();
    ++solution.sweeps;
    const double ratio = before < infinity && before > 0 ? std::min(change / before, 0.99) : 0.9;
    before = change;
    left = change * std::max(1.0, ratio / (1 - ratio));
  }
  solution.solved = left <= accuracy;
  const bool is_small = static_cast<int>(problem.rows.size()) <= exact_rows;
  if (!solution.solved && is_small && method == Method::exact)
    solution.exact = solution.solved = solve_from_inside(problem, sweeps);
  return solution;
}

}  // namespace abut::law
