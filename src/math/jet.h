#pragma once
// A value with its first and second derivative, carried through formulas by the chain rule:
//   y = f(u):  y' = f'(u) u',  y'' = f''(u) u'^2 + f'(u) u''.
//
// Over doubles this is automatic differentiation at a point, over intervals it encloses value and
// derivatives on a whole range of the variable. Where a formula has a kink inside the range (abs,
// min, max), the first derivative encloses both sides and the second is the whole line.

#include <cmath>
#include <concepts>

#include "math/interval.h"

namespace abut::math {

template <class Number>
struct BasicJet {
  using Scalar = Number;
  Number value{};
  Number first{};
  Number second{};
};

/// A value with derivatives in some number of variables; `chain` carries it through functions.
template <class J>
concept JetLike = requires(const J& u, typename J::Scalar f) {
  { u.value } -> std::convertible_to<typename J::Scalar>;
  { chain(u, f, f, f) } -> std::same_as<J>;
};

using Jet = BasicJet<double>;
using IntervalJet = BasicJet<Interval>;

/// y = f(u) from f(u), f'(u), f''(u). A constant argument stays constant even where f' is infinite.
template <class Number>
BasicJet<Number> chain(const BasicJet<Number>& u, const Number& f, const Number& df,
                       const Number& ddf) {
  if (is_zero(u.first) && is_zero(u.second)) return {f, Number(0.0), Number(0.0)};
  return {f, df * u.first, ddf * square(u.first) + df * u.second};
}

template <class Number>
BasicJet<Number> operator-(const BasicJet<Number>& a) {
  return {-a.value, -a.first, -a.second};
}

template <class Number>
BasicJet<Number> operator+(const BasicJet<Number>& a, const BasicJet<Number>& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}

template <class Number>
BasicJet<Number> operator-(const BasicJet<Number>& a, const BasicJet<Number>& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}

template <class Number>
BasicJet<Number> operator*(const BasicJet<Number>& a, const BasicJet<Number>& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + Number(2.0) * (a.first * b.first) + a.value * b.second};
}

/// q = a/b:  q' = (a' - q b')/b,  q'' = (a'' - 2 q' b' - q b'')/b.
template <class Number>
BasicJet<Number> operator/(const BasicJet<Number>& a, const BasicJet<Number>& b) {
  const Number q = a.value / b.value;
  const Number dq = (a.first - q * b.first) / b.value;
  return {q, dq, (a.second - Number(2.0) * (dq * b.first) - q * b.second) / b.value};
}

template <JetLike J>
J sqrt(const J& u) {
  using Number = typename J::Scalar;
  using std::sqrt;
  const Number root = sqrt(u.value);
  const Number slope = Number(0.5) / root;
  return chain(u, root, slope, -(slope / (Number(2.0) * u.value)));
}

template <JetLike J>
J exp(const J& u) {
  using Number = typename J::Scalar;
  using std::exp;
  const Number f = exp(u.value);
  return chain(u, f, f, f);
}

template <JetLike J>
J log(const J& u) {
  using Number = typename J::Scalar;
  using std::log;
  const Number slope = Number(1.0) / u.value;
  return chain(u, Number(log(u.value)), slope, -square(slope));
}

template <JetLike J>
J sin(const J& u) {
  using Number = typename J::Scalar;
  using std::cos;
  using std::sin;
  const Number s = sin(u.value);
  return chain(u, s, Number(cos(u.value)), -s);
}

template <JetLike J>
J cos(const J& u) {
  using Number = typename J::Scalar;
  using std::cos;
  using std::sin;
  const Number c = cos(u.value);
  return chain(u, c, -Number(sin(u.value)), -c);
}

template <JetLike J>
J tan(const J& u) {
  using Number = typename J::Scalar;
  using std::tan;
  const Number t = tan(u.value);
  const Number slope = Number(1.0) + square(t);
  return chain(u, t, slope, Number(2.0) * t * slope);
}

