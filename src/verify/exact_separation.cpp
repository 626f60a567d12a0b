#include "verify/exact_separation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "verify/candidates.h"
#include "verify/closest.h"
#include "verify/rational.h"

namespace abut::verify {
namespace {

using ExactPoints = std::vector<ExactPoint>;

double root(const Rational& x) {
  return std::sqrt(x.get_d());
}

/// Where a solid is, exactly.
class ExactPlace {
 public:
  ExactPlace(const Solid& solid, const BodyState& state)
      : body_(state.position, state.orientation),
        part_(solid.pose.position, solid.pose.orientation) {}

  ExactPoint operator*(const Vec3& s) const { return body_ * (part_ * exact(s)); }
  ExactPoint rotated(const Vec3& n) const { return body_.rotated(part_.rotated(exact(n))); }

 private:
  ExactPose body_, part_;
};

ExactPoints exact_points(const Solid& solid, const BodyState& state) {
  const ExactPlace place(solid, state);
  ExactPoints points;
  points.reserve(solid.points.size());
  for (const Vec3& p : solid.points) points.push_back(place * p);
  return points;
}

Rational lowest(const ExactPoints& points, const ExactPoint& n) {
  Rational least = dot(n, points.front());
  for (const ExactPoint& p : points) least = std::min(least, dot(n, p));
  return least;
}

Rational highest(const ExactPoints& points, const ExactPoint& n) {
  Rational most = dot(n, points.front());
  for (const ExactPoint& p : points) most = std::max(most, dot(n, p));
  return most;
}

// --- Two polyhedra
// ---------------------------------------------------------------------------------

/// The difference of two corners of a solid.
struct Side {
  const Placed* placed;
  const ExactPoints* points;
  int to, from;

  Direction estimate() const { return placed->points[index(to)] - placed->points[index(from)]; }
  ExactPoint exact() const { return (*points)[index(to)] - (*points)[index(from)]; }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
};

/// Goes through every direction that is normal to a face of one or to an edge of each. Those that
/// doubles prove to separate nothing are left at that; the others are evaluated exactly, the most
/// promising first.
class PolyhedraDepth {
 public:
  PolyhedraDepth(const PlacedPair& pair, const BodyState& state_a, const BodyState& state_b)
      : pair_(pair),
        a_(exact_points(*pair.a.solid, state_a)),
        b_(exact_points(*pair.b.solid, state_b)) {}

  double operator()(double negligible) {
    offer_faces(pair_.a, a_);
    offer_faces(pair_.b, b_);
    offer_edges();
    std::stable_sort(doubtful_.begin(), doubtful_.end(),
                     [](const Doubtful& x, const Doubtful& y) { return x.gap > y.gap; });
    for (const Doubtful& candidate : doubtful_) {
      const std::optional<double> gap = exact_gap(candidate);
      if (gap && *gap >= 0) return 0;
      if (gap) best_ = std::max(best_, *gap);
      if (-best_ <= negligible) break;
    }
    return -best_;
  }

 private:
  struct Doubtful {
    Side s, t;
    double gap;  ///< in doubles, m
  };

  void offer_faces(const Placed& placed, const ExactPoints& points) {
    for (const auto& [i, j, k] : placed.solid->triangles) {
      offer({&placed, &points, j, i}, {&placed, &points, k, i});
    }
  }

  void offer_edges() {
    for (const Solid::Edge& e : pair_.a.solid->edges) {
      for (const Solid::Edge& f : pair_.b.solid->edges) {
        offer({&pair_.a, &a_, e.to, e.from}, {&pair_.b, &b_, f.to, f.from});
      }
    }
  }

  /// A plane parallel to both sides. With sides off by up to twice the margin m, n = s x t is off
  /// by 2 m (|s| + |t|), its direction by that over |n|, and a product with a point by the same
  /// times the size; both ends of both solids move by that much.
  void offer(const Side& side_s, const Side& side_t) {
    const Direction s = side_s.estimate(), t = side_t.estimate(), n = cross(s, t);
    const double length = std::sqrt(squared_norm(n));
    const double sides = std::sqrt(squared_norm(s)) + std::sqrt(squared_norm(t));
    const double turn = 2 * pair_.margin * sides / length;
    const double error = 4 * (turn * pair_.size + pair_.margin);
    const double gap = length > 0 ? std::max(gap_along(pair_, n), gap_along(pair_, -1.0 * n))
                                  : -std::numeric_limits<double>::infinity();
    if (length > 0 && gap < -error) {
      best_ = std::max(best_, gap);
    } else {
      doubtful_.push_back({side_s, side_t, gap});
    }
  }

