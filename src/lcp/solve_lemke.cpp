#include <algorithm>
#include <limits>
#include <random>

#include "lcp/accuracy.h"
#include "lcp/lcp.h"
#include "lcp/lemke.h"
#include "lcp/standard_form.h"

namespace abut::lcp {
namespace {

// A path that ends on a ray that proves nothing depends on where it began; others may succeed.
// First the covering vector varies, then the starting basis too.
constexpr int covering_vectors = 4;
constexpr int attempts = 40;

/// Where a path begins: ones first, then vectors and sets drawn from a fixed sequence.
struct Beginning {
  Vector covering;
  std::vector<Index> start;
};

Beginning beginning(Index size, int attempt) {
  Beginning result{Vector::Ones(size), {}};
  std::mt19937_64 random(static_cast<std::uint64_t>(attempt));
  if (attempt == 0) return result;
  for (double& entry : result.covering) {
    entry = 0.25 + static_cast<double>(random() >> 11) * 0x1p-53;
  }
  if (attempt < covering_vectors) return result;
  for (Index i = 0; i < size; ++i) {
    if ((random() >> 32) % 2 == 0) result.start.push_back(i);
  }
  return result;
}

/// Whether v = M x + q >= 0 with x >= 0 is impossible. By Farkas' lemma it is if and only if there
/// are y, s >= 0 with M^T y + s = 0 and q.y = -1: the minimum of |M^T y + s|^2 + (q.y + 1)^2 is 0,
/// which is again a complementarity problem, with a positive semidefinite matrix.
bool is_infeasible(const Matrix& m, const Vector& q) {
  const Index n = q.size();
  Matrix system(n + 1, 2 * n);
  system << m.transpose(), Matrix::Identity(n, n), q.transpose(), Eigen::RowVectorXd::Zero(n);
  const Vector right = Vector::Unit(n + 1, n);
  const Solution solution =
      solve_psd(Problem::complementarity(system.transpose() * system, system.transpose() * right));
  return proves_infeasibility(m, q, solution.z.head(n));
}

Place place_of(const Problem& problem, Eigen::Index i, double z) {
  if (z <= problem.lower[i]) return Place::lower;
  return z >= problem.upper[i] ? Place::upper : Place::between;
}

void complete(const Problem& problem, Solution& solution) {
  solution.z = solution.z.cwiseMax(problem.lower).cwiseMin(problem.upper);
  solution.w = problem.a * solution.z + problem.b;
  solution.residual = residual(problem, solution.z);
  solution.places.clear();
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    solution.places.push_back(place_of(problem, i, solution.z[i]));
  }
}

}  // namespace

Solution solve_lemke(const Problem& problem) {
  Solution solution;
  solution.z = Vector::Zero(problem.size());
  complete(problem, solution);
  const StandardForm form(problem);
  if (form.contradictory()) {
    solution.status = Status::no_solution;
    return solution;
  }
  Lemke lemke(form.m(), form.q());
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Beginning begin = beginning(form.q().size(), attempt);
    const Lemke::End end = lemke.run(begin.covering, begin.start);
    solution.pivots = lemke.pivots();
    if (end == Lemke::End::infeasible_ray ||
        (attempt == 0 && end == Lemke::End::other_ray && is_infeasible(form.m(), form.q()))) {
      solution.status = Status::no_solution;
      return solution;
    }
    if (end != Lemke::End::solution) continue;
    solution.z = form.z(lemke.x());
    complete(problem, solution);
    if (solution.residual <= accepted) {
      solution.status = Status::solved;
      return solution;
    }
  }
  return solution;
}

}  // namespace abut::lcp
