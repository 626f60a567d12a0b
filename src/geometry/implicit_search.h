#pragma once
// Where in the bounds f < 0 is a solid: whether f has values, whether the surface stays within the
// bounds, and which pieces of them hold the solid or its surface.

#include <optional>
#include <vector>

#include "geometry/implicit_pieces.h"
#include "geometry/surface_findings.h"

namespace abut::geometry {

struct ImplicitSolid {
  Aabb region;                  ///< the bounds, or a little more where the surface touches them
  std::vector<Aabb> inside;     ///< pieces of the region within the solid
  std::vector<Aabb> undecided;  ///< pieces that the surface may run through
  Vec3 centre = Vec3::Zero();   ///< of mass, roughly
  double size = 0;              ///< a diagonal, m
  double largest = 0;           ///< of the values of the function on a grid
  long pieces = 0;              ///< looked at
};

/// Nothing, and an error among the findings, if there is none.
std::optional<ImplicitSolid> find_implicit_solid(const EnclosedField& field, const Aabb& bounds,
                                                 SurfaceFindings& findings);

}  // namespace abut::geometry
