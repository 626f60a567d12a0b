#include "verify/quadric_reach.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace abut::verify {
namespace {

// Halvings after which the place of the least bound is known to the last bit.
constexpr int halvings = 120;

/// sum b_i^2 / (l - m_i)^power, over the b_i that are not zero.
double pulled(const Vec3& b, const Vec3& m, double l, int power) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    if (b[i] != 0) sum += b[i] * b[i] / (power == 1 ? l - m[i] : (l - m[i]) * (l - m[i]));
  return sum;
}

}  // namespace

QuadricReach quadric_reach(const Vec3& centre, const Mat3& axes) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(axes.transpose() * axes);
  const Vec3& m = eigen.eigenvalues();
  const Vec3 b = eigen.eigenvectors().transpose() * (axes.transpose() * centre);
  double low = m[2], high = m[2] + b.norm();
  for (int i = 0; i < halvings && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (pulled(b, m, middle, 2) > 1 ? low : high) = middle;
  }
  // The upper end: there every term is finite.
  const double most = centre.squaredNorm() + high + (high > m[2] ? pulled(b, m, high, 1) : 0.0);

  Vec3 u = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if (b[i] != 0 && high > m[i]) u[i] = b[i] / (high - m[i]);
  if (u.squaredNorm() < 1) u[2] += std::copysign(std::sqrt(1 - u.squaredNorm()), b[2]);
  const Vec3 point = centre + axes * (eigen.eigenvectors() * u.normalized());
  return {std::sqrt(std::max(0.0, most)), point.norm()};
}

}  // namespace abut::verify
