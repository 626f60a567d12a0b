#include "geometry/local_convexity.h"

#include <cmath>

namespace abut::geometry {
namespace {

Interval minor_of(const FieldRange& f, std::size_t i, std::size_t j) {
  return f.by(i, i) * f.by(j, j) - square(f.by(i, j));
}

// h_ij h_kl - h_il h_kj
Interval mixed_minor(const FieldRange& f, std::size_t i, std::size_t j, std::size_t k,
                     std::size_t l) {
  return f.by(i, j) * f.by(k, l) - f.by(i, l) * f.by(k, j);
}

// The Hessian is positive semidefinite if none of its principal minors is negative.
bool is_convex_function(const FieldRange& f) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(f.by(i, i).lower >= 0)) return false;
    if (!(minor_of(f, i, (i + 1) % 3).lower >= 0)) return false;
  }
  const Interval determinant = f.by(0, 0) * minor_of(f, 1, 2) -
                               f.by(0, 1) * mixed_minor(f, 0, 1, 2, 2) +
                               f.by(0, 2) * mixed_minor(f, 0, 1, 1, 2);
  return determinant.lower >= 0;
}

// With g and H the derivatives of f, the product of the principal curvatures is
// g . adj(H) g / |g|^4 and their sum (|g|^2 tr H - g . H g) / |g|^3.
bool is_bent_outwards(const FieldRange& f) {
  const auto& g = f.first;
  Interval product, sum;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    product = product + square(g[i]) * minor_of(f, j, k);
    // Cofactor of (j, k).
    const Interval cofactor = f.by(i, j) * f.by(i, k) - f.by(i, i) * f.by(j, k);
    product = product + Interval(2.0) * (g[j] * g[k]) * cofactor;
    sum =
        sum + square(g[i]) * (f.by(j, j) + f.by(k, k)) - Interval(2.0) * (g[j] * g[k]) * f.by(j, k);
  }
  return product.lower > 0 && sum.lower > 0;
}

}  // namespace

bool is_locally_convex(const FieldRange& f) {
  return is_convex_function(f) || is_bent_outwards(f);
}

double least_curvature(const FieldSample& f) {
  const double length = f.gradient.norm();
  const Vec3 n = f.gradient / length;
  const Vec3 p = n.unitOrthogonal(), q = n.cross(p);
  const double a = p.dot(f.hessian * p), b = p.dot(f.hessian * q), c = q.dot(f.hessian * q);
  return (0.5 * (a + c) - std::hypot(0.5 * (a - c), b)) / length;
}

}  // namespace abut::geometry
