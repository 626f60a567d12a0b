// A ring against a plane, sphere, capsule, polyhedron, curved solid, ring or bowl: its circle's
// distance from the other core, less the roundings. The circle has several places of least
// distance; or, as a ring that lies flat or holds a ball in its hole, none that is nearer than
// others: then points of it stand for all.

#include <algorithm>
#include <cmath>
#include <set>

#include "geometry/cavity.h"
#include "geometry/circle_minima.h"
#include "geometry/circle_newton.h"
#include "geometry/extremal_normal.h"
#include "geometry/rim_distance.h"
#include "narrow/part_pair.h"
#include "narrow/ring_points.h"
#include "narrow/witness.h"

namespace abut::narrow {
namespace {

using geometry::CirclePlace;
using geometry::DistanceFromPoint;
using geometry::DistanceOfSet;
using geometry::PlacedCircle;

// Ends of an arc that touches are found to this many halvings of the angle between two samples.
constexpr int arc_halvings = 30;
// Samples around the circle between which such ends are looked for.
constexpr int arc_samples = 96;
// An arc is held by points this part of its length from its ends (dimensionless).
constexpr double arc_inset = 0.1;

// A circle counts as equally near all along at least where its distance varies by less than this
// times its size, which is rounding (dimensionless).
constexpr double circle_rounding = 1e-14;

PlacedCircle circle_of(const Placed& ring) {
  return {ring.position, ring.rotation, ring.solid->circle};
}

const geometry::ConvexPolyhedron& point_core() {
  static const geometry::ConvexPolyhedron point = geometry::ConvexPolyhedron::from_point();
  return point;
}

// Distances of points from the other core, for one pose of it.
class Target {
 public:
  Target(const Placed& other, Witness& witness, Vec3& hint, PairStatistics& statistics)
      : other_(other), witness_(witness), hint_(hint), statistics_(statistics) {}

  DistanceOfSet operator()(const Vec3& point) {
    switch (other_.solid->kind) {
      case SolidKind::plane:
        return geometry::from_plane(point, other_.position, other_.rotation * other_.solid->normal);
      case SolidKind::capsule:
        return geometry::from_segment(point, other_.position, other_.rotation.col(2),
                                      other_.solid->core.radius());
      case SolidKind::ring:
        return geometry::from_circle(point, circle_of(other_));
      case SolidKind::polyhedron:
        return from_polyhedron(point).first;
      case SolidKind::curved:
        return other_.solid->has_rims() ? from_cylinder_or_cone(point).point : from_curved(point);
      case SolidKind::bowl:
        return from_bowl(point);
      default:
        return geometry::from_point(point, other_.position);
    }
  }

  /// Of what is nearest to the point.
  Feature feature(const Vec3& point) {
    if (other_.solid->kind == SolidKind::plane) return {FeatureKind::face, 0};
    if (other_.solid->kind == SolidKind::polyhedron) return from_polyhedron(point).second;
    if (other_.solid->has_rims()) return from_cylinder_or_cone(point).feature;
    if (other_.solid->kind != SolidKind::capsule) return {FeatureKind::smooth, 0};
    const double half = other_.solid->core.radius();
    // By the point: what is nearest to it on a cap is an end of the axis only up to rounding.
    const double along = other_.rotation.col(2).dot(point - other_.position);
    return {FeatureKind::smooth, along <= -half ? 1 : (along >= half ? 2 : 0)};
  }

 private:
  std::pair<DistanceOfSet, Feature> from_polyhedron(const Vec3& point) {
    const Vec3 local = other_.rotation.transpose() * (point - other_.position);
    const geometry::ConvexDistance found =
        witness_.distance(point_core(), other_.solid->core, {Mat3::Identity(), local}, statistics_);
    return {{found.gap, other_.rotation * found.normal, other_ * found.b}, found.feature_b};
  }
  geometry::RimDistance from_cylinder_or_cone(const Vec3& point) const {
    return geometry::from_rims(point, *other_.solid->surface, other_.rotation, other_.position);
  }
  DistanceOfSet from_curved(const Vec3& point) {
    const geometry::Extremum found = geometry::extremum_of_point(
        point, {&other_.solid->surface->atoms().front(), other_.rotation, other_.position}, hint_);
    return {found.gap, found.normal, found.b};
  }

  DistanceOfSet from_bowl(const Vec3& point) const {
    const geometry::SupportAtom& cavity = other_.solid->surface->atoms().front();
    const Vec3 local = other_.rotation.transpose() * (point - other_.position);
    const Vec3 m = geometry::towards_nearest_wall(cavity, local);
    const double depth = cavity.height(m) - m.dot(local);
    const Vec3 normal = -(other_.rotation * m);
    return {depth, normal, point - depth * normal};
  }

  const Placed& other_;
  Witness& witness_;
  Vec3& hint_;
  PairStatistics& statistics_;
};

class RingSolid final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    const PlacedCircle circle = circle_of(a);
    Target target(b, witness_, hint_, statistics);
    const CirclePlace place = nearest(circle, b, target, roundings(a, b));
    const double moved = std::abs(std::remainder(place.angle - last_angle_, 2 * M_PI));
    ++(moved < same_place ? statistics.witness_hits : statistics.witness_misses);
    last_angle_ = place.angle;
    last_normal_ = place.other.normal;
    return made(a, b, target, place, {FeatureKind::smooth, 0});
  }

