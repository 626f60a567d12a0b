#include "law/step_problem.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "law/step_interior.h"
#include "law/step_newton.h"
#include "law/sweeps.h"

namespace abut::law {
namespace {

using impulse::immovable;

// Sweeps after which Gauss-Seidel is done, whatever it has reached: the exact solution costs as
// much as this many of them or more, however large the problem is.
constexpr int most_sweeps = 120;

// Sweeps after which their pace is known, and over which it is measured.
constexpr int telling_sweeps = 12, measured_sweeps = 5;

// So many blocks are few.
constexpr std::size_t few_blocks = 100;

// Whether the exact solution is worth its while where sweeps have come near enough: with few
// blocks, and with bodies in a row or a tower, where none has more than two neighbours, of which
// sweeps need n^2 and elimination costs n. In a heap that has branches loads find other ways.
bool deserves_exactness(const StepProblem& problem) {
  if (problem.blocks.size() <= few_blocks) return true;
  std::vector<std::array<int, 2>> neighbours(problem.bodies.size(), {immovable, immovable});
  const auto meet = [&](int body, int other) {
    for (int& known : neighbours[body]) {
      if (known == immovable) known = other;
      if (known == other) return true;
    }
    return false;
  };
  return std::all_of(problem.blocks.begin(), problem.blocks.end(), [&](const StepBlock& block) {
    const auto [a, b] = block.slots;
    return a == immovable || b == immovable || (meet(a, b) && meet(b, a));
  });
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
  std::vector<Twist> free;
  for (const StepBody& body : problem.bodies) free.push_back(body.velocity);
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
  sweeps.write_impulses();
  solution.solved = left <= accuracy || (!to_the_end && sweeps.missing() <= enough);
  if (solution.solved) return solution;
  // From where the sweeps were given up it is mostly not far. Of long rows and high towers the
  // interior point method finds more digits, and there they add up.
  StepProblem exact = problem;
  for (std::size_t i = 0; i < free.size(); ++i) exact.bodies[i].velocity = free[i];
  if (problem.blocks.size() <= few_blocks && solve_from_near(exact, accuracy) <= accuracy) {
    problem = std::move(exact);
    solution.exact = solution.solved = true;
    return solution;
  }
  // What the exact solver is short of is mostly rounding, of the largest velocity, and still better
  // than where the sweeps were given up.
  const InteriorResult inside = solve_from_inside(exact, accuracy);
  if (inside.left < left) {
    problem = std::move(exact);
    solution.exact = true;
    solution.solved = inside.left <= enough;
  }
  return solution;
}

}  // namespace abut::law
