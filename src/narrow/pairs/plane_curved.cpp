// A half-space against a curved solid: the solid's support point, in closed form.

#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

class PlaneCurved final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics&) override {
    const Vec3 up = a.rotation * a.solid->normal;
    const geometry::ConvexSurface& surface = *b.solid->surface;
    const Vec3 down = -(b.rotation.transpose() * up);
    const int atom = surface.farthest_atom(down);
    const Vec3 deepest = b * surface.atoms()[atom].support(down);
    Separation result;
    result.gap = up.dot(deepest - a.position);
    result.normal = -up;
    result.point_a = deepest - result.gap * up;
    result.point_b = deepest;
    result.feature_a = {FeatureKind::face, 0};
    result.feature_b = {FeatureKind::smooth, 0};
    if (b.solid->has_rims())
      result.feature_b = {
          surface.atoms()[atom].is_point() ? FeatureKind::vertex : FeatureKind::edge, atom};
    return result;
  }
};

}  // namespace

std::unique_ptr<PartPair> make_plane_curved() {
  return std::make_unique<PlaneCurved>();
}

}  // namespace abut::narrow