  void separations(const Placed& a, const Placed& b, double distance, PairStatistics& statistics,
                   std::vector<Separation>& found) override {
    const PlacedCircle circle = circle_of(a);
    Target target(b, witness_, hint_, statistics);
    const double reach = distance + roundings(a, b);
    const std::vector<CirclePlace> minima =
        circle_minima(circle, std::ref(target), reach, roundings(a, b));
    if (minima.empty()) return;
    const double varies = std::max(circle_tolerance(a.solid->rounding, distance),
                                   circle_rounding * (circle.radius + circle.centre.norm()));
    double least = reach, softest = minima.front().stiffness;
    for (const CirclePlace& place : minima) {
      least = std::min(least, place.distance());
      softest = std::min(softest, place.stiffness);
    }
    // A distance that varies as v cos(angle) has 2 v from side to side, and the stiffness v.
    if (2 * softest <= varies)
      add_points(a, b, target, minima, std::min(reach, least + varies), found);
    else
      for (const CirclePlace& place : minima)
        found.push_back(made(a, b, target, place,
                             {FeatureKind::smooth, static_cast<int>(&place - minima.data())}));
  }

 private:
  // The nearest place is remembered if it has moved by no more than this (rad).
  static constexpr double same_place = 0.1;

  static double roundings(const Placed& a, const Placed& b) {
    return a.solid->rounding + b.solid->rounding;
  }

  static Separation made(const Placed& a, const Placed& b, Target& target, const CirclePlace& place,
                         Feature on_ring) {
    Separation result;
    result.normal = place.other.normal;
    result.gap = place.distance() - roundings(a, b);
    result.point_a = place.on_circle - a.solid->rounding * result.normal;
    result.point_b = place.other.nearest + b.solid->rounding * result.normal;
    result.feature_a = on_ring;
    result.feature_b = target.feature(place.on_circle);
    return result;
  }

  CirclePlace nearest(const PlacedCircle& circle, const Placed& b, Target& target,
                      double roundings) const {
    if (b.solid->kind != SolidKind::curved || b.solid->has_rims())
      return nearest_on_circle(circle, std::ref(target), roundings, last_angle_);
    const geometry::PlacedAtom atom{&b.solid->surface->atoms().front(), b.rotation, b.position};
    if (!last_normal_.isZero(0)) {
      const std::optional<CirclePlace> place = stationary_near(circle, atom, last_normal_, 1);
      if (place && is_nearest_to_convex(circle, *place)) return *place;
    }
    return nearest_to_convex(circle, std::ref(target), bending_of(atom), roundings, last_angle_);
  }

  // Evenly spaced points of the circle that are near enough; and of arcs that are, a point near
  // each end. It is not at the end itself: a ring that slides would lose it at once.
  static void add_points(const Placed& a, const Placed& b, Target& target,
                         const std::vector<CirclePlace>& minima, double reach,
                         std::vector<Separation>& found) {
    const PlacedCircle circle = circle_of(a);
    const auto is_near = [&](double angle) { return target(circle.at(angle)).distance <= reach; };
    std::set<int> indices;
    for (int k = 0; k < even_ring_points; ++k) {
      const int index = k * (ring_point_steps / even_ring_points);
      if (is_near(angle_of_ring_point(index))) indices.insert(index);
    }
    const bool whole = static_cast<int>(indices.size()) == even_ring_points;
    for (const CirclePlace& place : minima) {
      if (whole || place.distance() > reach) continue;
      const double from = end_of_arc(is_near, place.angle, -1);
      const double to = end_of_arc(is_near, place.angle, 1);
      const double inset = arc_inset * (to - from);
      indices.insert(ring_point_at(from + inset, true));
      indices.insert(ring_point_at(to - inset, false));
    }
    for (const int index : indices) {
      CirclePlace place;
      place.on_circle = circle.at(angle_of_ring_point(index));
      place.other = target(place.on_circle);
      found.push_back(made(a, b, target, place, {FeatureKind::vertex, index}));
    }
  }

  // How far from an angle that is near the circle stays so.
  template <class IsNear>
  static double end_of_arc(const IsNear& is_near, double from, double side) {
    constexpr double step = 2 * M_PI / arc_samples;
    double near = from, far = from + side * step;
    for (int i = 0; i < arc_samples && is_near(far); ++i) {
      near = far;
      far += side * step;
    }
    for (int i = 0; i < arc_halvings; ++i)
      (is_near(0.5 * (near + far)) ? near : far) = 0.5 * (near + far);
    return near;
  }

  Witness witness_;
  Vec3 hint_ = Vec3::Zero();
  double last_angle_ = 0;
  Vec3 last_normal_ = Vec3::Zero();
};

}  // namespace

std::unique_ptr<PartPair> make_ring_solid() {
  return std::make_unique<RingSolid>();
}

}  // namespace abut::narrow
