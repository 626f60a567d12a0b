// From a start by Newton's method; else from inside of the cones, or by Lemke's method where there
// are none, and Newton's method from there.

#include <algorithm>
#include <cmath>
#include <optional>

#include "lcp/accuracy.h"
#include "lcp/cone_guess.h"
#include "lcp/cone_interior.h"
#include "lcp/cone_newton.h"
#include "lcp/cone_problem.h"
#include "lcp/cone_refutation.h"

namespace abut::lcp {
namespace {

// What rounding left is not taken out of a system larger than this, which takes a dense
// factorisation each time.
constexpr Index most_polished_rows = 600;

// A start this good is the solution.
constexpr double exact_residual = 1e-15;

/// Solves one component.
class Solver {
 public:
  Solver(const ConeSystem& system, Vector z)
      : system_(system),
        newton_(system),
        interior_(system),
        z_(std::move(z)),
        error_(newton_.error(z_)) {}

  /// Newton's method from where it stands, on the modes given or else its own.
  bool solve_from_start(const std::vector<Mode>* modes) {
    return settle(z_, modes, ConeNewton::few_steps);
  }

  /// From anywhere. Returns whether there is a solution.
  bool solve_from_far() { return has_contacts() ? solve_from_inside() : solve_by_pivots(); }

  /// The best there is.
  const Vector& finish() {
    if (system_.size() <= most_polished_rows) newton_.polish(z_);
    Vector snapped = z_;
    snap(snapped);
    if (snapped == z_) return z_;
    const double error = newton_.error(snapped);
    if (error <= exact || error <= 2 * newton_.error(z_)) z_ = snapped;
    return z_;
  }

  long solves() const { return newton_.solves() + interior_.solves() + pivots_; }
  double error() const { return error_; }
  std::vector<Mode> modes() const { return newton_.modes(z_, error_); }

 private:
  bool has_contacts() const {
    for (Index i = 0; i < system_.block_count(); ++i)
      if (system_.block(i).is_contact()) return true;
    return false;
  }

  bool solve_from_inside() {
    Vector z;
    std::vector<Mode> modes;
    for (const double distance : ConeInterior::distances) {
      interior_.approach(distance, z, modes);
      if (settle(z, &modes, ConeNewton::few_steps) || settle(z, nullptr, ConeNewton::many_steps))
        return true;
    }
    return settle(z_, nullptr, ConeNewton::many_steps) ||
           settle(Vector::Zero(z_.size()), nullptr, ConeNewton::many_steps);
  }

  /// Rows with bounds only, which Lemke's method solves if anything does.
  bool solve_by_pivots() {
    Problem linear{Matrix::Zero(system_.size(), system_.size()), system_.b(),
                   Vector(system_.size()), Vector(system_.size())};
    for (Index i = 0; i < system_.size(); ++i) {
      linear.lower[i] = system_.block(i).lower;
      linear.upper[i] = system_.block(i).upper;
      for (const Coupling& coupling : system_.couplings(i))
        linear.a(i, coupling.column) = coupling.a(0, 0);
    }
    const Solution found = solve_lemke(linear);
    pivots_ += found.pivots;
    return found.status == Status::solved && settle(found.z, nullptr, ConeNewton::few_steps);
  }

  /// Takes away the rounding errors by which forces miss their bounds and cones.
  void snap(Vector& z) const {
    const std::vector<Mode> modes = newton_.modes(z, error_);
    for (Index i = 0; i < system_.block_count(); ++i) {
      const ConeBlock& block = system_.block(i);
      Part part = system_.part(z, i);
      if (!block.is_contact()) {
        part[0] = std::min(std::max(part[0], block.lower), block.upper);
      } else if (modes[static_cast<std::size_t>(i)] == Mode::open || part[0] <= 0) {
        part.setZero();
      } else if (const double length = part.tail<2>().norm(); length > block.friction * part[0]) {
        part.tail<2>() *= block.friction * part[0] / length;
      }
      system_.set_part(z, i, part);
    }
  }

  // What Newton's method comes to is kept if it is the best so far.
  bool settle(Vector z, const std::vector<Mode>* modes, int steps) {
    const bool has_settled = newton_.settle(z, modes, steps);
    const double error = newton_.error(z);
    if (error < error_) {
      error_ = error;
      z_ = z;
    }
    return has_settled;
  }

