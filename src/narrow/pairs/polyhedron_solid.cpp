// A polyhedron against a polyhedron, a sphere or a capsule: the signed distance of the cores, less
// the rounding. This holds for overlapping cores too: rounding adds a constant to the depth along
// every direction.

#include "narrow/part_pair.h"
#include "narrow/witness.h"

namespace abut::narrow {
namespace {

geometry::RelativePose relative(const Placed& a, const Placed& b) {
  const Mat3 to_b = b.rotation.transpose();
  return {to_b * a.rotation, to_b * (a.position - b.position)};
}

Feature feature_of(const Solid& solid, Feature of_core) {
  return solid.kind == SolidKind::polyhedron ? of_core : Feature{FeatureKind::smooth, 0};
}

class PolyhedronSolid final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    const geometry::ConvexDistance cores =
        witness_.distance(a.solid->core, b.solid->core, relative(a, b), statistics);
    Separation result;
    result.gap = cores.gap - a.solid->rounding - b.solid->rounding;
    result.normal = b.rotation * cores.normal;
    result.point_a = b * cores.a - a.solid->rounding * result.normal;
    result.point_b = b * cores.b + b.solid->rounding * result.normal;
    result.feature_a = feature_of(*a.solid, cores.feature_a);
    result.feature_b = feature_of(*b.solid, cores.feature_b);
    result.converged = cores.converged;
    return result;
  }

  std::optional<double> lower_bound(const Placed& a, const Placed& b) override {
    const auto of_cores = witness_.lower_bound(a.solid->core, b.solid->core, relative(a, b));
    if (!of_cores) return std::nullopt;
    return *of_cores - a.solid->rounding - b.solid->rounding;
  }

 private:
  Witness witness_;
};

}  // namespace

std::unique_ptr<PartPair> make_polyhedron_solid() {
  return std::make_unique<PolyhedronSolid>();
}

}  // namespace abut::narrow
