#include <limits>

#include "lcp/active_set.h"
#include "lcp/lcp.h"
#include "lcp/scaling.h"

namespace abut::lcp {
namespace {

// What may be called solved. Rows at less than 1e-7 rad from each other cannot be told apart in
// double precision, A being made of their products, and may contradict each other by as much.
// Without such rows residuals are near 1e-15.
constexpr double certified_residual = 1e-7;

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
  constexpr double infinity = std::numeric_limits<double>::infinity();
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
