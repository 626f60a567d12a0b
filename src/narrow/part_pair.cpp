#include "narrow/part_pair.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace abut::narrow {
namespace {

using Maker = std::unique_ptr<PartPair> (*)();

struct Row {
  SolidKind a;
  SolidKind b;
  Maker make;
};

/// Every pair that is supported, in one of its two orders. Planes and bowls among each other are
/// not: they overlap without end, and bodies that hold them do not move.
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
    {SolidKind::bowl, SolidKind::sphere, make_bowl_points},
    {SolidKind::bowl, SolidKind::capsule, make_bowl_points},
    {SolidKind::bowl, SolidKind::polyhedron, make_bowl_points},
    {SolidKind::bowl, SolidKind::curved, make_bowl_curved},
    {SolidKind::ring, SolidKind::plane, make_ring_solid},
    {SolidKind::ring, SolidKind::sphere, make_ring_solid},
    {SolidKind::ring, SolidKind::capsule, make_ring_solid},
    {SolidKind::ring, SolidKind::polyhedron, make_ring_solid},
    {SolidKind::ring, SolidKind::curved, make_ring_solid},
    {SolidKind::ring, SolidKind::ring, make_ring_solid},
    {SolidKind::ring, SolidKind::bowl, make_ring_solid},
    {SolidKind::mesh, SolidKind::plane, make_mesh_solid},
    {SolidKind::mesh, SolidKind::sphere, make_mesh_solid},
    {SolidKind::mesh, SolidKind::capsule, make_mesh_solid},
    {SolidKind::mesh, SolidKind::polyhedron, make_mesh_solid},
    {SolidKind::mesh, SolidKind::curved, make_mesh_solid},
    {SolidKind::mesh, SolidKind::ring, make_mesh_solid},
    {SolidKind::mesh, SolidKind::bowl, make_mesh_solid},
    {SolidKind::mesh, SolidKind::mesh, make_mesh_solid},
};

/// A pair whose parts come in the other order.
class Swapped final : public PartPair {
 public:
  explicit Swapped(std::unique_ptr<PartPair> pair) : pair_(std::move(pair)) {}

  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    return turned_round(pair_->separation(b, a, statistics));
  }
  Separation separation_or_overlap(const Placed& a, const Placed& b,
                                   PairStatistics& statistics) override {
    return turned_round(pair_->separation_or_overlap(b, a, statistics));
  }
  void separations(const Placed& a, const Placed& b, double distance, PairStatistics& statistics,
                   std::vector<Separation>& found) override {
    const std::size_t before = found.size();
    pair_->separations(b, a, distance, statistics, found);
    for (std::size_t i = before; i < found.size(); ++i) found[i] = turned_round(found[i]);
  }
  double separations_ahead(const Placed& a, const Placed& b, const Ahead& ahead,
                           PairStatistics& statistics, std::vector<Separation>& found) override {
    const std::size_t before = found.size();
    const Ahead swapped{ahead.drift.swapped(), ahead.within, ahead.reach};
    const double reach = pair_->separations_ahead(b, a, swapped, statistics, found);
    for (std::size_t i = before; i < found.size(); ++i) found[i] = turned_round(found[i]);
    return reach;
  }
  std::optional<double> lower_bound(const Placed& a, const Placed& b) override {
    return pair_->lower_bound(b, a);
  }

 private:
  static Separation turned_round(Separation result) {
    result.normal = -result.normal;
    std::swap(result.point_a, result.point_b);
    std::swap(result.feature_a, result.feature_b);
    std::swap(result.part_a, result.part_b);
    return result;
  }

  std::unique_ptr<PartPair> pair_;
};

}  // namespace

bool is_supported(const Solid& a, const Solid& b) {
  // Of smooth solids in a bowl only ellipsoids can be watched (toi/bowl_solid_watch.cpp).
  const auto is_other_curved = [](const Solid& solid) {
    return solid.kind == SolidKind::curved && !solid.has_rims() &&
           !solid.surface->atoms().front().is_ellipsoid();
  };
  if ((a.kind == SolidKind::bowl && is_other_curved(b)) ||
      (b.kind == SolidKind::bowl && is_other_curved(a)))
    return false;
  return std::any_of(std::begin(table), std::end(table), [&](const Row& row) {
    return (row.a == a.kind && row.b == b.kind) || (row.a == b.kind && row.b == a.kind);
  });
}

std::unique_ptr<PartPair> make_part_pair(const Solid& a, const Solid& b) {
  if (a.kind == SolidKind::bowl && b.has_rims()) return make_bowl_rims();
  if (b.kind == SolidKind::bowl && a.has_rims()) return std::make_unique<Swapped>(make_bowl_rims());
  for (const Row& row : table) {
    if (row.a == a.kind && row.b == b.kind) return row.make();
    if (row.a == b.kind && row.b == a.kind) return std::make_unique<Swapped>(row.make());
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
