#pragma once
// An integrator that shares nothing with the one under test: extrapolation of the modified midpoint
// rule (Gragg, Bulirsch, Stoer) with a fixed step and fixed order.

#include <Eigen/Core>
#include <array>

namespace abut::test {

/// y after `duration` for y' = f(t, y), in `steps` equal steps of order 16.
template <class F>
Eigen::VectorXd reference_solution(const F& f, Eigen::VectorXd y, double duration, int steps) {
  constexpr int columns = 8;
  const double h = duration / steps;
  for (int step = 0; step < steps; ++step) {
    const double t = step * h;
    std::array<Eigen::VectorXd, columns> table;
    for (int k = 0; k < columns; ++k) {
      const int n = 2 * (k + 1);
      const double s = h / n;
      Eigen::VectorXd before = y, now = y + s * f(t, y);
      for (int i = 1; i < n; ++i) {
        const Eigen::VectorXd next = before + 2 * s * f(t + i * s, now);
        before = now;
        now = next;
      }
      table[k] = 0.5 * (before + now + s * f(t + h, now));
      // The error has even powers of s only: Aitken and Neville, towards s = 0.
      for (int j = k - 1; j >= 0; --j) {
        const double ratio = double(k + 1) / (j + 1);
        table[j] = table[j + 1] + (table[j + 1] - table[j]) / (ratio * ratio - 1);
      }
    }
    y = table[0];
  }
  return y;
}

}  // namespace abut::test
