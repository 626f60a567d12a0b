#pragma once
// Where bodies touch: regions, each reduced to the vertices of its convex hull.
//
// Two convex parts that touch have a plane between them. Seen along its normal n, the distance of
// their surfaces is a convex function of the place in the plane: the lower surface of a is convex,
// the upper one of b concave. The places where it exceeds the smallest gap by no more than a
// tolerance form a convex set. The corners of the parts and the crossings of their edges in this
// set span the contact region: a corner on a face gives a point, an edge on a face a segment, a
// face on a face a polygon. What counts as parallel follows: faces that form a wedge touch along an
// edge if the wedge opens to more than the tolerance over the region, and as faces if not.

#include <compare>
#include <string>
#include <vector>

#include "abut/types.h"
#include "geometry/feature.h"
#include "narrow/pair.h"

namespace abut::contact {

using geometry::Feature;
using geometry::FeatureKind;

/// What touches what. Stays the same from step to step while the same features touch, so it
/// recognises a point in spite of its motion.
///
/// Vertices, edges and faces are those of geometry::ConvexPolyhedron, and of cylinders and cones
/// those that geometry/feature.h tells. A plane has face 0. Of smooth parts, 0 is the surface of a
/// sphere or the side of a capsule, cylinder or cone, 1 and 2 are the caps of a capsule at
/// -height/2 and +height/2.
struct ContactLabel {
  int part_a = 0;
  Feature a;
  int part_b = 0;
  Feature b;

  int part(int side) const { return side == 0 ? part_a : part_b; }
  const Feature& feature(int side) const { return side == 0 ? a : b; }
  bool operator==(const ContactLabel&) const = default;
};
std::strong_ordering operator<=>(const ContactLabel& x, const ContactLabel& y);

struct ContactPoint {
  Vec3 position = Vec3::Zero();  ///< halfway between the surfaces, world
  double gap = 0;                ///< m, along the normal; < 0: overlap
  ContactLabel label;
};

/// Part of the border of a region: an arc of a rim of body a (side 0) or b (side 1), between angles
/// about the z axis of the solid, rad; to > from. A ring that lies flat has one too.
struct RegionArc {
  int side = 0;
  int atom = 0;  ///< of a cylinder or cone
  double from = 0;
  double to = 0;
};

struct ContactRegion {
  BodyIndex body_a = world;  ///< set by whoever knows the bodies' places in a model
  BodyIndex body_b = world;
  int dimension = 0;                 ///< 0: one point, 1: two end points, 2: a convex polygon
  Vec3 normal = Vec3::UnitZ();       ///< unit, from b to a; one for all points
  std::vector<ContactPoint> points;  ///< counter-clockwise about the normal
  ContactLabel label;                ///< the smallest features that hold the whole region
  std::vector<RegionArc> arcs;       ///< of which the points are only samples
  double tolerance = 0;              ///< by which gaps within the region may differ, m
  /// Where parts that are not convex touch at several places: from the others to this one. Zero if
  /// there is no other.
  Vec3 apart = Vec3::Zero();
  double touching = 0;  ///< distance up to which parts counted as touching, m
};

struct ContactSet {
  std::vector<ContactRegion> regions;
};

/// Which points of a region are told: those that span it, within a little of the smallest gap;
/// everything that is within the other part, at whatever depth, as long as it counts as touching;
/// or everything of one part that is within the touching distance of the other: what it could
/// reach.
enum class RegionPoints { hull, all_within, reachable };

/// A region for each pair of parts with a gap of at most `touching_distance` (m); poses are those
/// of the body frames. Overlapping parts have a region too, along their shortest way out.
std::vector<ContactRegion> find_regions(narrow::PairQuery& query, const Pose& pose_a,
                                        const Pose& pose_b, double touching_distance,
                                        RegionPoints points = RegionPoints::hull);
/// Of everything within reach (RegionPoints::reachable), where seams between the parts of a body
/// count as closed up to a width (m).
std::vector<ContactRegion> find_reachable_regions(narrow::PairQuery& query, const Pose& pose_a,
                                                  const Pose& pose_b, double reach, double seam);

/// The two sides of a label as the record tells them.
ContactFeature recorded_a(const ContactLabel& label);
ContactFeature recorded_b(const ContactLabel& label);

/// `face 3`, `vertex 1`, `cap 2`: as users read it, counted from 1.
std::string name_of(const Feature& feature);

}  // namespace abut::contact
