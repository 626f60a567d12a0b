#pragma once
// Polynomials on [0, 1] of any degree, to be added and multiplied.
//
// They are kept in scaled Bernstein form: the coefficient a_i goes with s^i (1 - s)^(n - i), which
// makes products plain convolutions, and nothing in them cancels that does not cancel in the
// values. Divided by binom(n, i) a coefficient is that of the Bernstein basis (math/bernstein.h),
// and the smallest of these bounds the polynomial from below.

#include <Eigen/Core>
#include <array>

namespace abut::math {

class Polynomial {
 public:
  /// A constant.
  Polynomial(double value = 0) : scaled_(Eigen::VectorXd::Constant(1, value)) {}
  static Polynomial from_bernstein(const Eigen::VectorXd& coefficients);

  int degree() const { return static_cast<int>(scaled_.size()) - 1; }
  double value(double s) const;
  bool is_zero() const { return scaled_.isZero(0); }

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator-=(const Polynomial& other);
  Polynomial& operator*=(double factor);
  friend Polynomial operator+(Polynomial x, const Polynomial& y) { return x += y; }
  friend Polynomial operator-(Polynomial x, const Polynomial& y) { return x -= y; }
  friend Polynomial operator*(Polynomial x, double factor) { return x *= factor; }
  friend Polynomial operator*(double factor, Polynomial x) { return x *= factor; }
  friend Polynomial operator*(const Polynomial& x, const Polynomial& y);

  /// Coefficients of the Bernstein basis.
  Eigen::VectorXd bernstein() const;

 private:
  void elevate(int degree);

  Eigen::VectorXd scaled_;
};

Polynomial derivative(const Polynomial& p);

/// Vectors of them.
using PolynomialVector = std::array<Polynomial, 3>;
Polynomial dot(const PolynomialVector& x, const PolynomialVector& y);
PolynomialVector cross(const PolynomialVector& x, const PolynomialVector& y);
PolynomialVector operator+(const PolynomialVector& x, const PolynomialVector& y);
PolynomialVector operator-(const PolynomialVector& x, const PolynomialVector& y);
PolynomialVector operator*(const PolynomialVector& x, const Polynomial& factor);

/// Of the largest coefficient: no value on [0, 1] is larger. Of a vector the sum.
double size_of(const Polynomial& p);
double size_of(const PolynomialVector& v);

/// Whether it is more than `bound` on all of [0, 1]; false too where that cannot be shown by
/// halving the interval a few times.
bool is_above(const Polynomial& p, double bound);

}  // namespace abut::math
