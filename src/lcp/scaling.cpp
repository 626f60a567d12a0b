#include "lcp/scaling.h"

#include <cmath>

#include "base/stop.h"

namespace abut::lcp {

Vector balancing_scales(const Matrix& a) {
  Vector scales = Vector::Ones(a.rows());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    if (!(a(i, i) > 0)) continue;
    int exponent = 0;
    std::frexp(a(i, i), &exponent);
    scales[i] = std::ldexp(1.0, -(exponent >> 1));
  }
  return scales;
}

Problem scaled(const Problem& problem, const Vector& scales) {
  Problem result;
  result.a.resize(problem.a.rows(), problem.a.cols());
  for (Eigen::Index k = 0; k < problem.a.cols(); ++k) {
    base::stop_if_wished();
    result.a.col(k) = scales[k] * problem.a.col(k).cwiseProduct(scales);
  }
  result.b = scales.cwiseProduct(problem.b);
  result.lower = problem.lower.cwiseQuotient(scales);
  result.upper = problem.upper.cwiseQuotient(scales);
  return result;
}

}  // namespace abut::lcp
