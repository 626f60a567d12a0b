// The order in which the methods are tried: what is cheap first, what is certain last.

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/stop.h"
#include "lcp/cone_guess.h"
#include "lcp/cone_interior.h"
#include "lcp/cone_newton.h"
#include "lcp/cone_path.h"
#include "lcp/cone_problem.h"
#include "lcp/cone_refutation.h"
#include "lcp/one_contact.h"

namespace abut::lcp {
namespace {

// Where contacts slide, so that A is not symmetric, no curve is sure to lead to a solution. What
// the usual way left with a residual below this is then taken: rows that are nearly dependent
// amplify rounding errors, and thousands of steps along curves were seen to end no nearer.
constexpr double settled_residual = 1e-10;
// A curve of a system larger than this takes minutes: there it is not followed for digits beyond
// those that count as solved, nor where it may lead nowhere. And what rounding left is not taken
// out of a system larger than the second, which takes a dense factorisation each time.
constexpr Index large_system = 200;
constexpr Index most_polished_rows = 600;
constexpr double settled_error = 0.5 * settled_residual;  // of the solver's own measure
constexpr double error_inside = 1e-9;        // the same, where a problem is begun from inside
constexpr double symmetry_rounding = 1e-12;  // of entries, relative to the largest one

// A guess this good is the solution.
constexpr double exact_residual = 1e-15;

// Of forces: what may be taken away from them in the end.
constexpr double rounding = 1e-14;

// Sweeps before Newton's method is tried, and tried again: first with all blocks at once, so that
// what is symmetric stays so, and the order of blocks does not matter; then in turn, which gets
// farther. Where there are several solutions the sweeps lead to one, and Newton's method, from too
// far away, to any of them.
constexpr int few_sweeps = 8;  // of a small system
constexpr int many_sweeps = 80;
constexpr int most_sweeps = 400;
constexpr Index small_system = 30;
constexpr int sweeps_in_turn[] = {30, 300};

/// A curve to be followed: where it starts, and for how many steps.
struct Curve {
  double epsilon;
  int steps;
};
// With a large epsilon curves are short, but what is at their end is far from a solution and may
// lead elsewhere; which of them arrives first is a matter of luck.
constexpr Curve curves[] = {{0.3, 300}, {0.03, 300}, {1, 300}, {0.1, 1000}, {0.01, 1000}};
constexpr double first_try = 0.99;      // parameter from which Newton's method is tried,
constexpr double between_tries = 0.25;  // and how far apart
constexpr double end_of_curve = 4;      // epsilon is 0 for all purposes

/// Solves one component.
class Solver {
 public:
  /// `enough`: the error up to which what the usual way found is taken.
  Solver(const ConeSystem& system, Vector z, double enough)
      : system_(system),
        enough_(enough),
        newton_(system),
        path_(system),
        interior_(system),
        z_(std::move(z)),
        error_(newton_.error(z_)) {}

  /// The usual way: Newton's method from where it stands, if that is a start, on the modes given
  /// or else its own; then after sweeps, and from inside of the cones: large systems after a few
  /// sweeps, small ones after many. Returns whether there is a solution.
  bool solve_nearby(bool is_start, const std::vector<Mode>* modes, bool from_inside) {
    if (from_inside && (solve_from_inside() || error_ <= error_inside)) return true;
    if (is_start && settle_quickly(z_, modes)) return true;
    const bool is_large = system_.size() > small_system;
    Vector swept = Vector::Zero(z_.size());
    sweep_at_once(swept, is_large ? many_sweeps : few_sweeps);
    if (settle_quickly(swept)) return true;
    if (is_large && !from_inside && solve_from_inside()) return true;
    sweep_at_once(swept, most_sweeps);
    for (const Vector& from : {swept, Vector(Vector::Zero(z_.size()))})
      if (settle(from, ConeNewton::least_alpha)) return true;
    if (!is_large && !from_inside && solve_from_inside()) return true;
    for (const int count : sweeps_in_turn) {
      sweep_in_turn(swept, count);
      if (settle(swept, ConeNewton::least_alpha)) return true;
    }
    return false;
  }

  /// The long way.
  bool solve_along_curves() {
    return std::any_of(std::begin(curves), std::end(curves),
                       [&](const Curve& curve) { return follow(curve); });
  }

