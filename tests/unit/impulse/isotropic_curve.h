#pragma once
// An impact whose slip turns, in closed form.

#include <cmath>

#include "abut/types.h"

namespace abut::test {

/// The curve of a point that yields alike in all tangents, T = t I, coupled along the first: with m
/// = mu t, n = m / c and x = tan(theta / 2) the equations are elementary,
///     v = K x^n / sin theta,   p = K / (2 c) [x^(n-1) / (n-1) + x^(n+1) / (n+1)] from x to x0,
///     integral of v dp = K^2 / (4 c) [x^(2n-2) / (2n-2) + x^(2n) / n + x^(2n+2) / (2n+2)],
/// and the rest follows from the momenta and the energy. x falls from x0, to 0 if n > 1: slip
/// stops.
struct IsotropicCurve {
  double w, c, t, mu;
  Vec3 before;
  double n, x0, k;

  IsotropicCurve(double w_, double c_, double t_, double mu_, const Vec3& before_)
      : w(w_), c(c_), t(t_), mu(mu_), before(before_), n(mu * t / c) {
    const double theta = std::atan2(before[2], before[1]);
    x0 = std::tan(0.5 * theta);
    k = std::hypot(before[1], before[2]) * std::sin(theta) / std::pow(x0, n);
  }
  double normal_impulse(double x) const {
    const auto f = [&](double y) {
      return std::pow(y, n - 1) / (n - 1) + std::pow(y, n + 1) / (n + 1);
    };
    return k / (2 * c) * (f(x0) - f(x));
  }
  Vec3 impulse(double x) const {
    // v cos theta and v sin theta, in a way that holds at x = 0 too.
    const Eigen::Vector2d slip =
        k * Eigen::Vector2d(0.5 * std::pow(x, n - 1) * (1 - x * x), std::pow(x, n));
    const double p = normal_impulse(x);
    const Eigen::Vector2d r = (slip - before.tail<2>() - c * p * Eigen::Vector2d(1, 0)) / t;
    return {p, r.x(), r.y()};
  }
  double normal_speed(double x) const {
    const Vec3 r = impulse(x);
    return before[0] + w * r[0] + c * r[1];
  }
  double normal_work(double x) const {
    const auto f = [&](double y) {
      return std::pow(y, 2 * n - 2) / (2 * n - 2) + std::pow(y, 2 * n) / n +
             std::pow(y, 2 * n + 2) / (2 * n + 2);
    };
    const Vec3 r = impulse(x);
    const Vec3 change(w * r[0] + c * r[1], c * r[0] + t * r[1], t * r[2]);
    return r.dot(before + 0.5 * change) + mu * k * k / (4 * c) * (f(x0) - f(x));
  }
  /// Where f, negative at x = high, becomes positive; 0 if it does not.
  template <class F>
  static double falling_root(const F& f, double high) {
    double low = 0;
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (low + high);
      (f(middle) > 0 ? low : high) = middle;
    }
    return low;
  }
  /// The impulse of the impact.
  Vec3 whole(double e) const {
    const double kept = 1 - e * e;
    const double end = falling_root([&](double x) { return normal_speed(x); }, x0);
    if (end == 0) return after_stop(0, e);
    if (e == 0) return impulse(end);
    const double deepest = normal_work(end);
    const double over =
        falling_root([&](double x) { return normal_work(x) - kept * deepest; }, end);
    return over > 0 ? impulse(over) : after_stop(deepest, e);
  }
  /// Slip stops at x = 0, and sticks; `deepest` is the work of compression if that has ended.
  Vec3 after_stop(double deepest, double e) const {
    const double u = normal_speed(0), rate = w - c * c / t, work = normal_work(0);
    const double least = deepest < 0 ? deepest : work - 0.5 * u * u / rate;
    // From u to the end the work is (end^2 - u^2) / (2 rate).
    const double square = u * u + 2 * rate * ((1 - e * e) * least - work);
    const double end = e > 0 ? std::sqrt(square) : 0;
    return impulse(0) + (end - u) / rate * Vec3(1, -c / t, 0);
  }
};

}  // namespace abut::test
