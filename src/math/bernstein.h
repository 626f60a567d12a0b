#pragma once
// Polynomials on [0, 1] in Bernstein form: the column c_i of a coefficient matrix goes with
//     B_i(s) = binom(n, i) s^i (1 - s)^(n - i).
//
// The basis is positive and sums to 1, so a curve lies in the convex hull of its coefficients:
// that turns "a bound over an interval" into "a maximum over n + 1 columns". Evaluation is a
// product with the basis, stable for s in [0, 1].

#include <Eigen/Core>
#include <limits>

namespace abut::math {

/// Coefficients of a curve of degree Columns - 1 in R^Rows.
template <int Rows, int Columns>
using BernsteinCoefficients = Eigen::Matrix<double, Rows, Columns>;

/// The values of all basis polynomials of degree N at s.
template <int N>
Eigen::Matrix<double, N + 1, 1> bernstein_basis(double s) {
  Eigen::Matrix<double, N + 1, 1> basis;
  basis.setZero();
  basis[0] = 1;
  for (int degree = 1; degree <= N; ++degree) {
    double carried = 0;
    for (int i = 0; i < degree; ++i) {
      const double old = basis[i];
      basis[i] = carried + (1 - s) * old;
      carried = s * old;
    }
    basis[degree] = carried;
  }
  return basis;
}

/// The basis of degree N from that of the degree below.
template <int N>
Eigen::Matrix<double, N + 1, 1> bernstein_raised(const Eigen::Matrix<double, N, 1>& lower,
                                                 double s) {
  Eigen::Matrix<double, N + 1, 1> basis;
  double carried = 0;
  for (int i = 0; i < N; ++i) {
    basis[i] = carried + (1 - s) * lower[i];
    carried = s * lower[i];
  }
  basis[N] = carried;
  return basis;
}

/// Coefficients of the derivative with respect to s, one degree lower.
template <int Rows, int Columns>
BernsteinCoefficients<Rows, Columns - 1> bernstein_derivative(
    const BernsteinCoefficients<Rows, Columns>& c) {
  return (Columns - 1) * (c.template rightCols<Columns - 1>() - c.template leftCols<Columns - 1>());
}

template <int Rows, int Columns>
Eigen::Matrix<double, Rows, 1> bernstein_value(const BernsteinCoefficients<Rows, Columns>& c,
                                               double s) {
  return c * bernstein_basis<Columns - 1>(s);
}

/// Coefficients, on [0, 1] again, of the piece of the curve over [from, to] within [0, 1]
/// (two de Casteljau subdivisions).
template <int Rows, int Columns>
BernsteinCoefficients<Rows, Columns> bernstein_restricted(BernsteinCoefficients<Rows, Columns> c,
                                                          double from, double to) {
  for (int level = 1; level < Columns; ++level)  // keep the part left of `to`
    for (int i = Columns - 1; i >= level; --i) c.col(i) = (1 - to) * c.col(i - 1) + to * c.col(i);
  const double start = to > 0 ? from / to : 0;
  for (int level = 1; level < Columns; ++level)  // then the part right of `from`
    for (int i = 0; i < Columns - level; ++i)
      c.col(i) = (1 - start) * c.col(i) + start * c.col(i + 1);
  return c;
}

/// An upper bound of the curve's norm over [from, to], rounding included.
///
/// Proof. In exact arithmetic the largest coefficient norm M of the restricted piece bounds the
/// curve. Each of the 2 n levels of subdivision is a convex combination computed with at most
/// three roundings (1 - s, two products and a sum, relative to the largest input coefficient K),
/// so the computed coefficients differ from the exact ones by at most 2 n * 4 u K per component,
/// u = 2^-53, and their norms by at most sqrt(Rows) times that. `from / to` is rounded too, which
/// moves the start by at most u and the curve by at most n * 2 u K. With n <= 7 and Rows <= 4 the
/// total is under 140 u K; `slack` allows 256 u K and also covers the rounding of the norm itself.
template <int Rows, int Columns>
double bernstein_norm_bound(const BernsteinCoefficients<Rows, Columns>& c, double from, double to) {
  constexpr double slack = 128 * std::numeric_limits<double>::epsilon();  // 256 u
  const double largest = c.colwise().norm().maxCoeff();
  if (from <= 0 && to >= 1) return largest * (1 + slack);
  const double bound = bernstein_restricted<Rows, Columns>(c, from, to).colwise().norm().maxCoeff();
  return bound + slack * largest;
}

}  // namespace abut::math
