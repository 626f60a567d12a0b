#include "force/active_set.h"

#include <limits>
#include <numeric>

namespace abut::force {
namespace {

using impulse::MixedProblem;
using impulse::RowSystem;

std::vector<int> range(int begin, int end) {
  std::vector<int> indices(end - begin);
  std::iota(indices.begin(), indices.end(), begin);
  return indices;
}

struct Posed {
  RowSystem system;
  MixedProblem problem;

  Posed(const ConstraintSet& set, const BodiesNow& bodies, const std::vector<Inertia>& inertias,
        const std::vector<Twist>& free) {
    const impulse::RowsNow rows = set.evaluate(bodies);
    system = RowSystem(rows.rows, inertias);
    problem.b = impulse::acceleration_bias(set, rows, bodies, {}) + system.along(free);
    problem.unilaterals = range(0, set.first_equality());
    problem.equalities = range(set.first_equality(), set.row_count());
    problem.lower = Vector::Zero(set.first_equality());
    problem.upper = Vector::Constant(set.first_equality(), std::numeric_limits<double>::infinity());
  }
  const MixedProblem& get() {
    problem.system = &system;
    return problem;
  }
};

}  // namespace

ContactForces find_forces(const ConstraintSet& set, const BodiesNow& bodies,
                          const std::vector<Inertia>& inertias, const std::vector<Twist>& free) {
  Posed posed(set, bodies, inertias, free);
  const impulse::MixedSolution solution = impulse::solve(posed.get());
  ContactForces result;
  result.status = solution.status;
  result.forces = solution.z;
  result.accelerations = posed.problem.b + posed.system.along(posed.system.response(solution.z));
  result.free = posed.problem.b;
  result.basis = solution.basis;
  result.residual = solution.residual;
  result.joint_residual = solution.equality_residual;
  result.pivots = solution.pivots;
  return result;
}

Vector least_norm_forces(const ConstraintSet& set, const BodiesNow& bodies,
                         const std::vector<Inertia>& inertias, const std::vector<Twist>& free) {
  Posed posed(set, bodies, inertias, free);
  return impulse::solve_least_norm(posed.get());
}

}  // namespace abut::force
