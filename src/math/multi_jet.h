#pragma once
// A value with its gradient and Hessian in N variables, carried through formulas by the chain rule:
//   y = f(u):  y_i = f' u_i,  y_ij = f'' u_i u_j + f' u_ij.
// Over doubles this is automatic differentiation at a point, over intervals it encloses value and
// derivatives on a box. jet.h holds the functions, which both kinds of jets share.

#include <array>
#include <cstddef>

#include "math/interval.h"
#include "math/jet.h"

namespace abut::math {

template <class Number, std::size_t N>
struct MultiJet {
  using Scalar = Number;
  static constexpr std::size_t pairs = N * (N + 1) / 2;

  Number value{};
  std::array<Number, N> first{};       ///< derivatives by each variable
  std::array<Number, pairs> second{};  ///< by pairs of them: (0,0), (0,1), ..., (1,1), ...

  MultiJet() = default;
  explicit MultiJet(const Number& constant) : value(constant) {}
  static MultiJet variable(const Number& at, std::size_t index) {
    MultiJet jet(at);
    jet.first[index] = Number(1.0);
    return jet;
  }

  static constexpr std::size_t pair(std::size_t i, std::size_t j) {
    if (i > j) return pair(j, i);
    return i * N - i * (i + 1) / 2 + j;
  }
  const Number& by(std::size_t i, std::size_t j) const { return second[pair(i, j)]; }
  bool is_constant() const {
    for (const Number& x : first)
      if (!is_zero(x)) return false;
    for (const Number& x : second)
      if (!is_zero(x)) return false;
    return true;
  }
};

/// y = f(u) from f(u), f'(u), f''(u). A constant argument stays constant even where f' is infinite.
template <class Number, std::size_t N>
MultiJet<Number, N> chain(const MultiJet<Number, N>& u, const Number& f, const Number& df,
                          const Number& ddf) {
  using J = MultiJet<Number, N>;
  J y(f);
  if (u.is_constant()) return y;
  for (std::size_t i = 0; i < N; ++i) {
    if (!is_zero(u.first[i])) y.first[i] = df * u.first[i];
    for (std::size_t j = i; j < N; ++j) {
      const std::size_t k = J::pair(i, j);
      const Number bend = i == j ? Number(square(u.first[i])) : Number(u.first[i] * u.first[j]);
      if (!is_zero(bend)) y.second[k] = ddf * bend;
      if (!is_zero(u.second[k])) y.second[k] = y.second[k] + df * u.second[k];
    }
  }
  return y;
}

/// y = f(u, w) from its derivatives up to the second.
template <class Number>
struct TwoArgumentSlopes {
  Number f, f_u, f_w, f_uu, f_uw, f_ww;
};
template <class Number, std::size_t N>
MultiJet<Number, N> chain(const MultiJet<Number, N>& u, const MultiJet<Number, N>& w,
                          const TwoArgumentSlopes<Number>& s) {
  using J = MultiJet<Number, N>;
  J y(s.f);
  for (std::size_t i = 0; i < N; ++i) {
    y.first[i] = s.f_u * u.first[i] + s.f_w * w.first[i];
    for (std::size_t j = i; j < N; ++j) {
      const std::size_t k = J::pair(i, j);
      y.second[k] = s.f_u * u.second[k] + s.f_w * w.second[k] + s.f_uu * (u.first[i] * u.first[j]) +
                    s.f_ww * (w.first[i] * w.first[j]) +
                    s.f_uw * (u.first[i] * w.first[j] + u.first[j] * w.first[i]);
    }
  }
  return y;
}

template <class Number, std::size_t N, class Function>
MultiJet<Number, N> entrywise(const MultiJet<Number, N>& a, const MultiJet<Number, N>& b,
                              const Function& function) {
  MultiJet<Number, N> y(function(a.value, b.value));
  for (std::size_t i = 0; i < N; ++i) y.first[i] = function(a.first[i], b.first[i]);
  for (std::size_t k = 0; k < y.second.size(); ++k)
    y.second[k] = function(a.second[k], b.second[k]);
  return y;
}

template <class Number, std::size_t N>
MultiJet<Number, N> operator-(const MultiJet<Number, N>& a) {
  return entrywise(a, a, [](const Number& p, const Number&) { return Number(-p); });
}

template <class Number, std::size_t N>
MultiJet<Number, N> operator+(const MultiJet<Number, N>& a, const MultiJet<Number, N>& b) {
  return entrywise(a, b, [](const Number& p, const Number& q) { return Number(p + q); });
}

template <class Number, std::size_t N>
MultiJet<Number, N> operator-(const MultiJet<Number, N>& a, const MultiJet<Number, N>& b) {
  return entrywise(a, b, [](const Number& p, const Number& q) { return Number(p - q); });
}

template <class Number, std::size_t N>
MultiJet<Number, N> operator*(const MultiJet<Number, N>& a, const MultiJet<Number, N>& b) {
  using J = MultiJet<Number, N>;
  J y(a.value * b.value);
  for (std::size_t i = 0; i < N; ++i) {
    y.first[i] = a.first[i] * b.value + a.value * b.first[i];
    for (std::size_t j = i; j < N; ++j) {
      const std::size_t k = J::pair(i, j);
      y.second[k] = a.second[k] * b.value + a.value * b.second[k] +
                    (a.first[i] * b.first[j] + a.first[j] * b.first[i]);
    }
  }
  return y;
}

/// q = a/b:  q_i = (a_i - q b_i)/b,  q_ij = (a_ij - q_i b_j - q_j b_i - q b_ij)/b.
template <class Number, std::size_t N>
MultiJet<Number, N> operator/(const MultiJet<Number, N>& a, const MultiJet<Number, N>& b) {
  using J = MultiJet<Number, N>;
  J q(a.value / b.value);
  for (std::size_t i = 0; i < N; ++i) q.first[i] = (a.first[i] - q.value * b.first[i]) / b.value;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = i; j < N; ++j) {
      const std::size_t k = J::pair(i, j);
      q.second[k] = (a.second[k] - q.first[i] * b.first[j] - q.first[j] * b.first[i] -
                     q.value * b.second[k]) /
                    b.value;
    }
  return q;
}

