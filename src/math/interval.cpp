#include "math/interval.h"

#include <algorithm>
#include <cmath>

namespace abut::math {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Ends computed by a correctly rounded operation.
Interval outward(double lower, double upper) {
  return {next_down(lower), next_up(upper)};
}

/// Whether a + b is the exact sum `sum`: then its end needs no rounding outwards, and sums of
/// squares do not become negative.
bool is_exact_sum(double a, double b, double sum) {
  return sum - a == b && sum - b == a;
}

/// Ends computed by the C library.
Interval outward_library(double lower, double upper) {
  for (int i = 0; i < library_error_ulps; ++i) {
    lower = next_down(lower);
    upper = next_up(upper);
  }
  return {lower, upper};
}

Interval clamped(const Interval& x, double lower, double upper) {
  return {std::clamp(x.lower, lower, upper), std::clamp(x.upper, lower, upper)};
}

/// A product of bounds: an infinite bound stands for arbitrarily large finite numbers, so that
/// zero times it is zero.
double bound_product(double a, double b) {
  return a == 0 || b == 0 ? 0.0 : a * b;
}

/// Whether [x.lower, x.upper] may contain a point offset + k * period. Errs on the side of yes: the
/// quotients below are off by a few roundings, which `slack` covers.
bool may_contain_multiple(const Interval& x, double offset, double period) {
  const double first = (x.lower - offset) / period;
  const double last = (x.upper - offset) / period;
  const double magnitude = std::max(std::abs(first), std::abs(last)) + 1;
  const double slack = 8 * std::numeric_limits<double>::epsilon() * magnitude;
  if (!(slack < 0.25) || !(last - first < 1)) return true;
  return std::floor(last + slack) >= std::ceil(first - slack);
}

/// Range of a sine-like function with maxima at `peak` + 2 k pi and minima half a period later.
Interval wave(const Interval& x, double at_lower, double at_upper, double peak) {
  Interval range = outward_library(std::min(at_lower, at_upper), std::max(at_lower, at_upper));
  if (may_contain_multiple(x, peak, 2 * pi)) range.upper = 1;
  if (may_contain_multiple(x, peak - pi, 2 * pi)) range.lower = -1;
  return clamped(range, -1, 1);
}

bool bounded(const Interval& x) {
  return std::isfinite(x.lower) && std::isfinite(x.upper);
}

}  // namespace

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

Interval operator-(const Interval& a) {
  return {-a.upper, -a.lower};
}

Interval operator+(const Interval& a, const Interval& b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  const double lower = a.lower + b.lower, upper = a.upper + b.upper;
  return {is_exact_sum(a.lower, b.lower, lower) ? lower : next_down(lower),
          is_exact_sum(a.upper, b.upper, upper) ? upper : next_up(upper)};
}

Interval operator-(const Interval& a, const Interval& b) {
  return a + -b;
}

Interval operator*(const Interval& a, const Interval& b) {
  if (is_zero(a) || is_zero(b)) return 0.0;
  const double products[] = {bound_product(a.lower, b.lower), bound_product(a.lower, b.upper),
                             bound_product(a.upper, b.lower), bound_product(a.upper, b.upper)};
  Interval result =
      outward(*std::min_element(products, products + 4), *std::max_element(products, products + 4));
  // Factors of one sign have a product of one sign, however it is rounded.
  if ((a.lower >= 0 && b.lower >= 0) || (a.upper <= 0 && b.upper <= 0))
    result.lower = std::max(result.lower, 0.0);
  if ((a.lower >= 0 && b.upper <= 0) || (a.upper <= 0 && b.lower >= 0))
    result.upper = std::min(result.upper, 0.0);
  return result;
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.lower <= 0 && b.upper >= 0) return Interval::whole();
  if (is_zero(a)) return 0.0;
  return a * outward(1 / b.upper, 1 / b.lower);
}

Interval sqrt(const Interval& x) {
  if (x.lower < 0) return Interval::whole();
  const Interval root = outward(std::sqrt(x.lower), std::sqrt(x.upper));
  return {std::max(root.lower, 0.0), root.upper};
}

Interval exp(const Interval& x) {
  const Interval range = outward_library(std::exp(x.lower), std::exp(x.upper));
  return {std::max(range.lower, 0.0), range.upper};
}

Interval log(const Interval& x) {
  if (x.lower <= 0) return Interval::whole();
  return outward_library(std::log(x.lower), std::log(x.upper));
}

Interval sin(const Interval& x) {
  if (!bounded(x)) return {-1, 1};
  return wave(x, std::sin(x.lower), std::sin(x.upper), pi / 2);
}

