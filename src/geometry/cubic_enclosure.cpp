#include "geometry/cubic_enclosure.h"

#include <algorithm>
#include <cmath>

namespace abut::geometry {

namespace {

/// The crossings below are quotients of sums: half a dozen roundings each, of numbers up to 1.
constexpr double crossing_slack = 0x1p-48;

/// The first crossing of zero by a chord between two control points of opposite sign, for values
/// that start positive.
///
/// The graph of a polynomial lies in the convex hull of its control points (i/3, value_i). The part
/// of the hull on the axis ends where an edge of the hull crosses it, and every edge is a chord.
double first_crossing(const std::array<double, 4>& value) {
  double first = 2;  // beyond the range: no crossing
  for (int i = 0; i < 4; ++i) {
    if (!(value[i] > 0)) continue;
    for (int j = i + 1; j < 4; ++j) {
      if (value[j] > 0) continue;
      first = std::min(first, (i + (j - i) * (value[i] / (value[i] - value[j]))) / 3);
    }
  }
  return first;
}

/// A lower bound of the first zero if the cubic starts beyond the error on either side, else 0.
double first_possible_zero(const std::array<double, 4>& c, double error) {
  const double side = c[0] > 0 ? 1 : -1;
  if (!(side * c[0] > error)) return 0;
  std::array<double, 4> nearest;
  for (int i = 0; i < 4; ++i) nearest[i] = side * c[i] - error;
  return std::max(0.0, first_crossing(nearest) - crossing_slack);
}

}  // namespace

// first_crossing looks at chords from a positive control point to a later one that is not. A chord
// from a non-positive point to a later positive one crosses no earlier than the chord from the
// start, which is positive, to that non-positive point ends.
UnitRange zeros_of_cubic(const std::array<double, 4>& c, double error) {
  for (const double x : c) {
    if (!std::isfinite(x)) return {};
  }
  const double from = first_possible_zero(c, error);
  if (from > 1) return {1, 0};
  return {from, 1 - first_possible_zero({c[3], c[2], c[1], c[0]}, error)};
}

}  // namespace abut::geometry
