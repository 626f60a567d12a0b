#include "law/step_problem.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "law/step_interior.h"
#include "law/step_newton.h"
#include "lcp/one_contact.h"

namespace abut::law {
namespace {

using impulse::immovable;
using Block6 = Eigen::Matrix<double, 6, 6>;
using Part6 = Eigen::Matrix<double, 6, 1>;

// Sweeps after which Gauss-Seidel is done, whatever it has reached: the exact solution costs as
// much as this many of them or more, however large the problem is.
constexpr int most_sweeps = 120;

// Sweeps after which their pace is known, and over which it is measured.
constexpr int telling_sweeps = 12, measured_sweeps = 5;

// So many blocks are few.
constexpr std::size_t few_blocks = 100;

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
    if (done_++ > 0) overshoot();
    double largest = 0;
    std::size_t own = 0;
    energy_ = missing_ = 0;
    for (const StepBlock& block : problem_.blocks) largest = std::max(largest, relax(block, own++));
    return largest;
  }

  /// What rows were short of when the last sweep came to them, m/s: how fast bodies approach each
  /// other, and joints come apart.
  double missing() const { return missing_; }

 private:
  // Between sweeps impulses go on the way that the last one took them, ever farther (Nesterov), and
  // velocities with them, until a sweep has to undo more than the one before: where sweeps need n
  // rounds by themselves, it takes about the square root of that.
  void overshoot() {
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * pace_ * pace_));
    double beyond = (pace_ - 1) / next;
    pace_ = next;
    if (energy_ > last_energy_) {
      pace_ = 1;
      beyond = 0;
    }
    last_energy_ = energy_;
    const bool is_first = last_impulses_.empty();
    last_impulses_.resize(problem_.rows.size());
    last_velocities_.resize(problem_.bodies.size());
    if (is_first) beyond = 0;
    for (std::size_t i = 0; i < problem_.rows.size(); ++i) {
      const double now = problem_.rows[i].impulse;
      problem_.rows[i].impulse += beyond * (now - last_impulses_[i]);
      last_impulses_[i] = now;
    }
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i) {
      const Twist now = problem_.bodies[i].velocity;
      problem_.bodies[i].velocity.linear += beyond * (now.linear - last_velocities_[i].linear);
      problem_.bodies[i].velocity.angular += beyond * (now.angular - last_velocities_[i].angular);
      last_velocities_[i] = now;
    }
  }

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
    if (block.kind == StepBlock::Kind::equality) {
      energy_ -= w.dot(change);
      missing_ = std::max(missing_, w.cwiseAbs().maxCoeff());
      return w.cwiseAbs().maxCoeff();
    }
    if (block.kind == StepBlock::Kind::contact || block.upper == infinity)
      missing_ = std::max(missing_, -w[0]);
    for (int i = 0; i < block.rows; ++i) {
      const double moved = a.row(i).head(block.rows).dot(change.head(block.rows));
      energy_ += moved * change[i];
      largest = std::max(largest, std::abs(moved));
    }
    return largest;
  }

  StepProblem& problem_;
  std::vector<std::array<Twist, 2>> answers_;  // M^-1 J^T, by row and side
  std::vector<Twist> more_answers_;            // the same on further slots
  std::vector<Block6> inverses_;  // by block: its matrix; of an equality, the inverse of it
  int done_ = 0;
  double pace_ = 1, energy_ = 0, last_energy_ = infinity;  // of changes, J
  double missing_ = 0;
  std::vector<double> last_impulses_;
  std::vector<Twist> last_velocities_;
};

// Whether the exact solution is worth its while where sweeps have come near enough: with few
// blocks, and with bodies in a row or a tower, of which sweeps need n^2 and elimination costs n.
bool deserves_exactness(const StepProblem& problem) {
  if (problem.blocks.size() <= few_blocks) return true;
  std::size_t couplings = 0;
  std::array<int, 2> last = {immovable, immovable};
  for (const StepBlock& block : problem.blocks) {
    if (block.slots[0] == immovable || block.slots[1] == immovable || block.slots == last) continue;
    last = block.slots;
    ++couplings;
  }
  return couplings <= problem.bodies.size();
}

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
StepSolution solve(StepProblem& problem, double accuracy, double enough) {
  StepSolution solution;
  if (problem.blocks.empty()) return {true, 0, false};
  const bool to_the_end = deserves_exactness(problem);
  StepProblem from_start = problem;
  Sweeps sweeps(problem);
  std::vector<double> changes;
  double left = infinity, ratio = 0;
  const auto goes_on = [&] {
    if (left <= accuracy || solution.sweeps >= most_sweeps) return false;
    if (solution.sweeps < telling_sweeps) return true;
    if (!to_the_end) return sweeps.missing() > enough;
    return left * std::pow(ratio, most_sweeps - solution.sweeps) <= accuracy;
  };
  while (goes_on()) {
    changes.push_back(sweeps.sweep());
    ++solution.sweeps;
    const double now = changes.back();
    const double before =
        solution.sweeps > measured_sweeps ? changes[solution.sweeps - 1 - measured_sweeps] : 0;
    ratio = before > 0 ? std::min(std::pow(now / before, 1.0 / measured_sweeps), 0.99) : 0.9;
    left = now * std::max(1.0, ratio / (1 - ratio));
  }
  solution.solved = left <= accuracy || (!to_the_end && sweeps.missing() <= enough);
  if (solution.solved) return solution;
  // From where the sweeps were given up it is mostly not far. Of long rows and high towers the
  // interior point method finds more digits, and there they add up.
  if (problem.blocks.size() <= few_blocks) {
    StepProblem near = from_start;
    for (std::size_t i = 0; i < near.rows.size(); ++i)
      near.rows[i].impulse = problem.rows[i].impulse;
    if (solve_from_near(near, accuracy) <= accuracy) {
      problem = std::move(near);
      solution.exact = solution.solved = true;
      return solution;
    }
  }
  // What the exact solver is short of is mostly rounding, of the largest velocity, and still better
  // than where the sweeps were given up.
  const InteriorResult inside = solve_from_inside(from_start, accuracy);
  if (inside.left < left) {
    problem = std::move(from_start);
    solution.exact = true;
    solution.solved = inside.left <= enough;
  }
  return solution;
}

}  // namespace abut::law
