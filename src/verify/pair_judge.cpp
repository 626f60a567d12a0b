#include "verify/pair_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/bowl_judge.h"
#include "verify/candidates.h"
#include "verify/closest.h"
#include "verify/curved_judge.h"
#include "verify/exact_separation.h"
#include "verify/mesh_judge.h"
#include "verify/ring_judge.h"

namespace abut::verify {
namespace {

/// Recorded positions, quaternions and sizes are each rounded to doubles, so that bodies meant to
/// touch may overlap by this many ulps of the sizes involved (dimensionless).
constexpr double recorded_rounding = 4 * 2.220446049250313e-16;

double allowance(const Solid& a, const BodyState& state_a, const Solid& b,
                 const BodyState& state_b) {
  const double size = a.reach + b.reach + state_a.position.norm() + state_b.position.norm();
  return recorded_rounding * size + a.flatness + b.flatness;
}

// --- What doubles can prove
// ------------------------------------------------------------------------

bool separates(const PlacedPair& pair, const Direction& n) {
  return gap_along(pair, n) > pair.margin;
}

bool polyhedra_are_apart(const PlacedPair& pair, Hint& hint) {
  const Candidates candidates(pair);
  const auto works = [&](long candidate) {
    const auto n = candidates.direction(candidate);
    return n && separates(pair, *n);
  };
  if (hint.candidate < candidates.count() && works(hint.candidate)) return true;
  for (long candidate = 0; candidate < candidates.count(); ++candidate) {
    if (!works(candidate)) continue;
    hint.candidate = candidate;
    return true;
  }
  return false;
}

SegmentOf<double> core(const Placed& placed) {
  return {placed.points.front(), placed.points.back()};
}

TriangleOf<double> corners(const Placed& placed, const std::array<int, 3>& triangle) {
  const auto corner = [&](int index) { return placed.points[static_cast<std::size_t>(index)]; };
  return {corner(triangle[0]), corner(triangle[1]), corner(triangle[2])};
}

/// Rounded polyhedra may face each other with corners and edges as well: then the shortest vector
/// between the cores separates them.
bool rounded_polyhedra_are_apart(const PlacedPair& pair) {
  Shortest<double> shortest;
  for (const auto& s : pair.a.solid->triangles)
    for (const auto& t : pair.b.solid->triangles)
      shortest.offer(from_triangle_to_triangle(corners(pair.a, s), corners(pair.b, t)));
  return separates(pair, shortest.vector());
}

Direction from_core_to_polyhedron(const Placed& rounded, const Placed& polyhedron) {
  Shortest<double> shortest;
  for (const auto& triangle : polyhedron.solid->triangles) {
    shortest.offer(from_segment_to_triangle(core(rounded), corners(polyhedron, triangle)));
  }
  return shortest.vector();
}

bool hulls_are_apart(const PlacedPair& pair, Hint& hint) {
  const bool flat_a = !pair.a.solid->faces.empty(), flat_b = !pair.b.solid->faces.empty();
  if (flat_a && flat_b) {
    const bool rounded = pair.a.solid->radius + pair.b.solid->radius > 0;
    return polyhedra_are_apart(pair, hint) || (rounded && rounded_polyhedra_are_apart(pair));
  }
  if (flat_a) return separates(pair, -1.0 * from_core_to_polyhedron(pair.b, pair.a));
  if (flat_b) return separates(pair, from_core_to_polyhedron(pair.a, pair.b));
  return separates(pair, from_segment_to_segment(core(pair.a), core(pair.b)));
}

bool is_above(const PlacedPair& pair) {
  const Solid& plane = *pair.b.solid;
  const Direction n = pair.b.direction(plane.normal);
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& p : pair.a.points) lowest = std::min(lowest, dot(n, p));
  const double offset = plane.offset + dot(n, triple(pair.b.position));
  return lowest - offset - pair.a.solid->radius > pair.margin;
}

bool is_in_bowl(const PlacedPair& pair) {
  double farthest = 0;
  for (const auto& p : pair.a.points) {
    farthest = std::max(farthest, squared_norm(Direction(p - pair.b.points.front())));
  }
  return pair.b.solid->radius - pair.a.solid->radius - std::sqrt(farthest) > pair.margin;
}

bool doubles_prove_apart(const PlacedPair& pair, Hint& hint) {
  switch (pair.b.solid->kind) {
    case SolidKind::half_space:
      return is_above(pair);
    case SolidKind::bowl:
      return is_in_bowl(pair);
    default:
      return hulls_are_apart(pair, hint);
  }
}

/// A shape of which only the box is known, above a plane: the ball around the box is.
bool ball_is_above(const Solid& boxed, const BodyState& state_a, const Solid& plane,
                   const BodyState& state_b) {
  if (!boxed.box.is_bounded()) return false;
  Solid ball;
  ball.kind = SolidKind::hull;
  ball.points = {0.5 * (boxed.box.lower + boxed.box.upper)};
  ball.radius = 0.5 * (boxed.box.upper - boxed.box.lower).norm();
  ball.reach = boxed.reach;
  return is_above(PlacedPair(ball, state_a, plane, state_b));
}

bool is_curved_pair(const Solid& a, const Solid& b) {
  const auto can_be_beside = [](const Solid& solid) {
    return solid.kind == SolidKind::curved || solid.kind == SolidKind::hull ||
           solid.kind == SolidKind::half_space;
  };
  return (a.kind == SolidKind::curved && can_be_beside(b)) ||
         (b.kind == SolidKind::curved && can_be_beside(a));
}

bool is_known(const Solid& a, const Solid& b) {
  return a.kind == SolidKind::hull && b.kind != SolidKind::unknown;
}

}  // namespace

bool hulls_are_apart(const Solid& a, const BodyState& state_a, const Solid& b,
                     const BodyState& state_b) {
  Hint hint;
  return hulls_are_apart(PlacedPair(a, state_a, b, state_b), hint);
}

Verdict judge(const Solid& a, const BodyState& state_a, const Solid& b, const BodyState& state_b,
              Hint& hint) {
  if (is_mesh_pair(a, b)) return judge_mesh(a, state_a, b, state_b);
  if (is_mesh_pair(b, a)) return judge_mesh(b, state_b, a, state_a);
  if (is_bowl_pair(a, b)) return judge_in_bowl(a, state_a, b, state_b);
  if (is_bowl_pair(b, a)) return judge_in_bowl(b, state_b, a, state_a);
  if (is_ring_pair(a, b)) return judge_ring(a, state_a, b, state_b, hint);
  if (is_ring_pair(b, a)) return judge_ring(b, state_b, a, state_a, hint);
  if (is_curved_pair(a, b)) return judge_curved(a, state_a, b, state_b, hint);
  if (!is_known(a, b) && is_known(b, a)) return judge(b, state_b, a, state_a, hint);
  if (!is_known(a, b)) {
    const bool above = (b.kind == SolidKind::half_space && ball_is_above(a, state_a, b, state_b)) ||
                       (a.kind == SolidKind::half_space && ball_is_above(b, state_b, a, state_a));
    return {above ? Outcome::apart : Outcome::unknown, 0, false};
  }
  const PlacedPair pair(a, state_a, b, state_b);
  if (doubles_prove_apart(pair, hint)) return {Outcome::apart, 0, false};
  const double negligible = allowance(a, state_a, b, state_b);
  const double depth = exact_depth(pair, state_a, state_b, negligible);
  if (depth == 0) return {Outcome::apart, 0, true};
  const bool is_rounding = depth <= negligible;
  return {is_rounding ? Outcome::within_rounding : Outcome::overlapping, depth, true};
}

}  // namespace abut::verify
