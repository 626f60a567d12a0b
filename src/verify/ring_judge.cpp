#include "verify/ring_judge.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/stop.h"
#include "verify/curved_judge.h"
#include "verify/placement.h"

namespace abut::verify {
namespace {

// Arcs to begin with, and the shortest ones (rad): the bulge of these is less than rounding.
constexpr int first_ring_arcs = 16;
constexpr double least_half_angle = 1e-8;
// What cannot be proven apart is thinned by this many margins, four times as many each time, until
// it can: that is how deep the overlap is.
constexpr double first_thinning = 8;
constexpr int thinnings = 30;

struct Arc {
  double middle = 0, half = 0;
};

/// Thinner than the ring by `thinning`, m.
Solid capsule_around(const Solid& ring, const Arc& arc, double thinning) {
  Solid capsule;
  capsule.kind = SolidKind::hull;
  capsule.pose = ring.pose;
  capsule.reach = ring.reach;
  const double r = ring.radii.x();
  for (const double angle : {arc.middle - arc.half, arc.middle + arc.half})
    capsule.points.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
  const double s = std::sin(0.5 * arc.half);
  capsule.radius = std::max(0.0, ring.radius + 2 * r * s * s - thinning);
  return capsule;
}

class RingJudge {
 public:
  RingJudge(const Solid& ring, const BodyState& state_ring, const Solid& other,
            const BodyState& state_other)
      : ring_(ring), other_(other), state_ring_(state_ring), state_other_(state_other) {}

  /// Whether all arcs are apart, of a ring thinner by `thinning`.
  bool are_apart(double thinning) const {
    struct Pair {
      Arc own, other;
      Hint hint;  // what parts a half from the other solid is about what all but parts the whole
    };
    const bool is_ring = other_.kind == SolidKind::ring;
    std::vector<Pair> todo;
    const double half = M_PI / first_ring_arcs;
    for (int i = 0; i < first_ring_arcs; ++i)
      for (int k = 0; k < (is_ring ? first_ring_arcs : 1); ++k)
        todo.push_back({{(2 * i + 1) * half, half}, {(2 * k + 1) * half, half}, {}});
    while (!todo.empty()) {
      base::stop_if_wished();
      Pair pair = todo.back();
      todo.pop_back();
      if (is_apart(pair.own, pair.other, thinning, pair.hint)) continue;
      if (std::min(pair.own.half, is_ring ? pair.other.half : 1.0) < least_half_angle) return false;
      const bool cut_other =
          is_ring && pair.other.half * other_.radii.x() > pair.own.half * ring_.radii.x();
      for (const double side : {-0.5, 0.5}) {
        Pair part = pair;
        Arc& arc = cut_other ? part.other : part.own;
        arc.middle += side * arc.half;
        arc.half *= 0.5;
        todo.push_back(part);
      }
    }
    return true;
  }

 private:
  bool is_apart(const Arc& own, const Arc& other, double thinning, Hint& hint) const {
    const Solid capsule = capsule_around(ring_, own, thinning);
    if (other_.kind == SolidKind::ring)
      return hulls_are_apart(capsule, state_ring_, capsule_around(other_, other, 0), state_other_);
    if (other_.kind == SolidKind::hull)
      return hulls_are_apart(capsule, state_ring_, other_, state_other_);
    return judge_curved(capsule, state_ring_, other_, state_other_, hint).outcome == Outcome::apart;
  }

