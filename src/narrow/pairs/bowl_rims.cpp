// A bowl against a cylinder or cone inside of it. A convex cavity holds a cylinder if it holds its
// rims, and a cone if it holds its rim and its apex: only these touch a concave wall. A rim is a
// circle whose distance from the wall is a function of one angle, as a ring's is; where it is
// equally near all along, as that of a cylinder which stands in a spherical bowl, places of it
// stand for all.

#include <array>
#include <cmath>
#include <limits>

#include "geometry/cavity.h"
#include "geometry/circle_minima.h"
#include "narrow/part_pair.h"
#include "narrow/ring_points.h"

namespace abut::narrow {
namespace {

using geometry::CirclePlace;
using geometry::DistanceOfSet;
using geometry::PlacedCircle;
using geometry::SupportAtom;

// A rim counts as equally near all along where its distance varies by less than the touching
// distance, and at least by this times its size, which is rounding (dimensionless).
constexpr double rim_rounding = 1e-14;

class BowlRims final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    Separation best;
    best.gap = std::numeric_limits<double>::infinity();
    const auto atoms = b.solid->surface->atoms();
    bool moved = false;
    for (int i = 0; i < static_cast<int>(atoms.size()); ++i) {
      Separation found;
      if (atoms[i].is_point()) {
        found = at_point(a, b, i);
      } else {
        const CirclePlace place = nearest_on_circle(
            rim(b, atoms[i]), [&](const Vec3& p) { return from_wall(a, p); }, width(a), angles_[i]);
        moved = moved || std::abs(std::remainder(place.angle - angles_[i], 2 * M_PI)) > same_place;
        angles_[i] = place.angle;
        found = made(place.on_circle, place.other, 0, {FeatureKind::edge, i});
      }
      if (found.gap < best.gap) best = found;
    }
    ++(moved ? statistics.witness_misses : statistics.witness_hits);
    return best;
  }

  void separations(const Placed& a, const Placed& b, double distance, PairStatistics& statistics,
                   std::vector<Separation>& found) override {
    ++statistics.witness_misses;
    const auto atoms = b.solid->surface->atoms();
    int count = 0;
    for (int i = 0; i < static_cast<int>(atoms.size()); ++i) {
      if (atoms[i].is_point()) {
        const Separation apex = at_point(a, b, i);
        if (apex.gap <= distance) found.push_back(apex);
      } else {
        add_rim(a, b, i, distance, count, found);
      }
    }
  }

 private:
  // The nearest place is remembered if it has moved by no more than this (rad).
  static constexpr double same_place = 0.1;

  static double width(const Placed& bowl) {
    return bowl.solid->surface->atoms().front().least_radius();
  }
  static PlacedCircle rim(const Placed& part, const SupportAtom& atom) {
    return {part * atom.centre(), part.rotation, atom.outer_radius()};
  }
  // The normal is that from the wall.
  static DistanceOfSet from_wall(const Placed& bowl, const Vec3& point) {
    const SupportAtom& cavity = bowl.solid->surface->atoms().front();
    const Vec3 local = bowl.rotation.transpose() * (point - bowl.position);
    const Vec3 m = geometry::towards_nearest_wall(cavity, local);
    const double depth = cavity.height(m) - m.dot(local);
    const Vec3 normal = -(bowl.rotation * m);
    return {depth, normal, point - depth * normal};
  }
  static Separation made(const Vec3& on_rim, const DistanceOfSet& wall, int count,
                         const Feature& feature) {
    Separation result;
    result.normal = -wall.normal;
    result.gap = wall.distance;
    result.point_a = wall.nearest;
    result.point_b = on_rim;
    result.feature_a = {FeatureKind::smooth, count};
    result.feature_b = feature;
    return result;
  }
  static Separation at_point(const Placed& a, const Placed& b, int atom) {
    const Vec3 apex = b * b.solid->surface->atoms()[atom].centre();
    return made(apex, from_wall(a, apex), 0, {FeatureKind::vertex, atom});
  }

  static void add_rim(const Placed& a, const Placed& b, int atom, double distance, int& count,
                      std::vector<Separation>& found) {
    const PlacedCircle circle = rim(b, b.solid->surface->atoms()[atom]);
    const auto wall = [&](const Vec3& p) { return from_wall(a, p); };
    const std::vector<CirclePlace> minima = circle_minima(circle, wall, distance, width(a));
    if (minima.empty()) return;
    const double varies = std::max(circle_tolerance(circle.radius, distance),
                                   rim_rounding * (circle.radius + circle.centre.norm()));
    double softest = minima.front().stiffness;
    for (const CirclePlace& place : minima) softest = std::min(softest, place.stiffness);
    // A distance that varies as v cos(angle) has 2 v from side to side, and the stiffness v.
    if (2 * softest > varies) {
      for (const CirclePlace& place : minima)
        found.push_back(made(place.on_circle, place.other, count++, {FeatureKind::edge, atom}));
      return;
    }
    for (int k = 0; k < even_ring_points; ++k) {
      const int place = k * geometry::places_per_rim / even_ring_points;
      const Vec3 p = circle.at(2 * M_PI * place / geometry::places_per_rim);
      const DistanceOfSet there = wall(p);
      if (there.distance <= distance + varies)
        found.push_back(
            made(p, there, 0, {FeatureKind::rim_place, geometry::rim_place_index(atom, place)}));
    }
  }

  std::array<double, 2> angles_ = {0, 0};
};

}  // namespace

std::unique_ptr<PartPair> make_bowl_rims() {
  return std::make_unique<BowlRims>();
}

}  // namespace abut::narrow
