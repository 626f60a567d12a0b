#pragma once
// Points and weights that integrate polynomials over a solid exactly: what masses and energies of
// bodies that bend are made of.

#include <vector>

#include "abut/types.h"
#include "shape/shape.h"

namespace abut::shape {

/// Weights add up to the volume; some may be negative, and points may lie outside.
struct CubaturePoint {
  Vec3 point = Vec3::Zero();
  double weight = 0;  ///< m^3
};

/// Whether cubature_of knows the shape: not planes, inverted shapes, rounded hulls and surfaces of
/// the user's own.
bool has_cubature(const Geometry& geometry);

/// For polynomials of degree 4 and less, exact but for rounding; in the shape's own frame.
/// Precondition: has_cubature(geometry).
std::vector<CubaturePoint> cubature_of(const Geometry& geometry);

/// The same of a part, in the body frame.
std::vector<CubaturePoint> cubature_of(const Part& part);

}  // namespace abut::shape