/// asin' = 1/sqrt(1 - u^2), asin'' = u/(1 - u^2)^(3/2).
template <JetLike J>
J asin(const J& u) {
  using Number = typename J::Scalar;
  using std::asin;
  using std::sqrt;
  const Number rest = Number(1.0) - square(u.value);
  const Number slope = Number(1.0) / sqrt(rest);
  return chain(u, Number(asin(u.value)), slope, u.value * slope / rest);
}

template <JetLike J>
J acos(const J& u) {
  using Number = typename J::Scalar;
  using std::acos;
  using std::sqrt;
  const Number rest = Number(1.0) - square(u.value);
  const Number slope = Number(1.0) / sqrt(rest);
  return chain(u, Number(acos(u.value)), -slope, -(u.value * slope / rest));
}

template <JetLike J>
J atan(const J& u) {
  using Number = typename J::Scalar;
  using std::atan;
  const Number slope = Number(1.0) / (Number(1.0) + square(u.value));
  return chain(u, Number(atan(u.value)), slope, -(Number(2.0) * u.value * square(slope)));
}

template <JetLike J>
J sinh(const J& u) {
  using Number = typename J::Scalar;
  using std::cosh;
  using std::sinh;
  const Number s = sinh(u.value);
  return chain(u, s, Number(cosh(u.value)), s);
}

template <JetLike J>
J cosh(const J& u) {
  using Number = typename J::Scalar;
  using std::cosh;
  using std::sinh;
  const Number c = cosh(u.value);
  return chain(u, c, Number(sinh(u.value)), c);
}

template <JetLike J>
J tanh(const J& u) {
  using Number = typename J::Scalar;
  using std::tanh;
  const Number t = tanh(u.value);
  const Number slope = Number(1.0) - square(t);
  return chain(u, t, slope, -(Number(2.0) * t * slope));
}

/// theta = atan2(y, x), r2 = x^2 + y^2, n = x y' - y x':
/// theta' = n/r2,  theta'' = (x y'' - y x'' - theta' (2 x x' + 2 y y'))/r2.
template <class Number>
BasicJet<Number> atan2(const BasicJet<Number>& y, const BasicJet<Number>& x) {
  using std::atan2;
  const Number theta = atan2(y.value, x.value);
  if (is_zero(y.first) && is_zero(x.first) && is_zero(y.second) && is_zero(x.second)) {
    return {theta, Number(0.0), Number(0.0)};
  }
  const Number r2 = square(x.value) + square(y.value);
  const Number first = (x.value * y.first - y.value * x.first) / r2;
  const Number half_dr2 = x.value * x.first + y.value * y.first;
  const Number second =
      (x.value * y.second - y.value * x.second - Number(2.0) * (first * half_dr2)) / r2;
  return {theta, first, second};
}

/// u^n for a constant whole n: no logarithm, so that negative bases and 0 need no care.
template <JetLike J>
J power(const J& u, int n) {
  using Number = typename J::Scalar;
  if (n == 0) return chain(u, Number(1.0), Number(0.0), Number(0.0));
  if (n == 1) return u;
  const Number factor(static_cast<double>(n));
  const Number factor2(static_cast<double>(n) * (static_cast<double>(n) - 1));
  return chain(u, power(u.value, n), factor * power(u.value, n - 1),
               factor2 * power(u.value, n - 2));
}

/// u^p for any constant p; u must not be negative.
template <JetLike J>
J power(const J& u, double p) {
  using Number = typename J::Scalar;
  const Number exponent(p);
  return chain(u, power(u.value, p), exponent * power(u.value, p - 1),
               exponent * (exponent - Number(1.0)) * power(u.value, p - 2));
}

/// |u|^p for a constant p > 1.
template <JetLike J>
J abs_power(const J& u, double p) {
  using Number = typename J::Scalar;
  return chain(u, abs_power(u.value, p), abs_power_slope(u.value, p),
               Number(p * (p - 1)) * abs_power(u.value, p - 2));
}

Jet abs(const Jet& u);
Jet min(const Jet& a, const Jet& b);
Jet max(const Jet& a, const Jet& b);
IntervalJet abs(const IntervalJet& u);
IntervalJet min(const IntervalJet& a, const IntervalJet& b);
IntervalJet max(const IntervalJet& a, const IntervalJet& b);

}  // namespace abut::math
