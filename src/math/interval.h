#pragma once
// Intervals with outward rounding: every operation returns an interval that contains the result
// for all choices of arguments, both the exact result and the one computed in double precision.
//
// The basic operations are correctly rounded, so one unit in the last place outwards encloses them;
// an end that is exact stays.
// The elementary functions of the C library are not; see `library_error_ulps`. Where an operation
// is undefined for a part of its arguments (division by an interval that contains 0, root or
// logarithm of a partly negative one) the result is the whole line.

#include <bit>
#include <cstdint>
#include <limits>

namespace abut::math {

struct Interval {
  double lower = 0;
  double upper = 0;

  Interval() = default;
  Interval(double point) : lower(point), upper(point) {}  // numbers are intervals of width zero
  Interval(double lower_end, double upper_end) : lower(lower_end), upper(upper_end) {}

  static Interval whole() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  bool contains(double x) const { return lower <= x && x <= upper; }
  bool contains(const Interval& x) const { return lower <= x.lower && x.upper <= upper; }
  double width() const { return upper - lower; }
  /// The largest absolute value in the interval.
  double magnitude() const { return -lower > upper ? -lower : upper; }
};

/// How far the C library's elementary functions may be off, in units in the last place. The
/// documented bounds of glibc for the functions used here are 3 or less on every platform.
inline constexpr int library_error_ulps = 4;

/// The next double above x. NaN becomes +infinity, so that an undefined bound is no bound.
inline double next_up(double x) {
  if (!(x < std::numeric_limits<double>::infinity())) {
    return std::numeric_limits<double>::infinity();
  }
  if (x == 0) return std::numeric_limits<double>::denorm_min();
  const auto bits = std::bit_cast<std::int64_t>(x);
  return std::bit_cast<double>(x > 0 ? bits + 1 : bits - 1);
}

/// The next double below x. NaN becomes -infinity.
inline double next_down(double x) {
  return -next_up(-x);
}

inline bool is_zero(double x) {
  return x == 0;
}
inline bool is_zero(const Interval& x) {
  return x.lower == 0 && x.upper == 0;
}

Interval hull(const Interval& a, const Interval& b);

Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);

Interval sqrt(const Interval& x);
Interval exp(const Interval& x);
Interval log(const Interval& x);
Interval sin(const Interval& x);
Interval cos(const Interval& x);
Interval tan(const Interval& x);
Interval asin(const Interval& x);
Interval acos(const Interval& x);
Interval atan(const Interval& x);
Interval sinh(const Interval& x);
Interval cosh(const Interval& x);
Interval tanh(const Interval& x);
Interval abs(const Interval& x);
Interval atan2(const Interval& y, const Interval& x);
Interval min(const Interval& a, const Interval& b);
Interval max(const Interval& a, const Interval& b);

/// x^2, tighter than x * x where x contains 0.
Interval square(const Interval& x);
inline double square(double x) {
  return x * x;
}

/// x^n for a whole number n of either sign, and x^p for any p, where x must not be negative.
Interval power(const Interval& x, int n);
Interval power(const Interval& x, double p);
double power(double x, int n);
double power(double x, double p);

/// |x|^p and its derivative for a constant p > 1.
Interval abs_power(const Interval& x, double p);
Interval abs_power_slope(const Interval& x, double p);
double abs_power(double x, double p);
double abs_power_slope(double x, double p);

}  // namespace abut::math
