#include "contact/cell_feature.h"

namespace abut::contact {

Feature feature_at(const HeldPart& cell, const Vec3& place, double near) {
  const geometry::ConvexPolyhedron& core = cell.solid->core;
  const auto vertex = [&](int v) { return cell.point(core.vertices()[v]); };
  for (int v = 0; v < static_cast<int>(core.vertices().size()); ++v)
    if ((vertex(v) - place).norm() <= near) return {FeatureKind::vertex, v};
  for (int e = 0; e < static_cast<int>(core.half_edges().size()) / 2; ++e) {
    const Vec3 start = vertex(core.edge_start(e)), along = vertex(core.edge_end(e)) - start;
    const double part = along.dot(place - start) / along.squaredNorm();
    if (part > 0 && part < 1 && (start + part * along - place).norm() <= near)
      return {FeatureKind::edge, e};
  }
  return {FeatureKind::face, 0};
}

}  // namespace abut::contact
