#include "lcp/one_contact.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace abut::lcp {
namespace {

using Tangent = Eigen::Vector2d;

// The force of a contact that slips is z_N (1, mu d) with a unit vector d. w_N = 0 gives
//     z_N = -q_N / D(d),   D(d) = a_NN + mu a_NT.d,
// and w_T must be opposite to d: with V(d) = D w_T = D q_T - q_N (a_TN + mu a_TT d),
//     h(d) = (d x V) = 0,   d.V <= 0,   D > 0   (q_N < 0).
// h is a trigonometric polynomial of degree 2, so it has at most four zeros.
struct Slip {
  const PartMatrix& a;
  const Part& q;
  double mu;

  double response(const Tangent& d) const { return a(0, 0) + mu * a.row(0).tail<2>().dot(d); }
  Tangent drive(const Tangent& d) const {
    return response(d) * q.tail<2>() -
           q[0] * (a.col(0).tail<2>() + mu * (a.bottomRightCorner<2, 2>() * d));
  }
  double across(double angle) const {
    const Tangent d(std::cos(angle), std::sin(angle));
    const Tangent v = drive(d);
    return d.x() * v.y() - d.y() * v.x();
  }
  bool holds(const Tangent& d) const { return response(d) > 0 && d.dot(drive(d)) <= 0; }
  Part force(const Tangent& d) const {
    Part z;
    z << 1, mu * d;
    return -q[0] / response(d) * z;
  }
};

double slope(const Slip& slip, double angle) {
  // dV = mu a_NT.d' q_T - q_N mu a_TT d', and d(d x V) = d' x V + d x dV, d' = (-sin, cos).
  const Tangent d(std::cos(angle), std::sin(angle)), turned(-d.y(), d.x());
  const Tangent v = slip.drive(d);
  const Tangent dv = slip.mu * slip.a.row(0).tail<2>().dot(turned) * slip.q.tail<2>() -
                     slip.q[0] * slip.mu * (slip.a.bottomRightCorner<2, 2>() * turned);
  return turned.x() * v.y() - turned.y() * v.x() + d.x() * dv.y() - d.y() * dv.x();
}

// Newton's method; quadratic from a good guess.
bool refine(const Slip& slip, double& angle) {
  constexpr int most_steps = 8;
  constexpr double rounding = 4e-16;  // rad
  for (int k = 0; k < most_steps; ++k) {
    const double step = slip.across(angle) / slope(slip, angle);
    if (!(std::abs(step) < 0.5)) return false;
    angle -= step;
    if (std::abs(step) <= rounding * (1 + std::abs(angle)) || k + 1 == most_steps) return true;
    if (std::abs(step) < 1e-8) return true;  // the error is its square
  }
  return true;
}

bool solve_slip(const Slip& slip, const Tangent& guess, Part& z) {
  if (guess != Tangent::Zero()) {
    double angle = std::atan2(guess.y(), guess.x());
    if (refine(slip, angle)) {
      const Tangent d(std::cos(angle), std::sin(angle));
      if (slip.holds(d)) {
        z = slip.force(d);
        return true;
      }
    }
  }
  // Zeros between samples are found by bisection; two zeros nearer than this are a double one, at
  // which slip and stick or open meet.
  constexpr int samples = 32;
  constexpr double width = 2 * std::numbers::pi / samples;
  double left = 0, at_left = slip.across(0);
  for (int k = 1; k <= samples; ++k) {
    const double right = k * width, at_right = slip.across(right);
    if ((at_left <= 0) != (at_right <= 0) || at_left == 0) {
      double low = left, high = right, angle = left;
      for (int b = 0; b < 8; ++b) {
        angle = 0.5 * (low + high);
        ((slip.across(angle) <= 0) == (at_left <= 0) ? low : high) = angle;
      }
      refine(slip, angle);
      const Tangent d(std::cos(angle), std::sin(angle));
      if (slip.holds(d)) {
        z = slip.force(d);
        return true;
      }
    }
    left = right;
    at_left = at_right;
  }
  return false;
}

bool solve_planar(const ConeBlock& block, const PartMatrix& a, const Part& q, Part& z) {
  const double mu = block.friction;
  const double determinant = a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
  if (determinant > 0) {
    z << (-q[0] * a(1, 1) + q[1] * a(0, 1)) / determinant,
        (-q[1] * a(0, 0) + q[0] * a(1, 0)) / determinant, 0;
    if (std::abs(z[1]) <= mu * z[0]) return true;
  }
  const Slip slip{a, q, mu};
  for (const double side : {1.0, -1.0}) {
    if (!slip.holds(side * Tangent::UnitX())) continue;
    z = slip.force(side * Tangent::UnitX());
    return true;
  }
  return false;
}

}  // namespace

bool solve_alone(const ConeBlock& block, const PartMatrix& a, const Part& q, const Part& guess,
                 Part& z) {
  z = Part::Zero();
  if (!block.is_contact()) {
    z[0] = a(0, 0) > 0 ? -q[0] / a(0, 0) : guess[0];
    z[0] = std::min(std::max(z[0], block.lower), block.upper);
    return a(0, 0) > 0;
  }
  if (q[0] >= 0) return true;
  if (!(a(0, 0) > 0)) {
    z = guess;
    return false;
  }
  if (block.rows == 2) {
    if (solve_planar(block, a, q, z)) return true;
  } else {
    const Part stuck = -(a.inverse() * q);
    if (stuck.tail<2>().norm() <= block.friction * stuck[0]) {
      z = stuck;
      return true;
    }
    if (solve_slip({a, q, block.friction}, guess.tail<2>(), z)) return true;
  }
  z = guess;
  return false;
}

}  // namespace abut::lcp