  /// Not negative exactly if the plane separates; a negative gap is rounded. Empty where the sides
  /// span no plane.
  std::optional<double> exact_gap(const Doubtful& candidate) const {
    const ExactPoint n = cross(candidate.s.exact(), candidate.t.exact());
    const Rational length = squared_norm(n);
    if (length == 0) return std::nullopt;
    const Rational up = lowest(b_, n) - highest(a_, n);
    const Rational down = lowest(a_, n) - highest(b_, n);
    const Rational gap = std::max(up, down);
    if (gap >= 0) return 0.0;
    // However small, it stays an overlap.
    return std::min(gap.get_d() / root(length), -std::numeric_limits<double>::min());
  }

  const PlacedPair& pair_;
  ExactPoints a_, b_;
  std::vector<Doubtful> doubtful_;
  double best_ = -std::numeric_limits<double>::infinity();  ///< least overlap so far, negative, m
};

// --- A rounded core and anything
// -------------------------------------------------------------------

SegmentOf<Rational> core(const ExactPoints& points) {
  return {points.front(), points.back()};
}

/// Whether a part of the segment lies within all planes of the faces: clips it plane by plane.
bool enters(const SegmentOf<Rational>& s, const Solid& solid, const ExactPoints& points) {
  Rational from = 0, to = 1;
  for (const auto& [i, j, k] : solid.triangles) {
    const ExactPoint& corner = points[static_cast<std::size_t>(i)];
    const ExactPoint n = cross(points[static_cast<std::size_t>(j)] - corner,
                               points[static_cast<std::size_t>(k)] - corner);
    const Rational start = dot(n, s[0] - corner), slope = dot(n, s[1] - s[0]);
    if (slope == 0) {
      if (start > 0) return false;
    } else if (slope > 0) {
      to = std::min(to, Rational(-start / slope));
    } else {
      from = std::max(from, Rational(-start / slope));
    }
    if (from > to) return false;
  }
  return true;
}

template <class T>
TriangleOf<T> corners(const std::array<int, 3>& triangle, const std::vector<Triple<T>>& points) {
  const auto corner = [&](std::size_t i) { return points[static_cast<std::size_t>(triangle[i])]; };
  return {corner(0), corner(1), corner(2)};
}

/// Whether doubles prove a triangle farther from a segment or triangle than `distance`: along the
/// vector n between their nearest points, wherever rounding has put these, all of one lies beyond
/// all of the other.
template <class Corners>
bool is_beyond(double distance, const Corners& from, const TriangleOf<double>& triangle,
               const Direction& n, double margin) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const auto& p : from) highest = std::max(highest, dot(n, p));
  const double lowest = std::min({dot(n, triangle[0]), dot(n, triangle[1]), dot(n, triangle[2])});
  return (lowest - highest) / std::sqrt(squared_norm(n)) - distance > margin;
}

/// The square of the distance of a core from a polyhedron if that is less than the sum of the
/// radii; else of any distance that is not.
Rational squared_distance(const Placed& rounded, const ExactPoints& core_points,
                          const Placed& polyhedron, const ExactPoints& points, double margin) {
  const SegmentOf<Rational> s = core(core_points);
  const SegmentOf<double> placed{rounded.points.front(), rounded.points.back()};
  const double radii = rounded.solid->radius + polyhedron.solid->radius;
  if (enters(s, *polyhedron.solid, points)) return 0;
  Shortest<Rational> shortest;
  shortest.offer({Rational(2 * radii), 0, 0});
  for (const auto& triangle : polyhedron.solid->triangles) {
    const TriangleOf<double> t = corners(triangle, polyhedron.points);
    if (is_beyond(radii, placed, t, from_segment_to_triangle(placed, t), margin)) continue;
    shortest.offer(from_segment_to_triangle(s, corners(triangle, points)));
  }
  return shortest.squared_length();
}

Rational squared_core_distance(const PlacedPair& pair, const ExactPoints& a, const ExactPoints& b) {
  if (!pair.a.solid->faces.empty()) return squared_distance(pair.b, b, pair.a, a, pair.margin);
  if (!pair.b.solid->faces.empty()) return squared_distance(pair.a, a, pair.b, b, pair.margin);
  return squared_norm(from_segment_to_segment(core(a), core(b)));
}

/// How far a distance, given by its square, falls short of another one. Their difference is taken
/// between the squares, where it is exact.
double shortfall(const Rational& squared_distance, const Rational& wanted) {
  const Rational missing = wanted * wanted - squared_distance;
  if (wanted <= 0 || missing <= 0) return 0;
  return missing.get_d() / (wanted.get_d() + root(squared_distance));
}

