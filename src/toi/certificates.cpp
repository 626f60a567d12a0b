// How long two parts are certainly apart: the directions, planes and lines that may tell.

#include "toi/first_contact.h"
#include "toi/gap_planes.h"
#include "toi/height_proof.h"
#include "toi/line_gap.h"
#include "toi/standing_plane.h"

namespace abut::toi {

using motion::BodyPath;
using narrow::Separation;

namespace {

bool are_edges(const Separation& now) {
  return now.feature_a.kind == narrow::FeatureKind::edge &&
         now.feature_b.kind == narrow::FeatureKind::edge;
}

}  // namespace

MovingHalfSpace FirstContact::half_space(const PartPair& pair, const BodyPath* path) const {
  const bool plane_is_b = pair.core_a.has_value();
  const shape::Plane& plane = plane_is_b ? *pair.plane_b : *pair.plane_a;
  const Pose& pose = plane_is_b ? b_->parts[pair.part_b].pose : a_->parts[pair.part_a].pose;
  const Vec3 normal = pose.orientation * plane.normal;
  return {normal, plane.offset + normal.dot(pose.position), path};
}

// Of a part above a half-space: the plane with all points of the part.
HeldPlane FirstContact::carried_plane(const PartPair& pair) const {
  const MovingHalfSpace half = half_space(pair, nullptr);
  HeldPlane plane;
  plane.carrier = pair.core_a ? 1 : 0;
  plane.normal = half.normal;
  plane.touching[plane.carrier] = half.offset * half.normal;
  const Core& core = pair.core_a ? *pair.core_a : *pair.core_b;
  plane.radii = core.radius;
  plane.watched[1 - plane.carrier] = core.points;
  plane.surfaces[1 - plane.carrier] = core.surface;
  return plane;
}

FreeInterval FirstContact::certify(const PartPair& pair, const BodyPath& a, const BodyPath& b,
                                   const Vec3& n, double t, double limit, double clearance) const {
  if (!pair.core_b)
    return free_interval(MovingCore{&*pair.core_a, &a}, half_space(pair, &b), t, limit, clearance);
  if (!pair.core_a)
    return free_interval(MovingCore{&*pair.core_b, &b}, half_space(pair, &a), t, limit, clearance);
  return free_interval(MovingCore{&*pair.core_a, &a}, MovingCore{&*pair.core_b, &b}, n, t, limit,
                       clearance);
}

// What has just proven the parts apart is asked first in the next step.
void FirstContact::keep_plane(PartPair& pair, int carrier, const Vec3& normal) const {
  if (!settings_.proves_steps || !pair.core_a || !pair.core_b) return;
  pair.standing = plane_around(carrier == 0 ? *pair.core_a : *pair.core_b, carrier, normal);
  pair.crossing.reset();
}

void FirstContact::keep_edges(PartPair& pair, const BodyPath& b, double t,
                              const Separation& now) const {
  const Pose pose = b.pose(t);
  const Quat to_b = pose.orientation.conjugate();
  pair.crossing = StandingEdges{now.feature_a, now.feature_b, to_b * now.normal,
                                to_b * (now.point_b - pose.position)};
  pair.standing.reset();
}

std::array<GapSide, 2> FirstContact::gap_sides(const PartPair& pair, const BodyPath& a,
                                               const BodyPath& b, double t) const {
  return {
      GapSide{&*pair.core_a, &pair.query->shape_a().solids().front(), motion_frame(*a_), a.pose(t)},
      GapSide{&*pair.core_b, &pair.query->shape_b().solids().front(), motion_frame(*b_),
              b.pose(t)}};
}

FreeInterval FirstContact::between_lines(const PartPair& pair, const BodyPath& a, const BodyPath& b,
                                         const Separation& now, double t, double limit,
                                         double clearance) const {
  return free_between_lines(gap_sides(pair, a, b, t), now, a, b, t, limit, clearance);
}

// A direction is carried on by the part whose face it belongs to.
void FirstContact::keep_direction(PartPair& pair, const BodyPath& a, const BodyPath& b, double t,
                                  const Separation& now) const {
  if (!settings_.proves_steps || !pair.core_a || !pair.core_b || !pair.query) return;
  const int carrier = now.feature_a.kind == narrow::FeatureKind::face ? 0 : 1;
  const Quat attitude = (carrier == 0 ? a : b).pose(t).orientation;
  keep_plane(pair, carrier, attitude.conjugate() * ((carrier == 0 ? -1 : 1) * now.normal));
}

// Besides the fixed direction of the gap, planes that a face or two edges carry along: near contact
// a face that turns over an edge leaves no fixed direction that separates for long. Nor do lines
// that turn against each other leave a plane that either body carries.
FreeInterval FirstContact::certify_best(PartPair& pair, const BodyPath& a, const BodyPath& b,
                                        const Separation& now, double t, double limit,
                                        double clearance) {
  ++statistics_.advances;
  if (pair.watch) {
    // A ring that nothing reaches into is as far off as its disc.
    const bool has_cores = (pair.core_a || pair.plane_a) && (pair.core_b || pair.plane_b);
    FreeInterval apart{t, clearance};
    if (has_cores) apart = certify(pair, a, b, now.normal, t, limit, clearance);
    if (apart.until >= limit) return apart;
    const HeldPlaces nothing;
    const FreeInterval watched = pair.watch->at(a, b, t, nothing)->free_interval(limit, clearance);
    return watched.until >= apart.until ? watched : apart;
  }
  const bool asks_edges = settings_.proves_steps && are_edges(now) && pair.query && pair.core_a &&
                          pair.core_b && !pair.core_a->surface && !pair.core_b->surface;
  if (asks_edges) {
    const FreeInterval lines = between_lines(pair, a, b, now, t, limit, clearance);
    if (lines.until >= limit) {
      keep_edges(pair, b, t, now);
      return lines;
    }
  }
  FreeInterval best = certify(pair, a, b, now.normal, t, limit, clearance);
  if (best.until >= limit) keep_direction(pair, a, b, t, now);
  if (best.until >= limit || !pair.query) return best;
  if (!pair.core_a || !pair.core_b) {
    const double proven =
        proven_above(carried_plane(pair), a, b, t, std::max(t, best.until), limit, clearance);
    return proven > best.until ? FreeInterval{proven, clearance} : best;
  }
  const std::array<GapSide, 2> sides = gap_sides(pair, a, b, t);
  const auto consider = [&](const std::vector<HeldPlane>& planes) {
    for (const HeldPlane& plane : planes) {
      const FreeInterval other = free_interval(plane, a, b, t, limit, clearance);
      ++statistics_.advances;
      if (other.until > best.until) best = other;
      if (best.until < limit) continue;
      if (plane.motion == PlaneMotion::carried) keep_plane(pair, plane.carrier, plane.normal);
      return true;
    }
    return false;
  };
  if (consider(planes_between(sides, now))) return best;
  const FreeInterval lines = free_between_lines(sides, now, a, b, t, limit, clearance);
  if (lines.until > best.until) best = lines;
  if (settings_.proves_steps && best.until < limit) consider(planes_beside(sides, now));
  return best;
}

}  // namespace abut::toi
