#include "math/spline.h"

namespace abut::math {

// Continuity of the second derivative at knot i between spans h_(i-1) and h_i with slopes m and
// secants d:   h_i m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_(i-1) m_(i+1) = 3 (h_i d_(i-1) + h_(i-1)
// d_i), and at the ends 2 m_0 + m_1 = 3 d_0, m_(n-1) + 2 m_n = 3 d_(n-1). The matrix is strictly
// diagonally dominant, so elimination without pivoting (Thomas) is stable.
std::vector<Vec3> natural_spline_slopes(const std::vector<double>& spans,
                                        const std::vector<Vec3>& increments) {
  const std::size_t n = spans.size();
  std::vector<double> lower(n + 1, 0), diagonal(n + 1), upper(n + 1, 0);
  std::vector<Vec3> right(n + 1);
  const auto secant = [&](std::size_t i) -> Vec3 { return increments[i] / spans[i]; };

  diagonal[0] = diagonal[n] = 2;
  upper[0] = lower[n] = 1;
  right[0] = 3 * secant(0);
  right[n] = 3 * secant(n - 1);
  for (std::size_t i = 1; i < n; ++i) {
    lower[i] = spans[i];
    diagonal[i] = 2 * (spans[i - 1] + spans[i]);
    upper[i] = spans[i - 1];
    right[i] = 3 * (spans[i] * secant(i - 1) + spans[i - 1] * secant(i));
  }

  for (std::size_t i = 1; i <= n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  right[n] /= diagonal[n];
  for (std::size_t i = n; i-- > 0;) right[i] = (right[i] - upper[i] * right[i + 1]) / diagonal[i];
  return right;
}

}  // namespace abut::math