  const Solid& ring_;
  const Solid& other_;
  const BodyState& state_ring_;
  const BodyState& state_other_;
};

Verdict verdict_of(double gap, double margin) {
  if (gap > margin) return {Outcome::apart, 0, false};
  if (gap > -margin) return {Outcome::within_rounding, std::max(0.0, -gap), false};
  return {Outcome::overlapping, -gap, false};
}

/// A ball, whose distance from a circle is that from its nearest point.
Verdict beside_ball(const PlacedPair& pair) {
  const Solid &ring = *pair.a.solid, &ball = *pair.b.solid;
  const auto& p = pair.b.points.front();
  const Vec3 local = pair.a.rotation.transpose() * (Vec3(p.x, p.y, p.z) - pair.a.position);
  const double from_circle =
      std::hypot(std::hypot(local.x(), local.y()) - ring.radii.x(), local.z());
  return verdict_of(from_circle - ring.radius - ball.radius, pair.margin);
}

// Directions from which the best one is found, and how often its neighbourhood is halved.
constexpr int first_leans = 64;
constexpr int halvings_of_lean = 60;
// Roundings of a gap along a direction, in margins of a coordinate.
constexpr double gap_roundings = 8;

/// Whether a solid is the same all around its z axis.
bool is_revolved(const Solid& solid) {
  if (solid.kind != SolidKind::curved || solid.radii.x() != solid.radii.y()) return false;
  return solid.curved == CurvedKind::ellipsoid || solid.curved == CurvedKind::cylinder ||
         solid.curved == CurvedKind::cone ||
         (solid.curved == CurvedKind::superellipsoid && solid.e2 == 1);
}

/// A ring about the axis of a solid of revolution is as near to it all around, where arcs would
/// have to be as short as the gap is small. Its circle is within `off` of one that is exactly about
/// that axis, every place of which has a plane before it that leans by the same angle; any angle
/// will do for a proof.
bool is_apart_all_around(const PlacedPair& pair) {
  const Solid &ring = *pair.a.solid, &solid = *pair.b.solid;
  if (!is_revolved(solid)) return false;
  const Vec3 centre = pair.b.rotation.transpose() * (pair.a.position - pair.b.position);
  Vec3 axis = pair.b.rotation.transpose() * pair.a.rotation.col(2);
  if (axis.z() < 0) axis = -axis;
  const double r = ring.radii.x();
  const double off = std::hypot(centre.x(), centre.y()) + r * (axis - Vec3::UnitZ()).norm();
  const auto gap = [&](double lean) {
    const Vec3 n(std::cos(lean), 0, std::sin(lean));
    return n.x() * r + n.z() * centre.z() - curved_reach(solid, n) - ring.radius - off;
  };
  double best = 0, width = M_PI / first_leans;
  for (int i = -first_leans / 2; i <= first_leans / 2; ++i)
    if (gap(i * width) > gap(best)) best = i * width;
  for (int i = 0; i < halvings_of_lean; ++i, width *= 0.5)
    for (const double near : {best - width, best + width})
      if (gap(near) > gap(best)) best = near;
  return gap(best) > gap_roundings * pair.margin;
}

}  // namespace

bool is_ring_pair(const Solid& ring, const Solid& other) {
  return ring.kind == SolidKind::ring &&
         (other.kind == SolidKind::hull || other.kind == SolidKind::half_space ||
          other.kind == SolidKind::curved || other.kind == SolidKind::ring);
}

Verdict judge_ring(const Solid& ring, const BodyState& state_ring, const Solid& other,
                   const BodyState& state_other, Hint& hint) {
  if (other.kind == SolidKind::half_space)
    return judge_curved(ring, state_ring, other, state_other, hint);
  const PlacedPair pair(ring, state_ring, other, state_other);
  if (other.kind == SolidKind::hull && other.points.size() == 1) return beside_ball(pair);
  // The direction is one from the ring: it is not kept in a hint of unknown order.
  Hint fresh;
  const Verdict of_hulls = judge_curved(ring, state_ring, other, state_other, fresh);
  if (of_hulls.outcome == Outcome::apart) return of_hulls;
  if (is_apart_all_around(pair)) return {Outcome::apart, 0, false};
  const RingJudge arcs(ring, state_ring, other, state_other);
  if (arcs.are_apart(0)) return {Outcome::apart, 0, false};
  double thinning = first_thinning * pair.margin;
  for (int i = 0; i < thinnings && thinning < ring.radius; ++i, thinning *= 4) {
    if (!arcs.are_apart(thinning)) continue;
    return {i == 0 ? Outcome::within_rounding : Outcome::overlapping, thinning, false};
  }
  return {Outcome::overlapping, ring.radius, false};
}

}  // namespace abut::verify
