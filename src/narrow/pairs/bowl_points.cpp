// A bowl against a sphere, capsule or polyhedron inside of it. A convex cavity holds a polyhedron
// if it holds its corners, so only corners touch a concave wall; rounding makes balls of them.

#include <limits>

#include "geometry/cavity.h"
#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

using geometry::SupportAtom;

Feature corner_feature(const Solid& solid, int corner) {
  if (solid.kind == SolidKind::polyhedron) return {FeatureKind::vertex, corner};
  return {FeatureKind::smooth, solid.kind == SolidKind::capsule ? corner + 1 : 0};
}

class BowlPoints final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    const SupportAtom& cavity = a.solid->surface->atoms().front();
    int nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    const auto& corners = b.solid->core.vertices();
    for (int i = 0; i < static_cast<int>(corners.size()); ++i) {
      const double depth = geometry::depth_in(cavity, in_bowl(a, b * corners[i]));
      if (depth < least) nearest = i;
      least = std::min(least, depth);
    }
    ++(nearest == last_ ? statistics.witness_hits : statistics.witness_misses);
    last_ = nearest;
    return at(a, b, nearest,
              geometry::towards_nearest_wall(cavity, in_bowl(a, b * corners[nearest])), 0);
  }

  void separations(const Placed& a, const Placed& b, double distance, PairStatistics& statistics,
                   std::vector<Separation>& found) override {
    const SupportAtom& cavity = a.solid->surface->atoms().front();
    const auto& corners = b.solid->core.vertices();
    ++statistics.witness_misses;
    for (int i = 0; i < static_cast<int>(corners.size()); ++i) {
      const Vec3 p = in_bowl(a, b * corners[i]);
      const Vec3 m = geometry::towards_nearest_wall(cavity, p);
      const Separation nearest = at(a, b, i, m, 0);
      if (!(nearest.gap <= distance)) continue;
      // A ball that is no flatter than the wall anywhere touches it at one place (Blaschke).
      if (b.solid->rounding < cavity.least_radius() || b.solid->rounding == 0) {
        found.push_back(nearest);
        continue;
      }
      geometry::CavityPair pair;
      pair.cavity.atom = &cavity;
      pair.inside.atom = &SupportAtom::origin();
      pair.inside.position = p;
      int count = 0;
      for (const geometry::CavityPlace& place : geometry::cavity_minima(pair)) {
        const Separation one = at(a, b, i, place.normal, count);
        if (!(one.gap <= distance)) continue;
        found.push_back(one);
        ++count;
      }
    }
  }

 private:
  static Vec3 in_bowl(const Placed& bowl, const Vec3& x) {
    return bowl.rotation.transpose() * (x - bowl.position);
  }

  /// `m` is the normal in the frame of the bowl, from the corner to the wall.
  static Separation at(const Placed& a, const Placed& b, int corner, const Vec3& m, int place) {
    const SupportAtom& cavity = a.solid->surface->atoms().front();
    const Vec3 x = b * b.solid->core.vertices()[corner];
    Separation result;
    result.normal = a.rotation * m;
    result.gap = cavity.height(m) - m.dot(in_bowl(a, x)) - b.solid->rounding;
    result.point_b = x + b.solid->rounding * result.normal;
    result.point_a = result.point_b + result.gap * result.normal;
    result.feature_a = {FeatureKind::smooth, place};
    result.feature_b = corner_feature(*b.solid, corner);
    return result;
  }

  int last_ = -1;
};

}  // namespace

std::unique_ptr<PartPair> make_bowl_points() {
  return std::make_unique<BowlPoints>();
}

}  // namespace abut::narrow
