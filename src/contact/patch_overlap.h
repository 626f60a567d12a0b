#pragma once
// Where two flat patches overlap, seen along the normal of their plane.

#include <vector>

#include "contact/contact_set.h"
#include "contact/flat_patch.h"

namespace abut::contact {

/// A corner of the overlap, or a place on one of its arcs.
struct OverlapPoint {
  Vec2 at = Vec2::Zero();
  Feature a, b;
};

struct Overlap {
  int dimension = 0;
  std::vector<OverlapPoint> points;  ///< none: the patches do not overlap
  std::vector<RegionArc> arcs;
};

/// Places that are no farther apart than `lateral` (m) are one, gaps that differ by no more than
/// `height` (m) are equal. At least one patch must not be a polygon.
Overlap overlap_of(const FlatPatch& a, const FlatPatch& b, const Tolerances& tolerances);

}  // namespace abut::contact
