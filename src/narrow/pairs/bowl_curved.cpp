// A bowl against an ellipsoid inside of it, which may touch at several places.

#include "geometry/cavity.h"
#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

class BowlCurved final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    const auto minima = cavity_minima(pair_of(a, b));
    const Vec3 m = a.rotation.transpose() * minima.front().normal;
    ++(m.dot(last_) > same_place ? statistics.witness_hits : statistics.witness_misses);
    last_ = m;
    return made(minima.front(), 0);
  }

  void separations(const Placed& a, const Placed& b, double distance, PairStatistics& statistics,
                   std::vector<Separation>& found) override {
    ++statistics.witness_misses;
    int count = 0;
    for (const geometry::CavityPlace& place : cavity_minima(pair_of(a, b)))
      if (place.clearance <= distance)
        found.push_back(
            made(place, place.in_valley < 0 ? count++ : first_in_valley + place.in_valley));
  }

 private:
  // The nearest place is remembered if its normal has turned by no more than this (cosine).
  static constexpr double same_place = 0.99;
  // Places of a valley are named by where they were looked for, beyond all that are single.
  static constexpr int first_in_valley = 32;

  static geometry::CavityPair pair_of(const Placed& a, const Placed& b) {
    return {{&a.solid->surface->atoms().front(), a.rotation, a.position},
            {&b.solid->surface->atoms().front(), b.rotation, b.position}};
  }
  static Separation made(const geometry::CavityPlace& place, int count) {
    Separation result;
    result.normal = place.normal;
    result.gap = place.clearance;
    result.point_a = place.wall;
    result.point_b = place.inside;
    result.feature_a = {FeatureKind::smooth, count};
    result.feature_b = {FeatureKind::smooth, 0};
    return result;
  }

  Vec3 last_ = Vec3::Zero();
};

}  // namespace

std::unique_ptr<PartPair> make_bowl_curved() {
  return std::make_unique<BowlCurved>();
}

}  // namespace abut::narrow
