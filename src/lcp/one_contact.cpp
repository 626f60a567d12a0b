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
  double across(const Tangent& d) const {
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

struct Turn {
  double across, slope;  // h, and dh by the angle of d
};

/// With d' = (-d_y, d_x) and dV = mu (a_NT.d') q_T - q_N mu a_TT d', dh is d' x V + d x dV.
Turn turn_at(const Slip& slip, const Tangent& d) {
  const Tangent turned(-d.y(), d.x());
  const Tangent v = slip.drive(d);
  const Tangent dv = slip.mu * (slip.a.row(0).tail<2>().dot(turned) * slip.q.tail<2>() -
                                slip.q[0] * (slip.a.bottomRightCorner<2, 2>() * turned));
  return {d.x() * v.y() - d.y() * v.x(),
          turned.x() * v.y() - turned.y() * v.x() + d.x() * dv.y() - d.y() * dv.x()};
}

/// Newton's method; quadratic from a good guess. False if it runs away.
bool refine(const Slip& slip, Tangent& d) {
  constexpr int most_steps = 8;
  constexpr double longest = 0.5;     // rad
  constexpr double converged = 1e-8;  // rad; the error left is its square
  for (int k = 0; k < most_steps; ++k) {
    const Turn now = turn_at(slip, d);
    const double turn = -now.across / now.slope;
    if (!(std::abs(turn) < longest)) return false;
    d = (d + turn * Tangent(-d.y(), d.x())).normalized();
    if (std::abs(turn) < converged) return true;
  }
  return true;
}

bool try_direction(const Slip& slip, const Tangent& guess, Part& z) {
  const double length = guess.norm();
  if (!(length > 0)) return false;
  Tangent d = guess / length;
  if (!refine(slip, d) || !slip.holds(d)) return false;
  z = slip.force(d);
  return true;
}

/// Zeros of h between samples. Two of them nearer than samples are a double one, but for rounding:
/// there slip is about to become something else.
bool search_directions(const Slip& slip, Part& z) {
  constexpr int samples = 32, bisections = 8;
  const auto direction = [](double angle) { return Tangent(std::cos(angle), std::sin(angle)); };
  constexpr double width = 2 * std::numbers::pi / samples;
  bool was_negative = slip.across(direction(0)) <= 0;
  for (int k = 1; k <= samples; ++k) {
    double low = (k - 1) * width, high = k * width;
    const bool is_negative = slip.across(direction(high)) <= 0;
    if (is_negative != was_negative) {
      for (int b = 0; b < bisections; ++b) {
        const double middle = 0.5 * (low + high);
        ((slip.across(direction(middle)) <= 0) == was_negative ? low : high) = middle;
      }
      if (try_direction(slip, direction(0.5 * (low + high)), z)) return true;
    }
    was_negative = is_negative;
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

bool solve_contact(double friction, const PartMatrix& a, const PartMatrix& inverse, const Part& q,
                   const Part& guess, Part& z) {
  z = Part::Zero();
  if (q[0] >= 0) return true;
  if (a(0, 0) > 0) {
    const Part stuck = -(inverse * q);
    if (stuck.tail<2>().norm() <= friction * stuck[0]) {
      z = stuck;
      return true;
    }
    const Slip slip{a, q, friction};
    if (try_direction(slip, guess.tail<2>(), z)) return true;
    if (try_direction(slip, stuck.tail<2>(), z)) return true;
    if (search_directions(slip, z)) return true;
  }
  z = guess;
  return false;
}

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
  if (block.rows != 2) return solve_contact(block.friction, a, a.inverse(), q, guess, z);
  if (solve_planar(block, a, q, z)) return true;
  z = guess;
  return false;
}

}  // namespace abut::lcp
