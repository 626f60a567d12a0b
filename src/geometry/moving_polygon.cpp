#include "geometry/moving_polygon.h"

#include <algorithm>
#include <cmath>

#include "geometry/cubic_enclosure.h"
#include "geometry/distance_point.h"

namespace abut::geometry {

namespace {

// Let w_i(t) = (1 - t) w_i(0) + t w_i(1) be the corners, in order. The search examines intervals
// [from, to] of time, the earliest first. Three facts, each a statement about polynomials in t and
// hence about their Bernstein coefficients over the interval, prove that the polygon does not
// contain the origin at any time within:
//
//   direction   d.w_i > 0 for all i and one fixed d. Linear: the two ends decide.
//   sides       d.(w_i x w_j) > 0 and d.(w_k x w_l) < 0 for two sides (i, j), (k, l) and one fixed
//   d.
//               Seen along d, the polygon leaves the origin to the left of one side and to the
//               right of another. Quadratic.
//   plane       det(w_0, w_1, w_2) has no zero: the origin is not in the polygon's plane. Cubic
//               (in t; the quintic of Moore and Wilhelms 1988, 2.1, contains two factors that come
//               from its elimination). Its zeros also narrow the interval.
//
// Why "sides" holds for polygons without area too: seen along d, if 0 = sum m_i w_i with m_i >= 0,
// sum m_i = 1, and the w_i are collinear, then they are collinear with 0 and all products vanish.
//
// And one fact proves a contact: if det changes its sign over the interval, and all sides leave the
// origin strictly to the same side over the whole interval, the polygon contains the origin when
// det is zero.
//
// Rounding. Coordinates are scaled by a power of two so that none exceeds 1; let u = 2^-53. A
// computed w(t) is off by at most 5 u per coordinate: u in the data, and one u each for 1 - t,
// the products together, and the sum, rounded up. With m an upper bound of the coordinates at both
// ends of the interval (including these 5 u), products of such vectors are off by:
//   d.w            |d|_1 (5 u + 3 u m)                                            <= 10 u |d|_1
//   d.(v x w)      |d|_1 (2 (2 m 5 u) + 4 u m^2 + 2 u m^2 + 6 u m^2)              <= 40 u m |d|_1
//   det(v, w, x)   6 (3 m^2 5 u) + 12 u m^3 + 18 u m^3 + 20 u m^3                 <= 160 u m^2
// where the middle terms are the cross product, the mean of mixed products, and the final sum.
constexpr double u = 0x1p-53;
constexpr double corner_error = 5 * u;
constexpr double direction_error = 10 * u;
constexpr double side_error = 40 * u;
constexpr double plane_error = 160 * u;

/// Directions shorter than this (in scaled coordinates) are not used, so that products with them
/// do not underflow.
constexpr double shortest_direction = 1e-100;

/// An interval that its cubic narrows to less than this fraction is not divided as well.
constexpr double worthwhile_narrowing = 0.6;

template <int Corners>
struct Sweep {
  std::array<Vec3, Corners> from;  ///< corners at the start of the interval
  std::array<Vec3, Corners> to;    ///< and at its end
  double size = 0;                 ///< m above
};

struct TimeInterval {
  double from = 0;
  double to = 1;
  double width() const { return to - from; }
};

enum class SideVerdict { unknown, outside, inside };

template <int Corners>
bool separates(const Vec3& d, const Sweep<Corners>& sweep) {
  const double size = d.cwiseAbs().sum();
  if (!(size > shortest_direction)) return false;
  double lowest = d.dot(sweep.from[0]);
  double highest = lowest;
  for (int i = 0; i < Corners; ++i) {
    const double a = d.dot(sweep.from[i]);
    const double b = d.dot(sweep.to[i]);
    lowest = std::min({lowest, a, b});
    highest = std::max({highest, a, b});
  }
  return lowest > direction_error * size || highest < -direction_error * size;
}

template <int Corners>
bool an_axis_separates(const Sweep<Corners>& sweep) {
  Vec3 lowest = sweep.from[0].cwiseMin(sweep.to[0]);
  Vec3 highest = sweep.from[0].cwiseMax(sweep.to[0]);
  for (int i = 1; i < Corners; ++i) {
    lowest = lowest.cwiseMin(sweep.from[i].cwiseMin(sweep.to[i]));
    highest = highest.cwiseMax(sweep.from[i].cwiseMax(sweep.to[i]));
  }
  return lowest.maxCoeff() > direction_error || highest.minCoeff() < -direction_error;
}

template <int Corners>
SideVerdict compare_sides(const Vec3& d, const Sweep<Corners>& sweep) {
  const double size = d.cwiseAbs().sum();
  if (!(size > shortest_direction)) return SideVerdict::unknown;
  const double error = side_error * sweep.size * size;
  int left = 0, right = 0;
  for (int i = 0; i < Corners; ++i) {
    const int j = (i + 1) % Corners;
    const double c0 = d.dot(sweep.from[i].cross(sweep.from[j]));
    const double c1 =
        d.dot(sweep.from[i].cross(sweep.to[j]) + sweep.to[i].cross(sweep.from[j])) / 2;
    const double c2 = d.dot(sweep.to[i].cross(sweep.to[j]));
    if (c0 > error && c1 > error && c2 > error) ++left;
    if (c0 < -error && c1 < -error && c2 < -error) ++right;
  }
  if (left > 0 && right > 0) return SideVerdict::outside;
  return left == Corners || right == Corners ? SideVerdict::inside : SideVerdict::unknown;
}

/// Bernstein coefficients of det(w_0, w_1, w_3) for parallelograms, det(w_0, w_1, w_2) for
/// triangles: w_2 = w_1 + w_3 - w_0 in a parallelogram, so any three corners will do.
template <int Corners>
std::array<double, 4> plane_cubic(const Sweep<Corners>& sweep) {
  const Vec3 &a = sweep.from[0], &b = sweep.from[1], &c = sweep.from[Corners - 1];
  const Vec3 &p = sweep.to[0], &q = sweep.to[1], &r = sweep.to[Corners - 1];
  const Vec3 bc = b.cross(c), qr = q.cross(r);
  const Vec3 mixed = b.cross(r) + q.cross(c);
  return {a.dot(bc), (p.dot(bc) + a.dot(mixed)) / 3, (p.dot(mixed) + a.dot(qr)) / 3, p.dot(qr)};
}

/// The point of the polygon closest to the origin, half way through the interval.
template <int Corners>
Vec3 closest_half_way(const std::array<Vec3, Corners>& middle) {
  PointDistance best = distance_point_triangle(Vec3::Zero(), {middle[0], middle[1], middle[2]});
  if constexpr (Corners == 4) {
    const PointDistance other =
        distance_point_triangle(Vec3::Zero(), {middle[0], middle[2], middle[3]});
    if (other.distance < best.distance) best = other;
  }
  return best.closest.point;
}

template <int Corners>
class CrossingSearch {
 public:
  explicit CrossingSearch(const MovingPolygon<Corners>& polygon) : polygon_(polygon) {}

