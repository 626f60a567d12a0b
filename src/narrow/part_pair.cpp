#include "narrow/part_pair.h"

#include <utility>

namespace abut::narrow {
namespace {

using Maker = std::unique_ptr<PartPair> (*)();

struct Row {
  SolidKind a;
  SolidKind b;
  Maker make;
};

/// Every pair that is supported, in one of its two orders. Two planes are not: half-spaces overlap
/// without end, and bodies that hold them do not move.
constexpr Row table[] = {
    {SolidKind::plane, SolidKind::sphere, make_plane_solid},
    {SolidKind::plane, SolidKind::capsule, make_plane_solid},
    {SolidKind::plane, SolidKind::polyhedron, make_plane_solid},
    {SolidKind::sphere, SolidKind::sphere, make_sphere_sphere},
    {SolidKind::sphere, SolidKind::capsule, make_sphere_capsule},
    {SolidKind::capsule, SolidKind::capsule, make_capsule_capsule},
    {SolidKind::polyhedron, SolidKind::sphere, make_polyhedron_solid},
    {SolidKind::polyhedron, SolidKind::capsule, make_polyhedron_solid},
    {SolidKind::polyhedron, SolidKind::polyhedron, make_polyhedron_solid},
    {SolidKind::plane, SolidKind::curved, make_plane_curved},
    {SolidKind::curved, SolidKind::sphere, make_curved_solid},
    {SolidKind::curved, SolidKind::capsule, make_curved_solid},
    {SolidKind::curved, SolidKind::polyhedron, make_curved_solid},
    {SolidKind::curved, SolidKind::curved, make_curved_solid},
};

/// A pair whose parts come in the other order.
class Swapped final : public PartPair {
 public:
  explicit Swapped(std::unique_ptr<PartPair> pair) : pair_(std::move(pair)) {}

  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    Separation result = pair_->separation(b, a, statistics);
    result.normal = -result.normal;
    std::swap(result.point_a, result.point_b);
    std::swap(result.feature_a, result.feature_b);
    return result;
  }
  std::optional<double> lower_bound(const Placed& a, const Placed& b) override {
    return pair_->lower_bound(b, a);
  }

 private:
  std::unique_ptr<PartPair> pair_;
};

}  // namespace

bool is_supported(SolidKind a, SolidKind b) {
  for (const Row& row : table) {
    if ((row.a == a && row.b == b) || (row.a == b && row.b == a)) return true;
  }
  return false;
}

std::unique_ptr<PartPair> make_part_pair(SolidKind a, SolidKind b) {
  for (const Row& row : table) {
    if (row.a == a && row.b == b) return row.make();
    if (row.a == b && row.b == a) return std::make_unique<Swapped>(row.make());
  }
  return nullptr;
}

Separation rounded_points(const Vec3& a, double rounding_a, const Vec3& b, double rounding_b,
                          const Vec3& fallback) {
  Separation result;
  const double distance = (a - b).stableNorm();
  result.gap = distance - rounding_a - rounding_b;
  result.normal = distance > 0 ? Vec3((a - b).stableNormalized()) : fallback;
  result.point_a = a - rounding_a * result.normal;
  result.point_b = b + rounding_b * result.normal;
  result.feature_a = {FeatureKind::smooth, 0};
  result.feature_b = {FeatureKind::smooth, 0};
  return result;
}

}  // namespace abut::narrow
