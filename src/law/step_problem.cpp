#include "law/step_problem.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "law/sheet_newton.h"
#include "law/step_interior.h"
#include "law/step_newton.h"
#include "law/sweeps.h"

namespace abut::law {
namespace {

using impulse::immovable;

// Sweeps after which Gauss-Seidel is done, whatever it has reached, and after which it is asked
// whether that is enough: what rows were short of is seen as sweeps come to them, one after
// another.
constexpr int most_sweeps = 120;
constexpr int first_sweeps = 12;

// In heaps sweeps are done at this multiple of what is enough for a proof (dimensionless): no gap
// is used up within the step, and the next one begins with the impulses of this one.
constexpr double shared_accuracy = 4;

// So many blocks are few.
constexpr std::size_t few_blocks = 100;

// Whether the exact solution is worth its while: with few blocks, and with bodies in a row or a
// tower, where none has more than two neighbours, of which sweeps need n^2 and elimination costs n.
// In a heap that has branches loads find other ways.
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
  for (int k = 0; k < block.nodes; ++k)
    w += node_sides[rows[row].first_node + k].dot(
        node_velocities[block_nodes[block.first_node + k]]);
  return w;
}

namespace {

struct Attempted {
  StepProblem problem;
  double left = infinity;  // what velocities of rows are off by, m/s
};

// Newton's method from the impulses of the step before gets there mostly. Where it does not, the
// way through the middle of the cones does, or comes so near that Newton's method does from there.
Attempted solve_exactly(const StepProblem& problem, double accuracy, double enough) {
  Attempted near{problem};
  near.left = solve_from_near(near.problem, accuracy);
  if (near.left <= accuracy) return near;
  Attempted inside{problem};
  inside.left = solve_from_inside(inside.problem, accuracy, enough).left;
  if (inside.left <= accuracy || inside.left == infinity) return inside;
  near.problem = inside.problem;
  near.problem.bodies = problem.bodies;
  near.left = solve_from_near(near.problem, accuracy);
  return near.left <= accuracy ? near : inside;
}

}  // namespace

StepSolution solve(StepProblem& problem, double accuracy, double enough) {
  if (!problem.sheets.empty()) return solve_with_sheets(problem, accuracy, enough);
  if (problem.blocks.empty()) return {true, 0, false};
  const bool few = deserves_exactness(problem);
  Attempted exact;
  if (few) exact = solve_exactly(problem, accuracy, enough);
  if (exact.left <= enough) {
    problem = std::move(exact.problem);
    return {true, 0, true};
  }
  const std::vector<StepBody> free = problem.bodies;
  StepSolution solution;
  Sweeps sweeps(problem);
  double left = infinity;
  const double share = shared_accuracy * enough;
  const auto is_enough = [&] { return !few && sweeps.missing() <= share; };
  while (solution.sweeps < most_sweeps && left > accuracy &&
         (solution.sweeps < first_sweeps || !is_enough())) {
    left = sweeps.sweep();
    ++solution.sweeps;
  }
  sweeps.write_impulses();
  solution.solved = left <= accuracy || is_enough();
  if (solution.solved) return solution;
  if (!few) {
    exact.problem = problem;
    exact.problem.bodies = free;
    exact = solve_exactly(exact.problem, accuracy, enough);
  }
  // What the exact methods are short of is mostly rounding, of the largest velocity.
  if (exact.left < left) {
    problem = std::move(exact.problem);
    solution.exact = true;
    solution.solved = exact.left <= enough;
  }
  return solution;
}

}  // namespace abut::law
