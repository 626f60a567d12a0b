#pragma once
// Taylor series with enclosures for coefficients: c_0 + c_1 s + ... + c_n s^n.
//
// Formulas carry a series through by recurrences that follow from the differential equations of
// the functions (Moore 1966): with y = exp(u), y' = u' y and so k y_k = sum over i of i u_i
// y_(k-i). A series taken at an instant has coefficients that are known to rounding. Of one taken
// for all instants of an interval at once, the coefficient of order n bounds what is left of the
// series of order n - 1 at any of them (Lagrange). Where a formula has a kink or a pole,
// coefficients are the whole line.

#include <array>
#include <span>

#include "math/interval.h"
#include "math/multi_jet.h"

namespace abut::math {

class Series {
 public:
  static constexpr int order = 13;  ///< n

  Series() = default;
  Series(const Interval& constant) { c_[0] = constant; }
  /// t + scale s.
  static Series variable(const Interval& t, double scale);
  /// Of the polynomial that has these coefficients of powers of s, at every s of an interval.
  static Series polynomial(std::span<const double> coefficients, const Interval& at);

  const Interval& operator[](int k) const { return c_[static_cast<std::size_t>(k)]; }
  Interval& operator[](int k) { return c_[static_cast<std::size_t>(k)]; }
  bool is_constant() const;

 private:
  std::array<Interval, order + 1> c_;
};

Series operator-(const Series& a);
Series operator+(const Series& a, const Series& b);
Series operator-(const Series& a, const Series& b);
Series operator*(const Series& a, const Series& b);
Series operator/(const Series& a, const Series& b);

Series sqrt(const Series& u);
Series exp(const Series& u);
Series log(const Series& u);
Series sin(const Series& u);
Series cos(const Series& u);
Series tan(const Series& u);
Series asin(const Series& u);
Series acos(const Series& u);
Series atan(const Series& u);
Series sinh(const Series& u);
Series cosh(const Series& u);
Series tanh(const Series& u);
Series abs(const Series& u);
Series atan2(const Series& y, const Series& x);
Series min(const Series& a, const Series& b);
Series max(const Series& a, const Series& b);
Series power(const Series& u, int n);
Series power(const Series& u, double p);
Series abs_power(const Series& u, double p);
/// What jets ask of numbers (math/multi_jet.h).
Series abs_power_slope(const Series& u, double p);
inline Series square(const Series& u) {
  return u * u;
}
bool is_zero(const Series& u);

/// A function of three variables with its gradient and Hessian along a path, as series.
using SeriesJet = MultiJet<Series, 3>;
SeriesJet abs(const SeriesJet& u);
SeriesJet min(const SeriesJet& a, const SeriesJet& b);
SeriesJet max(const SeriesJet& a, const SeriesJet& b);

/// A polynomial of degree order - 1 over [0, 1] in Bernstein form, and how far it may be off.
struct NearPolynomial {
  std::array<double, Series::order> coefficients{};
  double error = 0;
};

/// Of a function over an interval, from its series in s about the middle of it, with s from -1 to
/// 1, and from that for all of the interval.
NearPolynomial near_polynomial(const Series& at_middle, const Series& over_all);

}  // namespace abut::math