Interval cos(const Interval& x) {
  if (!bounded(x)) return {-1, 1};
  return wave(x, std::cos(x.lower), std::cos(x.upper), 0);
}

Interval tan(const Interval& x) {
  if (!bounded(x) || may_contain_multiple(x, pi / 2, pi)) return Interval::whole();
  return outward_library(std::tan(x.lower), std::tan(x.upper));
}

Interval asin(const Interval& x) {
  if (x.lower < -1 || x.upper > 1) return Interval::whole();
  return outward_library(std::asin(x.lower), std::asin(x.upper));
}

Interval acos(const Interval& x) {
  if (x.lower < -1 || x.upper > 1) return Interval::whole();
  return outward_library(std::acos(x.upper), std::acos(x.lower));
}

Interval atan(const Interval& x) {
  return outward_library(std::atan(x.lower), std::atan(x.upper));
}

Interval sinh(const Interval& x) {
  return outward_library(std::sinh(x.lower), std::sinh(x.upper));
}

Interval cosh(const Interval& x) {
  const Interval size = abs(x);
  const Interval range = outward_library(std::cosh(size.lower), std::cosh(size.upper));
  return {std::max(range.lower, 1.0), range.upper};
}

Interval tanh(const Interval& x) {
  return clamped(outward_library(std::tanh(x.lower), std::tanh(x.upper)), -1, 1);
}

Interval abs(const Interval& x) {
  if (x.lower >= 0) return x;
  if (x.upper <= 0) return -x;
  return {0, std::max(-x.lower, x.upper)};
}

Interval atan2(const Interval& y, const Interval& x) {
  // The cut along the negative x axis, and the origin, allow every angle.
  if (x.lower <= 0 && y.lower <= 0 && y.upper >= 0) return outward_library(-pi, pi);
  if (!bounded(x) || !bounded(y)) return outward_library(-pi, pi);
  // Elsewhere the angle is monotone along the edges of the box: its extremes are at the corners.
  const double angles[] = {std::atan2(y.lower, x.lower), std::atan2(y.lower, x.upper),
                           std::atan2(y.upper, x.lower), std::atan2(y.upper, x.upper)};
  return outward_library(*std::min_element(angles, angles + 4),
                         *std::max_element(angles, angles + 4));
}

Interval min(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
}

Interval max(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

Interval square(const Interval& x) {
  if (is_zero(x)) return 0.0;
  const Interval size = abs(x);
  const Interval range = outward(size.lower * size.lower, size.upper * size.upper);
  return {std::max(range.lower, 0.0), range.upper};
}

Interval power(const Interval& x, int n) {
  if (n == 0) return 1.0;
  if (n == 1) return x;
  if (n < 0) {
    if (x.contains(0.0)) return Interval::whole();
    // Away from 0 a negative power is monotone on each side, as |x|^n is.
    const double a = std::pow(x.lower, n);
    const double b = std::pow(x.upper, n);
    return outward_library(std::min(a, b), std::max(a, b));
  }
  if (n % 2 != 0) return outward_library(std::pow(x.lower, n), std::pow(x.upper, n));
  const Interval size = abs(x);
  const Interval range = outward_library(std::pow(size.lower, n), std::pow(size.upper, n));
  return {std::max(range.lower, 0.0), range.upper};
}

Interval power(const Interval& x, double p) {
  if (x.lower < 0 || (x.lower == 0 && p < 0)) return Interval::whole();
  const double a = std::pow(x.lower, p);
  const double b = std::pow(x.upper, p);
  const Interval range = outward_library(std::min(a, b), std::max(a, b));
  return {std::max(range.lower, 0.0), range.upper};
}

// f = |u|^p is even; f' = p |u|^(p-1) sign(u) is odd and increasing, f'' = p (p - 1) |u|^(p-2).
Interval abs_power(const Interval& x, double p) {
  return power(abs(x), p);
}

Interval abs_power_slope(const Interval& x, double p) {
  const auto at = [p](double u) {
    const Interval slope = Interval(p) * power(Interval(std::abs(u)), p - 1);
    return u < 0 ? -slope : slope;
  };
  return {at(x.lower).lower, at(x.upper).upper};
}

double power(double x, int n) {
  // The exponents that formulas of surfaces are full of.
  if (n == 2) return x * x;
  if (n == 3) return x * x * x;
  if (n == 1) return x;
  if (n == 4) return (x * x) * (x * x);
  return std::pow(x, n);
}
double power(double x, double p) {
  return std::pow(x, p);
}
double abs_power(double x, double p) {
  return std::pow(std::abs(x), p);
}
double abs_power_slope(double x, double p) {
  return std::copysign(p * std::pow(std::abs(x), p - 1), x);
}

}  // namespace abut::math
