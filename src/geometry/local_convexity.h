#pragma once
// Whether a surface bends one way only, over a piece of space or of its parameters.

#include "geometry/surface_function.h"

namespace abut::geometry {

/// Whether {f <= 0} is convex near every point of the surface f = 0 in the box: both principal
/// curvatures are positive, or f is convex.
bool is_locally_convex(const FieldRange& f);

/// The smaller principal curvature of the level set at a point, 1/m; positive where it bends like a
/// ball.
double least_curvature(const FieldSample& f);

}  // namespace abut::geometry
