#pragma once
// The parts of a body make one body: what is left of their surfaces where they overlap or lie
// flush.
//
// Let x be a place on part j, with the outward normal m. What another body feels there is the union
// of the parts. Another part k that holds x hides it if k rises above the plane through x across m:
// then k is nearer to whatever comes along -m, and neither the seam between the parts nor a face
// inside the body is felt. Where k stays below that plane, the plane supports both, and m is a
// normal of the union: on flush faces, or at a convex edge that parts have in common. In a reflex
// corner every wall rises above the others, but faces that end there go on outside of them: m is a
// normal of the union if points of j with this normal are free next to x.

#include "abut/types.h"
#include "narrow/body_shape.h"

namespace abut::narrow {

/// In the body frame.
struct SurfacePlace {
  int part = 0;  ///< index into the solids
  Vec3 point = Vec3::Zero();
  Vec3 outward = Vec3::UnitZ();  ///< unit
};

/// By how much another part that holds the place to `tolerance` (m) rises above the plane there, m;
/// infinite where that part has no end. Zero or less: it does not hide the place.
double rise_above(const Solid& other, const SurfacePlace& place, double tolerance);

/// The height of the highest point of a convex solid above the plane of the place, m.
double highest_above(const Solid& solid, const SurfacePlace& place);

/// Whether one of the others hides the place and all that has the same normal next to it.
bool is_hidden(const BodyShape& shape, const SurfacePlace& place, const std::vector<int>& others,
               double tolerance);

}  // namespace abut::narrow
