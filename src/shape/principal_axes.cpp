// Principal axes by Jacobi's method: rotate in one coordinate plane after the other, each time by
// the angle of at most 45 degrees that makes the entry of that plane zero. Rotations by small
// angles keep the axes close to the given ones, and a diagonal matrix is left alone.
//
// In the plane (p, q) the angle satisfies cot(2 phi) = theta = (a_qq - a_pp) / (2 a_pq), and
// t = tan(phi) is the smaller root of t^2 + 2 theta t - 1 = 0. Then a_pp loses t a_pq, a_qq gains
// it, and a_pq becomes zero (Golub and Van Loan, Matrix Computations, section 8.5).

#include <cmath>
#include <limits>

#include "shape/moments.h"

namespace abut::shape {
namespace {

/// More than enough: convergence is quadratic, and four to five sweeps reach full precision.
constexpr int most_sweeps = 50;

/// An entry this small relative to its two diagonal entries changes nothing in double precision
/// (dimensionless): it would move the moments by its square.
constexpr double negligible = std::numeric_limits<double>::epsilon() / 8;

bool is_negligible(const Mat3& a, int p, int q) {
  return std::abs(a(p, q)) <=
         negligible * std::sqrt(std::abs(a(p, p))) * std::sqrt(std::abs(a(q, q)));
}

void rotate(Mat3& a, Mat3& axes, int p, int q) {
  const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const double magnitude = 1 / (std::abs(theta) + std::hypot(theta, 1.0));
  const double t = theta < 0 ? -magnitude : magnitude;
  const double c = 1 / std::hypot(t, 1.0);
  const double s = t * c;
  const int other = 3 - p - q;
  a(p, p) -= t * a(p, q);
  a(q, q) += t * a(p, q);
  a(p, q) = a(q, p) = 0;
  const double ap = a(other, p);
  const double aq = a(other, q);
  a(other, p) = a(p, other) = c * ap - s * aq;
  a(other, q) = a(q, other) = s * ap + c * aq;
  const Vec3 column_p = axes.col(p);
  const Vec3 column_q = axes.col(q);
  axes.col(p) = c * column_p - s * column_q;
  axes.col(q) = s * column_p + c * column_q;
}

}  // namespace

PrincipalAxes principal_axes(const Mat3& inertia) {
  // Scaled, so that squares of tiny and huge entries stay in range.
  const double scale = inertia.cwiseAbs().maxCoeff();
  if (!(scale > 0) || !std::isfinite(scale))
    return PrincipalAxes{inertia.diagonal(), Quat::Identity()};
  Mat3 a = inertia / scale;
  a = ((a + a.transpose()) / 2).eval();

  Mat3 axes = Mat3::Identity();
  bool rotated = true;
  bool any_rotation = false;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (const auto& [p, q] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
      if (is_negligible(a, p, q)) continue;
      rotate(a, axes, p, q);
      rotated = any_rotation = true;
    }
  }
  if (!any_rotation) return PrincipalAxes{inertia.diagonal(), Quat::Identity()};
  // A product of rotations: orthonormal up to rounding and of determinant +1.
  return PrincipalAxes{a.diagonal() * scale, Quat(axes).normalized()};
}

}  // namespace abut::shape
