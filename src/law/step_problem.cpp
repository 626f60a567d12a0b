#include "law/step_problem.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "law/step_interior.h"
#include "lcp/one_contact.h"

namespace abut::law {
namespace {

using impulse::immovable;
using Block6 = Eigen::Matrix<double, 6, 6>;
using Part6 = Eigen::Matrix<double, 6, 1>;

// Sweeps after which Gauss-Seidel is done, whatever it has reached.
constexpr int most_sweeps = 60;

// Sweeps after which their pace is known.
constexpr int telling_sweeps = 12;

// Of the diagonal of an equality's own block (dimensionless): lets rows of one joint depend on each
// other.
constexpr double least_pivot = 1e-9;

class Sweeps {
 public:
  explicit Sweeps(StepProblem& problem)
      : problem_(problem), answers_(problem.rows.size()), more_answers_(problem.more_sides.size()) {
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
      for (int k = 0; k < block.more; ++k) {
        const impulse::Inertia& inertia =
            problem_.bodies[problem_.more_slots[block.first_more + k]].inertia;
        const body::RowSide& side = problem_.more_sides[row.first_more + k];
        more_answers_[row.first_more + k] = {inertia.inverse_mass * side.linear,
                                             inertia.inverse_inertia * side.angular};
      }
    }
    for (int i = 0; i < block.rows; ++i)
      for (int k = 0; k < block.rows; ++k) a(i, k) = entry(block, i, k);
    if (block.kind == StepBlock::Kind::equality) {
      const double scale = a.diagonal().head(block.rows).maxCoeff();
      for (int i = 0; i < block.rows; ++i) a(i, i) += least_pivot * scale;
      for (int i = block.rows; i < 6; ++i) a(i, i) = 1;
      inverses_.push_back(a.ldlt().solve(Block6::Identity()));
    } else {
      inverses_.push_back(a);
    }
  }

  double entry(const StepBlock& block, int i, int k) const {
    double sum = 0;
    const StepRow &x = problem_.rows[block.first + i], &y = problem_.rows[block.first + k];
    for (const int s : {0, 1})
      for (const int t : {0, 1}) {
        if (block.slots[s] == immovable || block.slots[s] != block.slots[t]) continue;
        const Twist& answer = answers_[block.first + k][t];
        sum += x.sides[s].linear.dot(answer.linear) + x.sides[s].angular.dot(answer.angular);
      }
    for (int m = 0; m < block.more; ++m) {
      const body::RowSide& side = problem_.more_sides[x.first_more + m];
      const Twist& answer = more_answers_[y.first_more + m];
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
    for (int k = 0; k < block.more; ++k) {
      Twist& v = problem_.bodies[problem_.more_slots[block.first_more + k]].velocity;
      const Twist& answer = more_answers_[problem_.rows[row].first_more + k];
      v.linear += impulse * answer.linear;
      v.angular += impulse * answer.angular;
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
  std::vector<Twist> more_answers_;            // the same on further slots
  std::vector<Block6> inverses_;  // by block: its matrix; of an equality, the inverse of it
};

}  // namespace

double StepProblem::motion(const StepBlock& block, int row) const {
  double w = rows[row].bias;
  for (const int side : {0, 1}) {
    if (block.slots[side] == immovable) continue;
    const Twist& v = bodies[block.slots[side]].velocity;
    w += rows[row].sides[side](v.linear, v.angular);
  }
  for (int k = 0; k < block.more; ++k) {
    const Twist& v = bodies[more_slots[block.first_more + k]].velocity;
    w += more_sides[rows[row].first_more + k](v.linear, v.angular);
  }
  return w;
}

// Where sweeps converge linearly by a factor r, what is left is the last change times r / (1 - r),
// and after n more it is r^n of that. Sweeps go on while they are on their way to arrive in time.
StepSolution solve(StepProblem& problem, double accuracy) {
  StepSolution solution;
  if (problem.blocks.empty()) return {true, 0, false};
  StepProblem from_start = problem;
  Sweeps sweeps(problem);
  double before = infinity, left = infinity, ratio = 0;
  const auto arrives_in_time = [&] {
    return solution.sweeps < telling_sweeps ||
           left * std::pow(ratio, most_sweeps - solution.sweeps) <= accuracy;
  };
  while (solution.sweeps < most_sweeps && left > accuracy && arrives_in_time()) {
    const double change = sweeps.sweep();
    ++solution.sweeps;
    ratio = before < infinity && before > 0 ? std::min(change / before, 0.99) : 0.9;
    before = change;
    left = change * std::max(1.0, ratio / (1 - ratio));
  }
  solution.solved = left <= accuracy;
  if (!solution.solved && solve_from_inside(from_start, accuracy).arrived) {
    problem = std::move(from_start);
    solution.exact = solution.solved = true;
  }
  return solution;
}

}  // namespace abut::law
