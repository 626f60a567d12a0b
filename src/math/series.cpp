#include "math/series.h"

#include <cmath>
#include <utility>

#include "base/limits.h"

namespace abut::math {
namespace {

constexpr int order = Series::order;

// What rounding does to a coefficient of Bernstein form, in units of epsilon times the sum of the
// terms (dimensionless): raising the degree rounds three times per order, the sum once per term.
constexpr double conversion_rounding = 64;

Series unknown() {
  Series y;
  for (int k = 0; k <= order; ++k) y[k] = Interval::whole();
  return y;
}

// The function whose derivative is g u', from its value.
Series integrated(const Interval& value, const Series& u, const Series& g) {
  Series y(value);
  for (int k = 1; k <= order; ++k) {
    Interval sum;
    for (int i = 1; i <= k; ++i) sum = sum + Interval(i) * u[i] * g[k - i];
    y[k] = sum / Interval(k);
  }
  return y;
}

// Two functions that are each other's derivatives, but for the sign of that of the second.
std::pair<Series, Series> coupled(const Series& u, const Interval& first, const Interval& second,
                                  double sign) {
  Series y(first), z(second);
  for (int k = 1; k <= order; ++k) {
    Interval of_y, of_z;
    for (int i = 1; i <= k; ++i) {
      of_y = of_y + Interval(i) * u[i] * z[k - i];
      of_z = of_z + Interval(i) * u[i] * y[k - i];
    }
    y[k] = of_y / Interval(k);
    z[k] = Interval(sign) * of_z / Interval(k);
  }
  return {y, z};
}

}  // namespace

Series Series::variable(const Interval& t, double scale) {
  Series s(t);
  s[1] = scale;
  return s;
}

// The coefficient of order k is sum over j >= k of binom(j, k) c_j s^(j - k).
Series Series::polynomial(std::span<const double> coefficients, const Interval& at) {
  Series y;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) {
    for (int k = order; k > 0; --k) y[k] = at * y[k] + y[k - 1];
    y[0] = at * y[0] + Interval(*c);
  }
  return y;
}

bool Series::is_constant() const {
  for (int k = 1; k <= order; ++k)
    if (!is_zero((*this)[k])) return false;
  return true;
}

Series operator-(const Series& a) {
  Series y;
  for (int k = 0; k <= order; ++k) y[k] = -a[k];
  return y;
}

Series operator+(const Series& a, const Series& b) {
  Series y;
  for (int k = 0; k <= order; ++k) y[k] = a[k] + b[k];
  return y;
}

Series operator-(const Series& a, const Series& b) {
  Series y;
  for (int k = 0; k <= order; ++k) y[k] = a[k] - b[k];
  return y;
}

Series operator*(const Series& a, const Series& b) {
  Series y;
  for (int k = 0; k <= order; ++k)
    for (int i = 0; i <= k; ++i)
      if (!is_zero(a[i]) && !is_zero(b[k - i])) y[k] = y[k] + a[i] * b[k - i];
  return y;
}

Series operator/(const Series& a, const Series& b) {
  Series y;
  for (int k = 0; k <= order; ++k) {
    Interval rest = a[k];
    for (int i = 1; i <= k; ++i)
      if (!is_zero(b[i])) rest = rest - b[i] * y[k - i];
    y[k] = rest / b[0];
  }
  return y;
}

Series sqrt(const Series& u) {
  return power(u, 0.5);
}

Series exp(const Series& u) {
  Series y(exp(u[0]));
  for (int k = 1; k <= order; ++k) {
    Interval sum;
    for (int i = 1; i <= k; ++i) sum = sum + Interval(i) * u[i] * y[k - i];
    y[k] = sum / Interval(k);
  }
  return y;
}

Series log(const Series& u) {
  if (u.is_constant()) return log(u[0]);
  return integrated(log(u[0]), u, Series(Interval(1)) / u);
}

Series sin(const Series& u) {
  return coupled(u, sin(u[0]), cos(u[0]), -1).first;
}

Series cos(const Series& u) {
  return coupled(u, sin(u[0]), cos(u[0]), -1).second;
}

Series tan(const Series& u) {
  return sin(u) / cos(u);
}

Series asin(const Series& u) {
  if (u.is_constant()) return asin(u[0]);
  return integrated(asin(u[0]), u, power(Series(Interval(1)) - u * u, -0.5));
}

Series acos(const Series& u) {
  if (u.is_constant()) return acos(u[0]);
  return integrated(acos(u[0]), u, -power(Series(Interval(1)) - u * u, -0.5));
}

Series atan(const Series& u) {
  return integrated(atan(u[0]), u, Series(Interval(1)) / (Series(Interval(1)) + u * u));
}