/// With r2 = x^2 + y^2: theta_x = -y/r2, theta_y = x/r2, theta_xx = -theta_yy = 2 x y/r2^2,
/// theta_xy = (y^2 - x^2)/r2^2.
template <class Number, std::size_t N>
MultiJet<Number, N> atan2(const MultiJet<Number, N>& y, const MultiJet<Number, N>& x) {
  using std::atan2;
  const Number theta = atan2(y.value, x.value);
  if (y.is_constant() && x.is_constant()) return MultiJet<Number, N>(theta);
  const Number r2 = square(x.value) + square(y.value);
  const Number r4 = square(r2);
  const Number mixed = Number(2.0) * x.value * y.value / r4;
  return chain(y, x,
               {theta, x.value / r2, -(y.value / r2), -mixed,
                (square(y.value) - square(x.value)) / r4, mixed});
}

/// Either of two branches, `value` being the range of the choice.
template <std::size_t N>
MultiJet<Interval, N> either(const Interval& value, const MultiJet<Interval, N>& a,
                             const MultiJet<Interval, N>& b) {
  MultiJet<Interval, N> y(value);
  if (a.is_constant() && b.is_constant()) return y;
  for (std::size_t i = 0; i < N; ++i) y.first[i] = hull(a.first[i], b.first[i]);
  y.second.fill(Interval::whole());
  return y;
}

template <std::size_t N>
MultiJet<double, N> abs(const MultiJet<double, N>& u) {
  return u.value < 0 ? -u : u;
}
template <std::size_t N>
MultiJet<double, N> min(const MultiJet<double, N>& a, const MultiJet<double, N>& b) {
  return b.value < a.value ? b : a;
}
template <std::size_t N>
MultiJet<double, N> max(const MultiJet<double, N>& a, const MultiJet<double, N>& b) {
  return b.value > a.value ? b : a;
}

template <std::size_t N>
MultiJet<Interval, N> abs(const MultiJet<Interval, N>& u) {
  if (u.value.lower >= 0) return u;
  if (u.value.upper < 0) return -u;
  return either(abs(u.value), u, -u);
}
template <std::size_t N>
MultiJet<Interval, N> min(const MultiJet<Interval, N>& a, const MultiJet<Interval, N>& b) {
  if (a.value.upper <= b.value.lower) return a;
  if (b.value.upper < a.value.lower) return b;
  return either(min(a.value, b.value), a, b);
}
template <std::size_t N>
MultiJet<Interval, N> max(const MultiJet<Interval, N>& a, const MultiJet<Interval, N>& b) {
  return -min(-a, -b);
}

}  // namespace abut::math
