#include "force/active_set.h"

#include <Eigen/SparseCholesky>

#include "force/coulomb.h"
#include "impulse/mixed_problem.h"

namespace abut::force {
namespace {

// Of the iteration for least norm (dimensionless): epsilon relative to the largest diagonal entry,
// the rounds it takes to forget it, how well the rows must be held, and what counts as no pull,
// relative to the largest force.
constexpr double regularisation = 1e-7;
constexpr int least_norm_rounds = 5;
constexpr double least_norm_accuracy = 1e-10;
constexpr double pull_rounding = 1e-12;

using impulse::MixedProblem;
using impulse::RowSystem;

struct Posed {
  RowSystem system;
  MixedProblem problem;

  Posed(const ConstraintSet& set, const BodiesNow& bodies, const std::vector<Inertia>& inertias,
        const std::vector<Twist>& free) {
    const impulse::RowsNow rows = set.evaluate(bodies);
    system = RowSystem(rows.rows, inertias);
    problem = MixedProblem::pushing(
        system, impulse::acceleration_bias(set, rows, bodies, {}) + system.along(free),
        impulse::row_range(0, set.first_equality()),
        impulse::row_range(set.first_equality(), set.row_count()));
    problem.lower = set.lower_bounds();
    problem.upper = set.upper_bounds();
  }
  Posed(const Posed&) = delete;
};

}  // namespace

ContactForces find_forces(const ConstraintSet& set, const BodiesNow& bodies,
                          const std::vector<Inertia>& inertias, const std::vector<Twist>& free,
                          const std::vector<ContactMode>* known) {
  if (set.has_friction()) return find_coulomb_forces(set, bodies, inertias, free, known);
  Posed posed(set, bodies, inertias, free);
  // Rows left out of the basis would be held by nothing while the forces are those of the basis: a
  // block that only two opposite corners carry tips over its diagonal.
  posed.problem.holds_all = true;
  const impulse::MixedSolution solution = impulse::solve(posed.problem);
  ContactForces result;
  result.status = solution.status;
  result.forces = solution.z;
  result.accelerations = posed.problem.b + posed.system.along(posed.system.response(solution.z));
  result.free = posed.problem.b;
  const Eigen::SparseMatrix<double> a = posed.system.sparse_matrix().cwiseAbs();
  result.rounding =
      acceleration_rounding * (posed.problem.b.cwiseAbs() + a * solution.z.cwiseAbs());
  result.basis = solution.basis;
  result.residual = solution.residual;
  result.joint_residual = solution.equality_residuals.of_terms;
  result.pivots = solution.pivots;
  return result;
}

// If the rows are independent, the forces that hold all of them are the only ones.
//
// Where every contact presses, the forces solve A f = -b with A singular. The iteration
//     f <- f - (A + epsilon I)^-1 (A f + b)
// begins at zero and stays in the range of A, so it converges to the solution of least norm, each
// round multiplying the error by epsilon / (epsilon + eigenvalue). If a force comes out as a pull,
// not every contact presses, and the complementarity problem decides.
Vector least_norm_forces(const ConstraintSet& set, const BodiesNow& bodies,
                         const std::vector<Inertia>& inertias, const std::vector<Twist>& free) {
  Posed posed(set, bodies, inertias, free);
  const impulse::MixedProblem& problem = posed.problem;
  const Vector& b = problem.b;
  if (b.size() == 0) return b;
  const auto presses = [&](const Vector& f) {
    const int bounded = set.first_equality();
    const double rounding = pull_rounding * f.lpNorm<Eigen::Infinity>();
    return bounded == 0 || ((f.head(bounded) - set.lower_bounds()).minCoeff() >= -rounding &&
                            (set.upper_bounds() - f.head(bounded)).minCoeff() >= -rounding);
  };
  impulse::RowSolver solver;
  if (solver.factorise(posed.system) && solver.independence() > impulse::dependent_fraction) {
    Vector f = solver.solve(-b);
    f -= solver.solve(posed.system.along(posed.system.response(f)) + b);
    if (presses(f)) return f;
  }
  Eigen::SparseMatrix<double> a = posed.system.sparse_matrix();
  const double epsilon = regularisation * a.diagonal().maxCoeff();
  for (int i = 0; i < posed.system.size(); ++i) a.coeffRef(i, i) += epsilon;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(a);
  Vector f = Vector::Zero(b.size());
  for (int round = 0; round < least_norm_rounds; ++round)
    f -= factors.solve(posed.system.along(posed.system.response(f)) + b);
  const double residual =
      (posed.system.along(posed.system.response(f)) + b).lpNorm<Eigen::Infinity>();
  if (factors.info() == Eigen::Success && presses(f) &&
      residual <= least_norm_accuracy * b.lpNorm<Eigen::Infinity>())
    return f;
  return impulse::solve_least_norm(problem);
}

}  // namespace abut::force
