// A curved solid against anything bounded. The cells of normals that were nearest last time are
// tried first (Baraff 1990, section 7: extremal points are cached); their answer proves itself.

#include "geometry/curved_distance.h"
#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

using geometry::CellKind;
using geometry::NormalCell;

geometry::PlacedConvex convex_of(const Placed& part) {
  const Solid& solid = *part.solid;
  return {solid.surface.get(), solid.surface ? nullptr : &solid.core, part.rotation, part.position};
}

/// A face with corners on a plane through the nearest point; corners that the search picked need
/// not be neighbours.
Feature polyhedron_feature(const geometry::ConvexPolyhedron& core, const NormalCell& cell,
                           const Vec3& outward) {
  if (cell.kind == CellKind::atom) return {FeatureKind::vertex, cell.atoms[0]};
  if (cell.kind == CellKind::line) {
    const int edge = core.edge_between(cell.atoms[0], cell.atoms[1]);
    if (edge >= 0) return {FeatureKind::edge, edge};
  }
  int best = 0;
  double cosine = -1;
  for (const int h : core.leaving(cell.atoms[0])) {
    const int face = core.half_edges()[h].face;
    if (face < 0 || core.faces()[face].normal.dot(outward) <= cosine) continue;
    cosine = core.faces()[face].normal.dot(outward);
    best = face;
  }
  return {FeatureKind::face, best};
}

/// Of a cylinder or cone.
Feature rim_feature(const geometry::ConvexSurface& surface, const NormalCell& cell) {
  const int atom = cell.atoms[0];
  if (cell.kind == CellKind::line) return {FeatureKind::smooth, 0};
  if (cell.kind == CellKind::flat) return {FeatureKind::face, surface.disc_of(atom)};
  return {surface.atoms()[atom].is_point() ? FeatureKind::vertex : FeatureKind::edge, atom};
}

Feature feature_of(const Placed& part, const NormalCell& cell, const Vec3& outward) {
  if (part.solid->has_rims()) return rim_feature(*part.solid->surface, cell);
  if (part.solid->kind != SolidKind::polyhedron) {
    const bool is_cap = part.solid->kind == SolidKind::capsule && cell.kind == CellKind::atom;
    return {FeatureKind::smooth, is_cap ? cell.atoms[0] + 1 : 0};
  }
  return polyhedron_feature(part.solid->core, cell, part.rotation.transpose() * outward);
}

class CurvedSolid final : public PartPair {
 public:
  Separation separation(const Placed& a, const Placed& b, PairStatistics& statistics) override {
    return found(a, b, geometry::WayOut::shortest, statistics);
  }
  Separation separation_or_overlap(const Placed& a, const Placed& b,
                                   PairStatistics& statistics) override {
    return found(a, b, geometry::WayOut::any, statistics);
  }

  /// Any normal gives a lower bound, so the remembered one does.
  std::optional<double> lower_bound(const Placed& a, const Placed& b) override {
    if (!last_) return std::nullopt;
    const Vec3 n = b.rotation * normal_in_b_;
    return -convex_of(a).height(-n) - convex_of(b).height(n) - a.solid->rounding -
           b.solid->rounding;
  }

 private:
  Separation found(const Placed& a, const Placed& b, geometry::WayOut way_out,
                   PairStatistics& statistics) {
    const geometry::PlacedConvex convex_a = convex_of(a), convex_b = convex_of(b);
    geometry::CurvedSearchStatistics search;
    std::optional<geometry::CurvedDistance> distance;
    if (last_) {
      // The remembered normal turns with b, so that bodies that move together lose nothing.
      last_->normal = b.rotation * normal_in_b_;
      distance = geometry::curved_distance_near(convex_a, convex_b, *last_, search);
    }
    ++(distance ? statistics.witness_hits : statistics.witness_misses);
    if (!distance) distance = geometry::curved_distance(convex_a, convex_b, search, way_out);
    last_ = distance;
    normal_in_b_ = b.rotation.transpose() * distance->normal;

    Separation result;
    result.normal = distance->normal;
    result.gap = distance->gap - a.solid->rounding - b.solid->rounding;
    result.point_a = distance->a - a.solid->rounding * result.normal;
    result.point_b = distance->b + b.solid->rounding * result.normal;
    result.feature_a = feature_of(a, distance->cell_a, -result.normal);
    result.feature_b = feature_of(b, distance->cell_b, result.normal);
    result.converged = distance->converged;
    return result;
  }

  std::optional<geometry::CurvedDistance> last_;
  Vec3 normal_in_b_ = Vec3::UnitZ();
};

}  // namespace

std::unique_ptr<PartPair> make_curved_solid() {
  return std::make_unique<CurvedSolid>();
}

}  // namespace abut::narrow
