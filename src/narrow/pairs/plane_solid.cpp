// A half-space against anything bounded: the core's vertex that reaches farthest into it.

#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

class PlaneSolid final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics&) override {
    const Vec3 up = a.rotation * a.solid->normal;
    lowest_ = b.solid->core.support(-(b.rotation.transpose() * up), lowest_);
    const Vec3 deepest = b * b.solid->core.vertices()[lowest_];
    const double height = up.dot(deepest - a.position);
    Separation result;
    result.gap = height - b.solid->rounding;
    result.normal = -up;
    result.point_a = deepest - height * up;
    result.point_b = deepest - b.solid->rounding * up;
    result.feature_a = {FeatureKind::face, 0};
    const bool is_smooth = b.solid->kind != SolidKind::polyhedron;
    result.feature_b =
        is_smooth ? Feature{FeatureKind::smooth, 0} : Feature{FeatureKind::vertex, lowest_};
    return result;
  }

 private:
  int lowest_ = -1;  ///< where the climb starts next time
};

}  // namespace

std::unique_ptr<PartPair> make_plane_solid() {
  return std::make_unique<PlaneSolid>();
}

}  // namespace abut::narrow
