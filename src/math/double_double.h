#pragma once
// Numbers of twice the digits of a double, as the unevaluated sum of two: for residuals in which
// nearly all digits cancel.
//
// The algorithms are Dekker's (Numerische Mathematik 18, 1971, p. 224) with a fused multiplication:
// sums are exact to 2^-104 unless they cancel, products, quotients and roots to a few 2^-104.

#include <array>
#include <cmath>

#include "abut/types.h"

namespace abut::math {

struct DoubleDouble {
  double high = 0, low = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}  // NOLINT(google-explicit-constructor)
  constexpr DoubleDouble(double h, double l) : high(h), low(l) {}
  explicit operator double() const { return high + low; }

  /// large + small exactly, for |large| >= |small|.
  static DoubleDouble from_ordered(double large, double small) {
    const double sum = large + small;
    return {sum, small - (sum - large)};
  }
  static DoubleDouble sum_of(double x, double y) {
    const double sum = x + y, part = sum - x;
    return {sum, (x - (sum - part)) + (y - part)};
  }

  DoubleDouble operator-() const { return {-high, -low}; }
  friend DoubleDouble operator+(const DoubleDouble& x, const DoubleDouble& y) {
    const DoubleDouble upper = sum_of(x.high, y.high), lower = sum_of(x.low, y.low);
    const DoubleDouble partly = from_ordered(upper.high, upper.low + lower.high);
    return from_ordered(partly.high, partly.low + lower.low);
  }
  friend DoubleDouble operator-(const DoubleDouble& x, const DoubleDouble& y) { return x + -y; }
  friend DoubleDouble operator*(const DoubleDouble& x, const DoubleDouble& y) {
    const double product = x.high * y.high;
    const double rest = std::fma(x.high, y.high, -product) + (x.high * y.low + x.low * y.high);
    return from_ordered(product, rest);
  }
  friend DoubleDouble operator/(const DoubleDouble& x, const DoubleDouble& y) {
    const double first = x.high / y.high;
    const DoubleDouble rest = x - y * first;
    return from_ordered(first, rest.high / y.high);
  }
  friend DoubleDouble sqrt(const DoubleDouble& x) {
    if (!(x.high > 0)) return {};
    const double first = std::sqrt(x.high);
    const DoubleDouble rest = x - DoubleDouble(first) * first;
    return from_ordered(first, rest.high / (2 * first));
  }
};

/// A vector of them.
struct LongVec3 {
  std::array<DoubleDouble, 3> x;

  LongVec3() = default;
  explicit LongVec3(const Vec3& v) : x{v.x(), v.y(), v.z()} {}
  LongVec3(const DoubleDouble& a, const DoubleDouble& b, const DoubleDouble& c) : x{a, b, c} {}
  Vec3 rounded() const { return {double(x[0]), double(x[1]), double(x[2])}; }

  friend LongVec3 operator+(const LongVec3& a, const LongVec3& b) {
    return {a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]};
  }
  friend LongVec3 operator-(const LongVec3& a, const LongVec3& b) {
    return {a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]};
  }
  friend LongVec3 operator*(const DoubleDouble& s, const LongVec3& v) {
    return {s * v.x[0], s * v.x[1], s * v.x[2]};
  }
  DoubleDouble dot(const LongVec3& b) const {
    return x[0] * b.x[0] + x[1] * b.x[1] + x[2] * b.x[2];
  }
  LongVec3 normalized() const { return (DoubleDouble(1) / sqrt(dot(*this))) * *this; }
};

/// A rotation, from a quaternion that is of unit length only to the digits of a double.
class LongRotation {
 public:
  explicit LongRotation(const Quat& q) {
    const DoubleDouble w = q.w(), x = q.x(), y = q.y(), z = q.z();
    const DoubleDouble two = DoubleDouble(2) / (w * w + x * x + y * y + z * z);
    columns_ = {LongVec3(DoubleDouble(1) - two * (y * y + z * z), two * (x * y + w * z),
                         two * (x * z - w * y)),
                LongVec3(two * (x * y - w * z), DoubleDouble(1) - two * (x * x + z * z),
                         two * (y * z + w * x)),
                LongVec3(two * (x * z + w * y), two * (y * z - w * x),
                         DoubleDouble(1) - two * (x * x + y * y))};
  }
  /// After the map m of the frame that is turned.
  LongRotation after(const Mat3& m) const {
    LongRotation result = *this;
    for (int i = 0; i < 3; ++i)
      result.columns_[static_cast<std::size_t>(i)] = *this * LongVec3(m.col(i));
    return result;
  }
  LongVec3 operator*(const LongVec3& v) const {
    return v.x[0] * columns_[0] + v.x[1] * columns_[1] + v.x[2] * columns_[2];
  }
  LongVec3 inverse(const LongVec3& v) const {
    return {columns_[0].dot(v), columns_[1].dot(v), columns_[2].dot(v)};
  }

 private:
  std::array<LongVec3, 3> columns_;
};

}  // namespace abut::math
