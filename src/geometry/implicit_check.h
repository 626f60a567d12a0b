#pragma once
// Whether f < 0 describes a solid, and what is known of it.
//
// The box of the bounds is cut up until interval arithmetic decides every piece:
//   - f has a value everywhere;
//   - f > 0 on the faces of the box: the surface is closed;
//   - where f may be zero, grad f . (x - c) > 0 for one point c inside. Then f rises wherever a ray
//     from c meets the surface, so each ray meets it once: the solid is in one piece, seen from c
//     as a whole (*star-shaped*), and its gradient vanishes nowhere;
//   - there the surface bends one way only: either both principal curvatures are positive, or f
//     itself is convex (its Hessian is positive semidefinite). A closed connected set that is
//     convex near each of its points is convex (Tietze and Nakajima).
// A solid that is not star-shaped is fine if its gradient vanishes nowhere and it is in one piece;
// then the pieces of the box that hold it must hang together.
//
// A piece that cannot be decided down to a small size is looked at by numbers. If they show a fault
// it is told, with the place; if not, a warning says what was not proven.

#include <vector>

#include "geometry/closed_surface.h"
#include "geometry/surface_function.h"

namespace abut::geometry {

struct ImplicitVerdict {
  std::vector<SurfaceFinding> findings;
  bool sound = false;  ///< no finding is an error; else the rest is without meaning
  Aabb region;         ///< the bounds, or a little more where the surface touches them
  Aabb box;            ///< contains the solid
  Vec3 centre = Vec3::Zero();
  bool star_shaped = false;  ///< seen from the centre
  bool convex = false;
  std::vector<Aabb> inside;   ///< pieces of the region within the solid
  std::vector<Aabb> surface;  ///< pieces that the surface may run through
};

ImplicitVerdict check_implicit(const EnclosedField& field, const Aabb& bounds);

}  // namespace abut::geometry