  /// The best there is.
  const Vector& finish() {
    if (system_.size() <= most_polished_rows) newton_.polish(z_);
    Vector snapped = z_;
    snap(snapped);
    if (snapped == z_) return z_;
    const double error = newton_.error(snapped);
    if (error <= rounding || error <= 2 * newton_.error(z_)) z_ = snapped;
    return z_;
  }

  long solves() const { return newton_.solves() + path_.solves() + interior_.solves(); }
  std::vector<Mode> modes() const { return newton_.modes(z_, error_); }

 private:
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

  bool settle(Vector z, double alpha) {
    const bool has_settled = newton_.settle(z, alpha);
    return keep(z) || has_settled;
  }
  bool settle_quickly(Vector z, const std::vector<Mode>* modes = nullptr) {
    const bool has_settled = newton_.settle_quickly(z, modes);
    return keep(z) || has_settled;
  }

  bool solve_from_inside() {
    Vector z = Vector::Zero(z_.size());
    std::vector<Mode> modes;
    if (!interior_.approach(z, modes)) return false;
    return settle_quickly(z, &modes) || settle(z, ConeNewton::least_alpha);
  }

  // Whether z is good enough; kept if it is the best so far.
  bool keep(const Vector& z) {
    const double error = newton_.error(z);
    if (error < error_) {
      error_ = error;
      z_ = z;
    }
    return error <= enough_;
  }

  bool follow(const Curve& curve) {
    if (!path_.start(curve.epsilon)) return false;
    double next_try = first_try;
    for (int k = 0; k < curve.steps && path_.advance(); ++k) {
      if (path_.parameter() < 0) return false;
      if (path_.parameter() < next_try) continue;
      if (settle(path_.forces(), ConeNewton::least_alpha)) return true;
      if (path_.parameter() > end_of_curve) return false;
      next_try = path_.parameter() + between_tries;
    }
    return false;
  }

  /// Jacobi: each block solved alone, with the forces that the others had before. Each moves as if
  /// its mass were divided among all that act on it, so that together they do not overshoot.
  void sweep_at_once(Vector& z, int count) const {
    std::vector<double> shares;
    for (Index i = 0; i < system_.block_count(); ++i) {
      double sum = 0;
      for (const Coupling& coupling : system_.couplings(i)) sum += coupling.a.norm();
      const double own = system_.diagonal(i).norm();
      shares.push_back(own > 0 ? std::max(1.0, sum / own) : 1);
    }
    Vector next = z;
    for (int k = 0; k < count; ++k) {
      base::stop_if_wished();
      for (Index i = 0; i < system_.block_count(); ++i) {
        const Part before = system_.part(z, i);
        const PartMatrix heavy = shares[static_cast<std::size_t>(i)] * system_.diagonal(i);
        Part after;
        solve_alone(system_.block(i), heavy, system_.motion(i, z) - heavy * before, before, after);
        system_.set_part(next, i, after);
      }
      std::swap(z, next);
    }
  }

  /// Gauss and Seidel: each block solved alone, in turn.
  void sweep_in_turn(Vector& z, int count) const {
    for (int k = 0; k < count; ++k) {
      base::stop_if_wished();
      for (Index i = 0; i < system_.block_count(); ++i) {
        const Part before = system_.part(z, i);
        const Part q = system_.motion(i, z) - system_.diagonal(i) * before;
        Part after;
        solve_alone(system_.block(i), system_.diagonal(i), q, before, after);
        system_.set_part(z, i, after);
      }
    }
  }

