#pragma once
// The exact twin of geometry/moving_contact.h: decides without rounding whether points, edges and
// triangles in linear motion meet during [0, 1], and when they do first.
//
// A triangle w_i(t) contains the origin at t if and only if certain polynomials in t have certain
// signs. The times at which it does form a closed set, and between zeros of those polynomials the
// answer is constant. So it is enough to ask at their zeros, and at 0 and 1; and where the
// coplanarity cubic is not identically zero, at its zeros alone. Signs at an irrational root are
// decided by common divisors and by refining the root's interval.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/moving_contact.h"
#include "support/exact_polynomial.h"

namespace abut::test {

/// An enclosure of the time of first contact, narrower than 2^-60; empty if there is none.
struct ExactContact {
  double lower = 0;
  double upper = 0;
};

namespace exact {

using Vector = std::array<Polynomial, 3>;  // each coordinate a polynomial in t
using Corners = std::array<Vector, 3>;

inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Polynomial dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector difference(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// x 2^shift as a whole number; the shift must be large enough.
inline mpz_class scaled_integer(double x, int shift) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  mpz_class whole(std::ldexp(fraction, 53));
  const int rest = exponent - 53 + shift;
  if (rest >= 0) return whole << static_cast<unsigned>(rest);
  return whole >> static_cast<unsigned>(-rest);
}

/// The power of two that makes all coordinates whole.
template <class Points>
int whole_shift(const Points& points) {
  int shift = 0;
  for (const geometry::MovingPoint& p : points) {
    for (const Vec3& x : {p.start, p.end}) {
      for (int k = 0; k < 3; ++k) {
        if (x[k] == 0) continue;
        double rest = std::abs(x[k]);
        int least = std::ilogb(rest) - 52;  // exponent of the last bit of the format
        while (std::ldexp(rest, -least - 1) == std::floor(std::ldexp(rest, -least - 1))) ++least;
        shift = std::max(shift, -least);
      }
    }
  }
  return shift;
}

inline Vector position(const geometry::MovingPoint& p, int shift) {
  Vector x;
  for (int k = 0; k < 3; ++k) {
    const mpz_class start = scaled_integer(p.start[k], shift);
    x[static_cast<std::size_t>(k)] =
        Polynomial({start, mpz_class(scaled_integer(p.end[k], shift) - start)});
  }
  return x;
}

/// Whether the origin is on the segment between two corners at the root: they are parallel and do
/// not point to the same side.
inline bool on_segment(const Vector& a, const Vector& b, Root& t) {
  for (const Polynomial& component : cross(a, b)) {
    if (t.sign_of(component) != 0) return false;
  }
  return t.sign_of(dot(a, b)) <= 0;
}

/// Whether the triangle contains the origin at t, given that they are in one plane then. Seen along
/// an axis in which the triangle has area, the origin must be on one side of all three edges; a
/// triangle without area is the union of its edges.
inline bool contains_origin(const Corners& w, Root& t) {
  const Vector normal = cross(difference(w[1], w[0]), difference(w[2], w[0]));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (t.sign_of(normal[axis]) == 0) continue;
    bool left = false, right = false;
    for (std::size_t i = 0; i < 3; ++i) {
      const int side = t.sign_of(cross(w[i], w[(i + 1) % 3])[axis]);
      left = left || side > 0;
      right = right || side < 0;
    }
    return !(left && right);
  }
  return on_segment(w[0], w[1], t) || on_segment(w[1], w[2], t) || on_segment(w[2], w[0], t);
}

/// The zeros in [0, 1] at which the answer may change if the motion stays in a plane through 0.
inline std::vector<Root> critical_times(const Corners& w) {
  std::vector<Root> times{Root(Dyadic{0, 0}), Root(Dyadic{1, 0})};
  std::vector<Polynomial> conditions;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    for (const Polynomial& c : cross(w[i], w[j])) conditions.push_back(c);
    conditions.push_back(dot(w[i], w[j]));
  }
  const Vector normal = cross(difference(w[1], w[0]), difference(w[2], w[0]));
  for (const Polynomial& c : normal) conditions.push_back(c);
  for (const Polynomial& condition : conditions) {
    for (Root& root : roots_in_unit_interval(condition)) times.push_back(std::move(root));
  }
  return times;
}

inline std::optional<ExactContact> first_contact(const Corners& w) {
  const Polynomial plane = dot(w[0], cross(w[1], w[2]));
  std::vector<Root> times = plane.zero() ? critical_times(w) : roots_in_unit_interval(plane);
  std::optional<ExactContact> first;
  for (Root& t : times) {
    if (!contains_origin(w, t)) continue;
    t.refine_to_width(0x1p-60);
    if (!first || t.upper() < first->upper) first = {t.lower(), t.upper()};
  }
  return first;
}

}  // namespace exact

inline std::optional<ExactContact> exact_point_meets_triangle(
    const geometry::MovingPoint& point, const std::array<geometry::MovingPoint, 3>& triangle) {
  const std::array all{point, triangle[0], triangle[1], triangle[2]};
  const int shift = exact::whole_shift(all);
  const exact::Vector p = exact::position(point, shift);
  exact::Corners w;
  for (std::size_t i = 0; i < 3; ++i) {
    w[i] = exact::difference(exact::position(triangle[i], shift), p);
  }
  return exact::first_contact(w);
}

/// The differences of the edges' points fill a parallelogram: two triangles.
inline std::optional<ExactContact> exact_edge_meets_edge(
    const std::array<geometry::MovingPoint, 2>& a, const std::array<geometry::MovingPoint, 2>& b) {
  const std::array all{a[0], a[1], b[0], b[1]};
  const int shift = exact::whole_shift(all);
  const auto corner = [&](std::size_t i, std::size_t j) {
    return exact::difference(exact::position(a[i], shift), exact::position(b[j], shift));
  };
  const auto one = exact::first_contact({corner(0, 0), corner(1, 0), corner(1, 1)});
  const auto two = exact::first_contact({corner(0, 0), corner(1, 1), corner(0, 1)});
  if (!one || !two) return one ? one : two;
  return one->upper < two->upper ? one : two;
}

}  // namespace abut::test
