#include <limits>

#include "base/limits.h"
#include "lcp/active_set.h"
#include "lcp/lcp.h"
#include "lcp/scaling.h"

namespace abut::lcp {
namespace {

bool is_bounded(double bound) {
  return std::abs(bound) != std::numeric_limits<double>::infinity();
}

/// All joints, and no contact.
std::vector<Place> cold_start(const Problem& problem) {
  std::vector<Place> places;
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    const double lower = problem.lower[i], upper = problem.upper[i];
    if (!is_bounded(lower) && !is_bounded(upper)) {
      places.push_back(Place::between);
    } else {
      places.push_back(std::abs(upper) < std::abs(lower) ? Place::upper : Place::lower);
    }
  }
  return places;
}

}  // namespace

Problem Problem::complementarity(Matrix a, Vector b) {
  const auto n = b.size();
  return {std::move(a), std::move(b), Vector::Zero(n), Vector::Constant(n, infinity)};
}

Solution solve_psd(const Problem& problem, const std::vector<Place>* start) {
  const Vector scales = balancing_scales(problem.a);
  const Problem balanced = scaled(problem, scales);
  ActiveSet active_set(balanced);
  if (start != nullptr) {
    active_set.start(*start, smallest_complement);
  } else {
    active_set.start(cold_start(balanced), clear_independence);
  }

  Solution solution;
  solution.status = active_set.run();
  solution.z = scales.cwiseProduct(active_set.z());
  solution.w = problem.b + problem.a * solution.z;
  solution.places = active_set.places();
  solution.residual = residual(problem, solution.z);
  solution.pivots = active_set.pivots();
  if (solution.status == Status::solved && !(solution.residual <= certified_residual)) {
    solution.status = Status::not_converged;
  }
  return solution;
}

}  // namespace abut::lcp