  const ConeSystem& system_;
  ConeNewton newton_;
  ConeInterior interior_;
  Vector z_;      // the best so far
  double error_;  // of it
  long pivots_ = 0;
};

template <typename AnyProblem>
bool certify(const AnyProblem& problem, double enough, ConeSolution& solution) {
  solution.residual = cone_residual(problem, solution.z);
  if (!(solution.residual <= enough)) return false;
  solution.status = Status::solved;
  return true;
}

const ConeProblem& as_dense(const ConeProblem& problem) {
  return problem;
}

ConeProblem as_dense(const SparseConeProblem& problem) {
  return {Matrix(problem.a), problem.b, problem.blocks};
}

/// The component's part of a start.
Vector forces_of(const ConeSystem& whole, const ConeSystem& system,
                 const std::vector<Index>& blocks, const Vector& z) {
  Vector forces(system.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    system.set_part(forces, static_cast<Index>(k),
                    whole.part(z, blocks[k]) / whole.scale(blocks[k]));
  }
  return forces;
}

/// The best there is goes into `solution`.
void solve_component(const ConeSystem& whole, const std::vector<Index>& blocks,
                     const ConeStart* start, ConeSolution& solution) {
  const bool is_whole = static_cast<Index>(blocks.size()) == whole.block_count() &&
                        std::is_sorted(blocks.begin(), blocks.end());
  std::optional<ConeSystem> part;
  if (!is_whole) part = whole.only(blocks);
  const ConeSystem& system = is_whole ? whole : *part;
  Solver solver(system, forces_of(whole, system, blocks, solution.z));
  std::vector<Mode> modes;
  if (start != nullptr && !start->modes.empty())
    for (const Index i : blocks) modes.push_back(start->modes[static_cast<std::size_t>(i)]);
  const std::vector<Mode>* known = modes.empty() ? nullptr : &modes;
  if (start != nullptr && start->from_inside) {
    if (!solver.solve_from_far() && solver.error() > accepted) solver.solve_from_start(known);
  } else if (!solver.solve_from_start(known)) {
    solver.solve_from_far();
  }
  const Vector& z = solver.finish();
  const std::vector<Mode> found = solver.modes();
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const Part force = system.part(z, static_cast<Index>(k));
    whole.set_part(solution.z, blocks[k], whole.scale(blocks[k]) * force);
    solution.modes[static_cast<std::size_t>(blocks[k])] = found[k];
  }
  solution.iterations += solver.solves();
}

/// The modes of a solution that took no system of equations.
template <typename AnyProblem>
void read_modes(const AnyProblem& problem, ConeSolution& solution) {
  solution.modes.reserve(problem.blocks.size());
  Index first = 0;
  for (const ConeBlock& block : problem.blocks) {
    Part z = Part::Zero(), w = Part::Zero();
    double largest = 0;
    for (int i = 0; i < block.rows; ++i) {
      z[i] = solution.z[first + i];
      w[i] = solution.w[first + i];
      largest = std::max(largest, std::abs(problem.a.coeff(first + i, first + i)));
    }
    const double unit = largest > 0 ? 1 / largest : 1;
    solution.modes.push_back(mode_of(block, z, w, {unit, unit}));
    first += block.rows;
  }
}

template <typename AnyProblem>
void finish(const AnyProblem& problem, ConeSolution& solution) {
  solution.w = problem.b;
  solution.w.noalias() += problem.a * solution.z;
  if (solution.modes.empty()) read_modes(problem, solution);
}

template <typename AnyProblem>
ConeSolution solve_any(const AnyProblem& problem, const ConeStart* start) {
  ConeSolution solution;
  solution.z = start != nullptr ? start->z : first_guess(problem);
  const double enough = start != nullptr ? start->enough : 0;
  if (certify(problem, std::max(exact_residual, enough), solution)) {
    finish(problem, solution);
    return solution;
  }
  const ConeSystem system(problem);
  solution.modes.resize(problem.blocks.size());
  for (const std::vector<Index>& blocks : system.components())
    solve_component(system, blocks, start, solution);
  finish(problem, solution);
  if (certify(problem, certified_residual, solution)) return solution;
  solution.refutation = find_refutation(as_dense(problem));
  if (solution.refutation.size() > 0) solution.status = Status::no_solution;
  return solution;
}

}  // namespace

ConeSolution solve_cones(const ConeProblem& problem, const ConeStart* start) {
  return solve_any(problem, start);
}

ConeSolution solve_cones(const SparseConeProblem& problem, const ConeStart* start) {
  return solve_any(problem, start);
}

}  // namespace abut::lcp
