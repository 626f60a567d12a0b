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
/// Vertices, edges and faces are those of geometry::ConvexPolyhedron. A plane has face 0. Of smooth
/// parts, 0 is the surface of a sphere or the side of a capsule, 1 and 2 are the caps of a capsule
/// at -height/2 and +height/2.
struct ContactLabel {
  int part_a = 0;
  Feature a;
  int part_b = 0;
  Feature b;

  bool operator==(const ContactLabel&) const = default;
};
std::strong_ordering operator<=>(const ContactLabel& x, const ContactLabel& y);

struct ContactPoint {
  Vec3 position = Vec3::Zero();  ///< halfway between the surfaces, world
  double gap = 0;                ///< m, along the normal; < 0: overlap
  ContactLabel label;
};

struct ContactRegion {
  BodyIndex body_a = world;  ///< set by whoever knows the bodies' places in a model
  BodyIndex body_b = world;
  int dimension = 0;                 ///< 0: one point, 1: two end points, 2: a convex polygon
  Vec3 normal = Vec3::UnitZ();       ///< unit, from b to a; one for all points
  std::vector<ContactPoint> points;  ///< counter-clockwise about the normal
  ContactLabel label;                ///< the smallest features that hold the whole region
};

struct ContactSet {
  std::vector<ContactRegion> regions;
};

/// A region for each pair of parts with a gap of at most `touching_distance` (m); poses are those
/// of the body frames. Overlapping parts have a region too, along their shortest way out.
std::vector<ContactRegion> find_regions(narrow::PairQuery& query, const Pose& pose_a,
                                        const Pose& pose_b, double touching_distance);

/// The two sides of a label as the record tells them.
ContactFeature recorded_a(const ContactLabel& label);
ContactFeature recorded_b(const ContactLabel& label);

/// `face 3`, `vertex 1`, `cap 2`: as users read it, counted from 1.
std::string name_of(const Feature& feature);

}  // namespace abut::contact
