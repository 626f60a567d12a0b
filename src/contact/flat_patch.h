#pragma once
// The part of a solid's surface that lies in the plane of contact, as far as the tolerance can
// tell: a face, the disc at the end of a cylinder, an edge, a line on the side of a cylinder or
// cone, or a single point. Used where one of two parts is a cylinder or cone.

#include <optional>
#include <vector>

#include "contact/near_surface.h"

namespace abut::contact {

/// A rim that lies in the plane of contact is met with its tangent where it crosses a border. Its
/// two crossings with one border are told apart: as edges they are numbered after the atoms, of
/// which there are two.
inline Feature rim_crossing(int atom, int which) {
  return {FeatureKind::edge, atom + 2 * (1 + which)};
}
inline bool is_rim_crossing(const Feature& edge) {
  return edge.index >= 2;
}
/// The atom of a rim or of its crossing.
inline int atom_of_rim(const Feature& edge) {
  return edge.index % 2;
}

enum class PatchKind : std::uint8_t { point, segment, polygon, disc, everything };

struct PatchCorner {
  Vec2 at = Vec2::Zero();
  double height = 0;  ///< of the surface
  Feature feature;
};

struct FlatPatch {
  PatchKind kind = PatchKind::point;
  Feature feature;                   ///< that holds all of it
  std::vector<PatchCorner> corners;  ///< one, two, or those of a polygon, counter-clockwise
  std::vector<Feature> borders;      ///< of a polygon: from each corner to the next
  double height = 0;                 ///< of the surface at the origin of the chart
  Vec2 slope = Vec2::Zero();
  /// Of a disc. Angles are measured about the z axis of the solid, whose x axis the chart sees
  /// along `angle_zero`, and whose sense is counter-clockwise in the chart if `turns` is 1.
  Vec2 centre = Vec2::Zero();
  double radius = 0;
  int atom = 0;
  double angle_zero = 0;
  double turns = 1;
  double curvature_radius = 0;  ///< of a segment: of the surface across it, 0 for an edge, m

  bool is_flat() const { return kind >= PatchKind::polygon; }
  double height_at(const Vec2& at) const { return height + slope.dot(at); }
};

/// The normal of the flat part of a surface that is parallel to the plane across `normal` over
/// `extent` (m), which the other part's size limits; turned to the same sense as `normal`.
std::optional<Vec3> flat_normal(const narrow::Placed& part, Side side, const Vec3& normal,
                                double extent, double tolerance);

/// What lies in the plane of the chart over `extent`; no more than `most`.
FlatPatch flat_patch(const narrow::Placed& part, Side side, const Chart& chart, double extent,
                     double tolerance, PatchKind most = PatchKind::everything);

}  // namespace abut::contact
