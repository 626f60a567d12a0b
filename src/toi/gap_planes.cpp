#include "toi/gap_planes.h"

#include <algorithm>
#include <limits>

namespace abut::toi {
namespace {

using narrow::Feature;
using narrow::FeatureKind;

// The nearest point of a capsule's core is its end within this fraction of the length
// (dimensionless).
constexpr double end_fraction = 1e-9;

// Of a sphere or capsule: the end of its core that the nearest point is, or the segment between.
Feature core_feature(const Core& core, const Vec3& nearest) {
  if (core.points.size() == 1) return {FeatureKind::vertex, 0};
  const double length = (core.points[1] - core.points[0]).norm();
  for (int end = 0; end < 2; ++end)
    if ((core.points[end] - nearest).norm() <= end_fraction * length)
      return {FeatureKind::vertex, end};
  return {FeatureKind::edge, 0};
}

class GapPlanes {
 public:
  GapPlanes(const std::array<GapSide, 2>& sides, const narrow::Separation& now)
      : sides_(sides), normal_(now.normal), features_{now.feature_a, now.feature_b} {
    base_.radii = sides[0].core->radius + sides[1].core->radius;
    for (int side = 0; side < 2; ++side) {
      const Core& core = *sides[side].core;
      const Pose& motion = sides[side].motion;
      const Vec3 nearest =
          (side == 0 ? now.point_a : now.point_b) + (side == 0 ? 1 : -1) * core.radius * now.normal;
      base_.touching[side] = motion.orientation.conjugate() * (nearest - motion.position);
      if (features_[side].kind == FeatureKind::smooth && !core.surface)
        features_[side] = core_feature(core, base_.touching[side]);
    }
  }

  std::vector<HeldPlane> all() {
    if (sides_[0].core->surface || sides_[1].core->surface) {
      for (int side = 0; side < 2; ++side) add_carried(side);
    } else {
      for (int side = 0; side < 2; ++side)
        if (features_[side].kind == FeatureKind::face) add_face(side, features_[side].index);
      if (base_.radii > 0) add_rounded();
    }
    return std::move(planes_);
  }

  std::vector<HeldPlane> beside() {
    if (sides_[0].core->surface || sides_[1].core->surface) return {};
    for (int side = 0; side < 2; ++side)
      if (const int face = facing(side); face >= 0) add_face(side, face);
    return std::move(planes_);
  }

 private:
  bool is(int side, FeatureKind kind) const { return features_[side].kind == kind; }

  // The plane of the gap, carried by either body: below it is all of the body that carries it,
  // since that is convex, and the other one is watched.
  void add_carried(int carrier) {
    HeldPlane plane = base_;
    plane.motion = PlaneMotion::carried;
    plane.carrier = carrier;
    plane.normal =
        sides_[carrier].motion.orientation.conjugate() * ((carrier == 0 ? -1 : 1) * normal_);
    // What rounding leaves of the carrier above the plane counts as thickness.
    const Core& own = *sides_[carrier].core;
    double highest =
        own.surface ? -own.surface.lowest(-plane.normal) : -std::numeric_limits<double>::infinity();
    for (const Vec3& p : own.points) highest = std::max(highest, plane.normal.dot(p));
    plane.radii += std::max(0.0, highest - plane.normal.dot(plane.touching[carrier]));
    plane.watched[1 - carrier] = sides_[1 - carrier].core->points;
    plane.surfaces[1 - carrier] = sides_[1 - carrier].core->surface;
    planes_.push_back(std::move(plane));
  }

  // Of the faces around an edge or corner that is nearest, the one that faces the other part most;
  // -1 where there is none.
  int facing(int side) const {
    const geometry::ConvexPolyhedron& core = sides_[side].solid->core;
    const auto [kind, index] = features_[side];
    const Vec3 outward =
        sides_[side].motion.orientation.conjugate() * ((side == 0 ? -1 : 1) * normal_);
    int best = -1;
    double highest = 0;
    const auto consider = [&](int half_edge) {
      const int face = core.half_edges()[half_edge].face;
      if (face < 0) return;
      const double along = in_motion(side, core.faces()[face].normal).dot(outward);
      if (!(along > highest)) return;
      highest = along;
      best = face;
    };
    if (kind == FeatureKind::edge)
      for (const int half : {2 * index, 2 * index + 1}) consider(half);
    if (kind == FeatureKind::vertex)
      for (const int half : core.leaving(index)) consider(half);
    return best;
  }

  void add_face(int side, int face) {
    HeldPlane plane = base_;
    plane.motion = PlaneMotion::carried;
    plane.carrier = side;
    plane.normal = in_motion(side, sides_[side].solid->core.faces()[face].normal);
    plane.watched[1 - side] = sides_[1 - side].core->points;
    planes_.push_back(std::move(plane));
  }

  // Rounded features, at least one a point: the cores stay apart by the radii, and the plane turns
  // about them.
  void add_rounded() {
    const bool point_a = is(0, FeatureKind::vertex), point_b = is(1, FeatureKind::vertex);
    const bool edge_a = is(0, FeatureKind::edge), edge_b = is(1, FeatureKind::edge);
    if (!((point_a && (point_b || edge_b)) || (edge_a && point_b))) return;
    HeldPlane plane = base_;
    plane.motion = PlaneMotion::points;
    plane.has_line = edge_a || edge_b;
    plane.carrier = edge_a ? 0 : 1;
    for (int side = 0; side < 2; ++side) {
      plane.watched[side] = sides_[side].core->points;
      if (is(side, FeatureKind::edge)) plane.directions[side] = edge_direction(side);
    }
    planes_.push_back(std::move(plane));
  }

  Vec3 in_motion(int side, const Vec3& core_direction) const {
    return sides_[side].frame.orientation.conjugate() *
           (sides_[side].solid->orientation * core_direction);
  }

  Vec3 edge_direction(int side) const {
    const geometry::ConvexPolyhedron& core = sides_[side].solid->core;
    const int edge = features_[side].index;
    return in_motion(side,
                     core.vertices()[core.edge_end(edge)] - core.vertices()[core.edge_start(edge)])
        .normalized();
  }

  const std::array<GapSide, 2>& sides_;
  const Vec3 normal_;
  std::array<Feature, 2> features_;
  HeldPlane base_;
  std::vector<HeldPlane> planes_;
};

}  // namespace

std::vector<HeldPlane> planes_between(const std::array<GapSide, 2>& sides,
                                      const narrow::Separation& now) {
  return GapPlanes(sides, now).all();
}

std::vector<HeldPlane> planes_beside(const std::array<GapSide, 2>& sides,
                                     const narrow::Separation& now) {
  return GapPlanes(sides, now).beside();
}

}  // namespace abut::toi