  MovingContact run();

 private:
  enum class Verdict { free, open, contact };

  Sweep<Corners> sweep_over(const TimeInterval& interval) const;
  Verdict examine(TimeInterval& interval) const;

  MovingPolygon<Corners> polygon_;
};

template <int Corners>
Sweep<Corners> CrossingSearch<Corners>::sweep_over(const TimeInterval& interval) const {
  Sweep<Corners> sweep;
  double largest = 0;
  for (int i = 0; i < Corners; ++i) {
    const Vec3 &a = polygon_.start[i], &b = polygon_.end[i];
    sweep.from[i] = (1 - interval.from) * a + interval.from * b;
    sweep.to[i] = (1 - interval.to) * a + interval.to * b;
    largest =
        std::max({largest, sweep.from[i].cwiseAbs().maxCoeff(), sweep.to[i].cwiseAbs().maxCoeff()});
  }
  sweep.size = largest + corner_error;
  return sweep;
}

/// What the three facts say about the interval, which is narrowed to where the cubic may vanish.
template <int Corners>
typename CrossingSearch<Corners>::Verdict CrossingSearch<Corners>::examine(
    TimeInterval& interval) const {
  const Sweep<Corners> sweep = sweep_over(interval);
  if (an_axis_separates(sweep)) return Verdict::free;

  const std::array<double, 4> cubic = plane_cubic(sweep);
  const double error = plane_error * sweep.size * sweep.size;
  const UnitRange zeros = zeros_of_cubic(cubic, error);
  if (zeros.empty()) return Verdict::free;

  std::array<Vec3, Corners> middle;
  for (int i = 0; i < Corners; ++i) middle[i] = (sweep.from[i] + sweep.to[i]) / 2;
  const Vec3 normal = (middle[1] - middle[0]).cross(middle[Corners - 1] - middle[0]);
  const SideVerdict sides = compare_sides(normal, sweep);
  if (sides == SideVerdict::outside || separates(normal, sweep)) return Verdict::free;
  if (sides == SideVerdict::unknown && separates(closest_half_way<Corners>(middle), sweep)) {
    return Verdict::free;
  }
  // Narrowing rounds outwards by more than the few roundings of a time below 1.
  const double width = interval.width();
  const double slack = 4 * u;
  const double start = interval.from;
  if (zeros.from > 0) interval.from = std::max(start, start + width * zeros.from - slack);
  if (zeros.to < 1) interval.to = std::min(interval.to, start + width * zeros.to + slack);
  const bool changes_sign =
      (cubic[0] > error && cubic[3] < -error) || (cubic[0] < -error && cubic[3] > error);
  return changes_sign && sides == SideVerdict::inside ? Verdict::contact : Verdict::open;
}

MovingContact hit_within(const TimeInterval& interval, bool proven, int intervals) {
  return {true, interval.from, proven ? interval.to : 1.0, !proven, intervals};
}

// Invariant: the polygon has been proven not to contain the origin before the interval on top of
// the stack, and between the intervals on the stack.
template <int Corners>
MovingContact CrossingSearch<Corners>::run() {
  constexpr int capacity = 64;  // each division halves an interval, down to shortest_interval
  std::array<TimeInterval, capacity> stack;
  int top = 0;
  bool proven = false;
  for (int count = 1; count <= moving_contact_interval_limit; ++count) {
    const double width_before = stack[top].width();
    const Verdict verdict = examine(stack[top]);
    TimeInterval& interval = stack[top];
    if (verdict == Verdict::free) {
      if (top-- == 0)
        return {false, MovingContact{}.earliest, MovingContact{}.latest, false, count};
      continue;
    }
    if (verdict == Verdict::contact) {  // the first contact is in here
      proven = true;
      stack[0] = interval;
      top = 0;
    }
    const double width = stack[top].width();
    if (width <= (proven ? contact_time_tolerance : shortest_interval) || top + 1 == capacity) {
      return hit_within({stack[top].from, stack[0].to}, proven, count);
    }
    if (width > worthwhile_narrowing * width_before) {
      const double middle = stack[top].from + width / 2;
      stack[top + 1] = {stack[top].from, middle};
      stack[top].from = middle;
      ++top;
    }
  }
  return hit_within({stack[top].from, stack[0].to}, proven, moving_contact_interval_limit);
}

/// True if some coordinate has the same sign for all corners at both ends of the motion, and so all
/// the time. A rounded difference has the sign of the exact one, so this needs no error bound.
template <int Corners>
bool stays_beside_origin(const MovingPolygon<Corners>& polygon) {
  Vec3 lowest = polygon.start[0].cwiseMin(polygon.end[0]);
  Vec3 highest = polygon.start[0].cwiseMax(polygon.end[0]);
  for (int i = 1; i < Corners; ++i) {
    lowest = lowest.cwiseMin(polygon.start[i].cwiseMin(polygon.end[i]));
    highest = highest.cwiseMax(polygon.start[i].cwiseMax(polygon.end[i]));
  }
  return (lowest.array() > 0).any() || (highest.array() < 0).any();
}

/// Scales all coordinates by one power of two to at most 1 in size.
template <int Corners>
MovingContact scaled_search(MovingPolygon<Corners> polygon) {
  double largest = 0;
  bool finite = true;
  for (int i = 0; i < Corners; ++i) {
    finite = finite && polygon.start[i].allFinite() && polygon.end[i].allFinite();
    largest = std::max(
        {largest, polygon.start[i].cwiseAbs().maxCoeff(), polygon.end[i].cwiseAbs().maxCoeff()});
  }
  if (!finite) return hit_within({0, 1}, false, 0);
  if (largest == 0) return hit_within({0, 0}, true, 0);
  if (stays_beside_origin(polygon)) return {};
  const int exponent = -(std::ilogb(largest) + 1);
  const double half = std::ldexp(1.0, exponent / 2);  // in two halves, as the whole may overflow
  const double other_half = std::ldexp(1.0, exponent - exponent / 2);
  for (int i = 0; i < Corners; ++i) {
    polygon.start[i] = polygon.start[i] * half * other_half;
    polygon.end[i] = polygon.end[i] * half * other_half;
  }
  return CrossingSearch<Corners>(polygon).run();
}

}  // namespace

MovingContact first_contact_with_origin(const MovingPolygon<3>& polygon) {
  return scaled_search(polygon);
}

MovingContact first_contact_with_origin(const MovingPolygon<4>& polygon) {
  return scaled_search(polygon);
}

}  // namespace abut::geometry
