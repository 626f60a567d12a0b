#include <Eigen/SparseCore>
#include <algorithm>

#include "lcp/cone_newton.h"
#include "lcp/cone_problem.h"
#include "lcp/one_contact.h"

namespace abut::lcp {
namespace {

// What may be called solved; see solve_psd.cpp. Without rows that contradict each other by rounding
// errors, residuals are near 1e-15.
constexpr double certified_residual = 1e-7;

// |F| relative to forces: a few hundred rounding errors.
constexpr double exact = 1e-14;

// Of the diagonal, which is near 1: makes dependent rows regular, at the price of some wandering
// along null vectors by rounding errors over this.
constexpr double least_proximity = 1e-9;
constexpr double most_proximity = 10;

/// Solves one component.
class Solver {
 public:
  explicit Solver(const ConeSystem& system) : system_(system), newton_(system) {}

  void solve(Vector& z, const std::vector<Mode>* modes) {
    best_ = z;
    best_error_ = newton_.error(z);
    if (best_error_ <= exact) return;
    if (modes != nullptr && settle(best_, modes)) return finish(z);
    if (settle(best_, nullptr)) return finish(z);
    for (const int sweeps : {30, 300}) {
      Vector swept = best_;
      sweep(swept, sweeps);
      if (settle(swept, nullptr)) return finish(z);
    }
    for (const double start : {1e-3, 1e-1, 10.0}) {
      if (approach(best_, start)) return finish(z);
      if (approach(Vector::Zero(system_.size()), start)) return finish(z);
    }
    finish(z);
  }

  long solves() const { return newton_.solves(); }
  const std::vector<Mode> modes(const Vector& z) const { return newton_.modes(z); }

 private:
  void finish(Vector& z) { z = best_; }

  bool keep_if_better(const Vector& z) {
    const double error = newton_.error(z);
    if (error < best_error_) {
      best_error_ = error;
      best_ = z;
    }
    return error <= exact;
  }

  /// Newton's method with the least proximal term, which is recentred until it is gone.
  bool settle(Vector z, const std::vector<Mode>* modes) {
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 6; ++k) {
      const Vector centre = z;
      const bool inner = newton_.run(z, least_proximity, centre, {30, exact / 4}, modes);
      modes = nullptr;
      if (keep_if_better(z)) return true;
      const double error = newton_.error(z);
      if (error <= 1e-12 && !(error < 0.5 * last)) return true;
      if (!inner && !(error < 0.5 * last)) return false;
      last = error;
    }
    return best_error_ <= 1e-12;
  }

  /// Proximal steps that grow longer while they succeed.
  bool approach(Vector z, double alpha) {
    int failures = 0;
    for (int k = 0; k < 100 && failures < 8; ++k) {
      const Vector centre = z;
      Vector trial = z;
      if (newton_.run(trial, alpha, centre, {40, 1e-10}, nullptr)) {
        z = trial;
        alpha = std::max(least_proximity, 0.3 * alpha);
        if (keep_if_better(z)) return true;
        if (newton_.error(z) < 1e-6 && settle(z, nullptr)) return true;
      } else {
        ++failures;
        alpha = std::min(most_proximity, 10 * alpha);
        // Half way is a step too, if it is nearer.
        if (newton_.error(trial) < newton_.error(z)) z = trial;
      }
    }
    return settle(z, nullptr);
  }

  void sweep(Vector& z, int count) const {
    for (int k = 0; k < count; ++k) {
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
  ConeNewton newton_;
  Vector best_;
  double best_error_ = 0;
};

template <typename AnyProblem>
ConeSolution solve_any(const AnyProblem& problem, const ConeStart* start) {
  const ConeSystem system(problem);
  ConeSolution solution;
  Vector x = Vector::Zero(system.size());
  solution.modes.resize(problem.blocks.size());
  const auto components = system.components();
  for (const std::vector<Index>& blocks : components) {
    const ConeSystem part = system.only(blocks);
    Vector z = Vector::Zero(part.size());
    std::vector<Mode> modes;
    if (start != nullptr) {
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        const Index at = static_cast<Index>(k);
        part.set_part(z, at, system.part(start->z, blocks[k]) / system.scale(blocks[k]));
        if (!start->modes.empty())
          modes.push_back(start->modes[static_cast<std::size_t>(blocks[k])]);
      }
    }
    Solver solver(part);
    solver.solve(z, modes.empty() ? nullptr : &modes);
    const std::vector<Mode> found = solver.modes(z);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      system.set_part(x, blocks[k], system.scale(blocks[k]) * part.part(z, static_cast<Index>(k)));
      solution.modes[static_cast<std::size_t>(blocks[k])] = found[k];
    }
    solution.iterations += solver.solves();
  }
  solution.z = x;
  solution.w = problem.b + problem.a * x;
  solution.residual = cone_residual(problem, x);
  if (solution.residual <= certified_residual) solution.status = Status::solved;
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
