#include "narrow/nesting.h"

#include <optional>

#include "narrow/mesh_cells.h"
#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

// A point of the solid, in the frame in which it is placed; nothing for those without end.
std::optional<Vec3> point_of(const Placed& placed) {
  const Solid& solid = *placed.solid;
  if (!solid.is_bounded()) return std::nullopt;
  if (solid.kind == SolidKind::ring) return placed * solid.on_circle(0);
  if (solid.kind != SolidKind::mesh) return placed.position;
  const geometry::MeshBoundary& boundary = solid.cells->boundary();
  return placed * Vec3(boundary.vertex(boundary.corners(0).front()) - boundary.centre());
}

bool holds(const Placed& placed, const Vec3& x) {
  const Solid& solid = *placed.solid;
  if (solid.kind == SolidKind::mesh) {
    const geometry::MeshBoundary& boundary = solid.cells->boundary();
    return boundary.contains(placed.rotation.transpose() * (x - placed.position) +
                             boundary.centre());
  }
  Solid point;
  point.kind = SolidKind::sphere;
  point.core = geometry::ConvexPolyhedron::from_point();
  PairStatistics statistics;
  const std::unique_ptr<PartPair> pair = make_part_pair(point, solid);
  return pair && pair->separation({&point, Mat3::Identity(), x}, placed, statistics).gap < 0;
}

}  // namespace

bool are_nested(const BodyShape& a, const Pose& pose_a, const BodyShape& b, const Pose& pose_b) {
  const Vec3 offset = pose_a.position - pose_b.position;
  for (const Solid& solid_a : a.solids())
    for (const Solid& solid_b : b.solids()) {
      if (solid_a.kind != SolidKind::mesh && solid_b.kind != SolidKind::mesh) continue;
      const Placed at_a = placed(solid_a, offset, pose_a.orientation);
      const Placed at_b = placed(solid_b, Vec3::Zero(), pose_b.orientation);
      const auto in_a = point_of(at_a), in_b = point_of(at_b);
      if ((in_b && holds(at_a, *in_b)) || (in_a && holds(at_b, *in_a))) return true;
    }
  return false;
}

}  // namespace abut::narrow
