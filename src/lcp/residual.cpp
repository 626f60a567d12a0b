// The checker of all solvers: it shares no code with them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "lcp/lcp.h"

namespace abut::lcp {

double residual(const Problem& problem, const Vector& z) {
  if (!z.allFinite()) return std::numeric_limits<double>::infinity();
  Vector w = problem.b;
  Vector terms = problem.b.cwiseAbs();
  Vector largest = Vector::Zero(problem.size());
  for (Eigen::Index k = 0; k < problem.size(); ++k) {
    w += z[k] * problem.a.col(k);
    terms += std::abs(z[k]) * problem.a.col(k).cwiseAbs();
    largest = largest.cwiseMax(problem.a.col(k).cwiseAbs());
  }
  const Vector roots = problem.a.diagonal().cwiseAbs().cwiseSqrt();
  double largest_b = 0;
  for (Eigen::Index k = 0; k < problem.size(); ++k) {
    if (roots[k] > 0) largest_b = std::max(largest_b, std::abs(problem.b[k]) / roots[k]);
  }
  terms += (roots.dot(z.cwiseAbs()) + largest_b) * roots;
  double worst = 0;
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    const double unit = largest[i] == 0 ? 1 : largest[i];  // a row of zeros has a unit of its own
    const double moved = z[i] - w[i] / unit;
    const double projected = std::min(std::max(moved, problem.lower[i]), problem.upper[i]);
    const double error = unit * std::abs(z[i] - projected);
    const double scale = terms[i] + unit * (std::abs(z[i]) + std::abs(projected));
    if (std::isnan(error)) return std::numeric_limits<double>::infinity();
    if (error > 0) worst = std::max(worst, error / scale);
  }
  return worst;
}

}  // namespace abut::lcp
