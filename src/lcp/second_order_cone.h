#pragma once
// Algebra of the second-order cone, as interior-point methods need it: Jordan's product, and the
// scaling of Nesterov and Todd (1997).

#include <cmath>

#include "lcp/cone_part.h"

namespace abut::lcp {

/// How exactly the way to the boundary of a cone is found, and below what nothing moves any more
/// (dimensionless).
inline constexpr double way_resolution = 1e-3;
inline constexpr double no_way = 1e-10;

/// A vector of a block's cone: the half line of one entry, or the second-order cone of two or
/// three.
using Cone = Part;

inline double low_of(const Cone& x) {
  return x[0] - x.tail<2>().norm();
}

inline double high_of(const Cone& x) {
  return x[0] + x.tail<2>().norm();
}

inline double determinant(const Cone& x) {
  return low_of(x) * high_of(x);
}

inline Cone jordan_product(const Cone& x, const Cone& y) {
  Cone product;
  product[0] = x.dot(y);
  product.tail<2>() = x[0] * y.tail<2>() + y[0] * x.tail<2>();
  return product;
}

/// The d with lambda o d = v.
inline Cone jordan_quotient(const Cone& v, const Cone& lambda) {
  Cone d;
  d[0] = (lambda[0] * v[0] - lambda.tail<2>().dot(v.tail<2>())) / determinant(lambda);
  d.tail<2>() = (v.tail<2>() - d[0] * lambda.tail<2>()) / lambda[0];
  return d;
}

/// How far x and y, in the cone, are from x.y = 0: the distance between x and the point of the cone
/// nearest to x - y. Where one of them is far inside, it is the length of the other.
inline double distance_to_law(const Cone& x, const Cone& y) {
  const Cone z = x - y;
  const double length = z.tail<2>().norm();
  if (length <= z[0]) return y.norm();
  if (length <= -z[0]) return x.norm();
  const double height = 0.5 * (z[0] + length);
  Cone nearest = Cone::UnitX();
  nearest.tail<2>() = z.tail<2>() / length;
  return (x - height * nearest).norm();
}

/// The longest step, at most `most`, that keeps x + step dx inside of the cone.
inline double step_inside(const Cone& x, const Cone& dx, double most) {
  const auto is_inside = [&](double step) { return low_of(x + step * dx) > 0; };
  if (is_inside(most)) return most;
  double low = 0, high = most;
  while (high - low > way_resolution * high && high > no_way) {
    const double middle = 0.5 * (low + high);
    (is_inside(middle) ? low : high) = middle;
  }
  return low;
}

/// W for x and y, and lambda = W^-1 x = W y. With both divided by the roots of their determinants,
/// and v their mean after the sides of y are turned about, scaled to determinant 1, W is eta times
///     ( v_0   v_T^T                     )
///     ( v_T   1 + v_T v_T^T / (1 + v_0) ),    eta^4 = det x / det y.
struct ConeScaling {
  PartMatrix w, inverse;
  Cone lambda;
  double eta = 1;
  Cone v = Cone::UnitX();

  /// Of what has no cone: without a law nothing is scaled.
  static ConeScaling none() {
    ConeScaling scaling(Cone::UnitX(), Cone::UnitX());
    scaling.w = scaling.inverse = PartMatrix::Zero();
    scaling.lambda = Cone::Zero();
    return scaling;
  }

  ConeScaling(const Cone& x, const Cone& y) {
    const double root_x = std::sqrt(determinant(x)), root_y = std::sqrt(determinant(y));
    eta = std::sqrt(root_x / root_y);
    const double gamma = std::sqrt(0.5 * (1 + x.dot(y) / (root_x * root_y)));
    v = x / root_x;
    v[0] += y[0] / root_y;
    v.tail<2>() -= y.tail<2>() / root_y;
    v /= 2 * gamma;
    PartMatrix plain = PartMatrix::Identity();
    plain(0, 0) = v[0];
    plain.block<1, 2>(0, 1) = v.tail<2>().transpose();
    plain.block<2, 1>(1, 0) = v.tail<2>();
    plain.block<2, 2>(1, 1) += v.tail<2>() * v.tail<2>().transpose() / (1 + v[0]);
    w = eta * plain;
    inverse = plain / eta;
    inverse.block<1, 2>(0, 1) *= -1;
    inverse.block<2, 1>(1, 0) *= -1;
    lambda = w * y;
  }

  /// (W^-2 + damping)^-1, by the axes of W: (1, t) and (1, -t) with t along v_T, and across it. W
  /// stretches the first by eta (v_0 + |v_T|), the second by eta / (v_0 + |v_T|). Near the boundary
  /// of the cone these are too far apart for the inverse of a sum.
  PartMatrix damped_square(double damping) const {
    const double length = v.tail<2>().norm();
    const double stretch = v[0] + length;
    const auto damped = [&](double root) { return 1 / (1 / (root * root) + damping); };
    const double along = damped(eta * stretch), against = damped(eta / stretch);
    PartMatrix k = damped(eta) * PartMatrix::Identity();
    k(0, 0) = 0.5 * (along + against);
    if (length == 0) return k;
    const Eigen::Vector2d t = v.tail<2>() / length;
    k.block<2, 1>(1, 0) = 0.5 * (along - against) * t;
    k.block<1, 2>(0, 1) = k.block<2, 1>(1, 0).transpose();
    k.block<2, 2>(1, 1) += (k(0, 0) - damped(eta)) * t * t.transpose();
    return k;
  }
};

}  // namespace abut::lcp