  const ConeSystem& system_;
  double enough_;
  ConeNewton newton_;
  ConePath path_;
  ConeInterior interior_;
  Vector z_;      // the best so far
  double error_;  // of it
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

bool is_symmetric(const ConeProblem& problem) {
  const Matrix& a = problem.a;
  return (a - a.transpose()).cwiseAbs().maxCoeff() <= symmetry_rounding * a.cwiseAbs().maxCoeff();
}

bool is_symmetric(const SparseConeProblem& problem) {
  const SparseMatrix& a = problem.a;
  double largest = 0, difference = 0;
  for (Index row = 0; row < a.outerSize(); ++row)
    for (SparseMatrix::InnerIterator entry(a, row); entry; ++entry) {
      largest = std::max(largest, std::abs(entry.value()));
      difference =
          std::max(difference, std::abs(entry.value() - a.coeff(entry.col(), entry.row())));
    }
  return difference <= symmetry_rounding * largest;
}

/// Rows with bounds only, for which Lemke's method knows more.
template <typename AnyProblem>
bool solve_without_contacts(const AnyProblem& problem, ConeSolution& solution) {
  Problem linear{Matrix(problem.a), problem.b, Vector(problem.size()), Vector(problem.size())};
  for (Index i = 0; i < problem.size(); ++i) {
    linear.lower[i] = problem.blocks[static_cast<std::size_t>(i)].lower;
    linear.upper[i] = problem.blocks[static_cast<std::size_t>(i)].upper;
  }
  const Solution found = solve_lemke(linear);
  if (found.status != Status::solved) return false;
  solution.iterations += found.pivots;
  solution.z = found.z;
  return true;
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

/// Returns whether the component has a solution; the best there is goes into `solution`.
bool solve_component(const ConeSystem& whole, const std::vector<Index>& blocks,
                     const ConeStart* start, double enough, bool along_curves,
                     ConeSolution& solution) {
  const bool is_whole = static_cast<Index>(blocks.size()) == whole.block_count() &&
                        std::is_sorted(blocks.begin(), blocks.end());
  std::optional<ConeSystem> part;
  if (!is_whole) part = whole.only(blocks);
  const ConeSystem& system = is_whole ? whole : *part;
  Solver solver(system, forces_of(whole, system, blocks, solution.z), enough);
  bool is_solved = false;
  if (along_curves) {
    is_solved = solver.solve_along_curves();
  } else {
    std::vector<Mode> modes;
    if (start != nullptr && !start->modes.empty()) {
      for (const Index i : blocks) modes.push_back(start->modes[static_cast<std::size_t>(i)]);
    }
    is_solved = solver.solve_nearby(start != nullptr, modes.empty() ? nullptr : &modes,
                                    start != nullptr && start->from_inside);
  }
  const Vector& z = solver.finish();
  const std::vector<Mode> found = solver.modes();
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const Part force = system.part(z, static_cast<Index>(k));
    whole.set_part(solution.z, blocks[k], whole.scale(blocks[k]) * force);
    solution.modes[static_cast<std::size_t>(blocks[k])] = found[k];
  }
  solution.iterations += solver.solves();
  return is_solved;
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

/// What nearby methods did not solve to the last digit: refuted, or solved the long way. What
/// counts as solved is not refuted: a proof would be looked for in vain, with a system of equations
/// per row.
template <typename AnyProblem>
void solve_hard(const AnyProblem& problem, const ConeSystem& system,
                const std::vector<std::vector<Index>>& components, bool slides,
                ConeSolution& solution) {
  if (!(cone_residual(problem, solution.z) <= certified_residual))
    solution.refutation = find_refutation(as_dense(problem));
  if (solution.refutation.size() > 0) {
    solution.status = Status::no_solution;
    return;
  }
  if (std::none_of(problem.blocks.begin(), problem.blocks.end(),
                   [](const ConeBlock& block) { return block.is_contact(); }) &&
      solve_without_contacts(problem, solution)) {
    solution.modes.clear();
    return;
  }
  if (slides && problem.size() > large_system) return;
  for (const std::vector<Index>& blocks : components)
    solve_component(system, blocks, nullptr, 0, true, solution);
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
  const std::vector<std::vector<Index>> components = system.components();
  std::vector<std::vector<Index>> hard;
  const bool slides = !is_symmetric(problem);
  for (const std::vector<Index>& blocks : components) {
    if (!solve_component(system, blocks, start, slides ? settled_error : 0, false, solution))
      hard.push_back(blocks);
  }
  const double settled = problem.size() > large_system ? certified_residual : settled_residual;
  const bool is_settled = !hard.empty() && slides && certify(problem, settled, solution);
  if (!hard.empty() && !is_settled) solve_hard(problem, system, hard, slides, solution);
  finish(problem, solution);
  const bool is_solved = certify(problem, certified_residual, solution);
  if (is_solved) solution.refutation = {};
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