/// Of two polyhedra, at least one of them rounded: how far their cores overlap, and the radii, or
/// how far the distance of the cores falls short of the radii.
double rounded_polyhedra_depth(const PlacedPair& pair, const BodyState& state_a,
                               const BodyState& state_b) {
  Solid core_a = *pair.a.solid, core_b = *pair.b.solid;
  const double radii = core_a.radius + core_b.radius;
  core_a.radius = core_b.radius = 0;
  const PlacedPair cores(core_a, state_a, core_b, state_b);
  const double depth = PolyhedraDepth(cores, state_a, state_b)(0);
  if (depth > 0) return radii + depth;
  const ExactPoints a = exact_points(core_a, state_a), b = exact_points(core_b, state_b);
  const auto between = [&](const std::array<int, 3>& s, const std::array<int, 3>& t) {
    return from_triangle_to_triangle(corners(s, cores.a.points), corners(t, cores.b.points));
  };
  // Only triangles that are as near as the nearest ones, up to rounding, need exact numbers.
  Shortest<double> nearest;
  nearest.offer({radii, 0, 0});
  for (const auto& s : core_a.triangles)
    for (const auto& t : core_b.triangles) nearest.offer(between(s, t));
  const double reach = std::sqrt(nearest.squared_length()) + pair.margin;
  Shortest<Rational> shortest;
  shortest.offer({Rational(2 * radii), 0, 0});
  for (const auto& s : core_a.triangles) {
    for (const auto& t : core_b.triangles) {
      if (is_beyond(reach, corners(s, cores.a.points), corners(t, cores.b.points), between(s, t),
                    pair.margin))
        continue;
      shortest.offer(from_triangle_to_triangle(corners(s, a), corners(t, b)));
    }
  }
  const Rational wanted = Rational(pair.a.solid->radius) + Rational(pair.b.solid->radius);
  return shortfall(shortest.squared_length(), wanted);
}

double rounded_depth(const PlacedPair& pair, const BodyState& state_a, const BodyState& state_b) {
  const ExactPoints a = exact_points(*pair.a.solid, state_a);
  const ExactPoints b = exact_points(*pair.b.solid, state_b);
  const Rational radii = Rational(pair.a.solid->radius) + Rational(pair.b.solid->radius);
  return shortfall(squared_core_distance(pair, a, b), radii);
}

// --- Unbounded solids
// ------------------------------------------------------------------------------

/// n . x <= offset in world coordinates, since the rotation is exactly orthogonal.
double depth_in_half_space(const Solid& hull, const BodyState& state_a, const Solid& plane,
                           const BodyState& state_b) {
  const ExactPlace place(plane, state_b);
  const ExactPoint n = place.rotated(plane.normal);
  const Rational offset = Rational(plane.offset) + dot(n, place * Vec3::Zero());
  const Rational height = lowest(exact_points(hull, state_a), n) - offset;
  const Rational length = squared_norm(n);
  if (hull.radius == 0 || height < 0) {
    return height >= 0 ? 0.0 : hull.radius - height.get_d() / root(length);
  }
  return shortfall(Rational(height * height / length), Rational(hull.radius));
}

/// Every point of the hull must be within the inner radius, less its own, of the bowl's centre.
double depth_in_bowl(const Solid& hull, const BodyState& state_a, const Solid& bowl,
                     const BodyState& state_b) {
  const ExactPoint centre = ExactPlace(bowl, state_b) * bowl.points.front();
  const Rational room = Rational(bowl.radius) - Rational(hull.radius);
  Rational farthest = 0;
  for (const ExactPoint& p : exact_points(hull, state_a)) {
    farthest = std::max(farthest, squared_norm(ExactPoint(p - centre)));
  }
  if (room >= 0 && farthest <= room * room) return 0;
  const double sum = root(farthest) + std::abs(room.get_d());
  if (room < 0) return sum;
  return Rational(farthest - room * room).get_d() / sum;
}

}  // namespace

double exact_depth(const PlacedPair& pair, const BodyState& state_a, const BodyState& state_b,
                   double negligible) {
  const Solid &a = *pair.a.solid, &b = *pair.b.solid;
  if (b.kind == SolidKind::half_space) return depth_in_half_space(a, state_a, b, state_b);
  if (b.kind == SolidKind::bowl) return depth_in_bowl(a, state_a, b, state_b);
  const bool flat = !a.faces.empty() && !b.faces.empty();
  if (flat && a.radius + b.radius > 0) return rounded_polyhedra_depth(pair, state_a, state_b);
  if (flat) return PolyhedraDepth(pair, state_a, state_b)(negligible);
  return rounded_depth(pair, state_a, state_b);
}

}  // namespace abut::verify