Series sinh(const Series& u) {
  return coupled(u, sinh(u[0]), cosh(u[0]), 1).first;
}

Series cosh(const Series& u) {
  return coupled(u, sinh(u[0]), cosh(u[0]), 1).second;
}

Series tanh(const Series& u) {
  return sinh(u) / cosh(u);
}

Series abs(const Series& u) {
  if (u[0].lower > 0) return u;
  if (u[0].upper < 0) return -u;
  return u.is_constant() ? Series(abs(u[0])) : unknown();
}

// theta' = (x y' - y x') / (x^2 + y^2).
Series atan2(const Series& y, const Series& x) {
  if (y.is_constant() && x.is_constant()) return atan2(y[0], x[0]);
  const Series squares = x * x + y * y;
  return integrated(atan2(y[0], x[0]), y, x / squares) + integrated(Interval(0), x, -y / squares);
}

Series min(const Series& a, const Series& b) {
  if (a[0].upper < b[0].lower) return a;
  if (b[0].upper < a[0].lower) return b;
  return a.is_constant() && b.is_constant() ? Series(min(a[0], b[0])) : unknown();
}

Series max(const Series& a, const Series& b) {
  return -min(-a, -b);
}

Series power(const Series& u, int n) {
  if (n < 0) return Series(Interval(1)) / power(u, -n);
  Series y(Interval(1)), factor = u;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) y = y * factor;
    if (n > 1) factor = factor * factor;
  }
  return y;
}

// u y' = p u' y.
Series power(const Series& u, double p) {
  Series y(power(u[0], p));
  if (u.is_constant()) return y;
  for (int k = 1; k <= order; ++k) {
    Interval sum;
    for (int i = 1; i <= k; ++i)
      sum = sum + (Interval(p) * Interval(i) - Interval(k - i)) * u[i] * y[k - i];
    y[k] = sum / (Interval(k) * u[0]);
  }
  return y;
}

Series abs_power(const Series& u, double p) {
  if (u.is_constant()) return abs_power(u[0], p);
  return power(abs(u), p);
}

Series abs_power_slope(const Series& u, double p) {
  if (u.is_constant()) return abs_power_slope(u[0], p);
  if (u[0].upper < 0) return -Series(Interval(p)) * power(-u, p - 1);
  return Series(Interval(p)) * power(abs(u), p - 1);
}

bool is_zero(const Series& u) {
  return is_zero(u[0]) && u.is_constant();
}

namespace {

SeriesJet unknown_jet() {
  SeriesJet y(unknown());
  y.first.fill(unknown());
  y.second.fill(unknown());
  return y;
}

}  // namespace

SeriesJet abs(const SeriesJet& u) {
  if (u.value[0].lower > 0) return u;
  if (u.value[0].upper < 0) return -u;
  return u.is_constant() ? SeriesJet(abs(u.value)) : unknown_jet();
}

SeriesJet min(const SeriesJet& a, const SeriesJet& b) {
  if (a.value[0].upper < b.value[0].lower) return a;
  if (b.value[0].upper < a.value[0].lower) return b;
  return a.is_constant() && b.is_constant() ? SeriesJet(min(a.value, b.value)) : unknown_jet();
}

SeriesJet max(const SeriesJet& a, const SeriesJet& b) {
  return -min(-a, -b);
}

// s^k with s = 2 x - 1 is ((x - (1 - x))^k: of degree k its coefficients of Bernstein form are 1
// and -1 by turns, the last of them 1.
NearPolynomial near_polynomial(const Series& at_middle, const Series& over_all) {
  NearPolynomial result;
  result.error = over_all[order].magnitude();
  double size = 0;
  for (int k = 0; k < order; ++k) {
    const Interval& c = at_middle[k];
    const double middle = c.lower + 0.5 * (c.upper - c.lower);
    result.error += c.upper - c.lower;
    if (middle == 0) continue;
    size += std::abs(middle);
    std::array<double, order> basis{};
    for (int i = 0; i <= k; ++i) basis[i] = (k - i) % 2 == 0 ? 1 : -1;
    for (int degree = k + 1; degree < order; ++degree)
      for (int i = degree; i >= 0; --i) {
        const double part = static_cast<double>(i) / degree;
        basis[i] = (i > 0 ? part * basis[i - 1] : 0.0) + (i < degree ? (1 - part) * basis[i] : 0.0);
      }
    for (int i = 0; i < order; ++i) result.coefficients[i] += middle * basis[i];
  }
  result.error += conversion_rounding * epsilon * size;
  if (!std::isfinite(result.error)) result.error = infinity;
  return result;
}

}  // namespace abut::math
