#pragma once
// How far a point is from a cylinder or cone, and from which part of it.
//
// Both are solids of revolution, so the nearest place lies in the half-plane through the axis and
// the point, where the solid is a rectangle or a triangle: a straight side, flat ends, and corners
// that are rims or the apex. Each has its own region of points that are nearest to it.

#include "geometry/circle_minima.h"
#include "geometry/convex_surface.h"
#include "geometry/feature.h"

namespace abut::geometry {

struct RimDistance {
  DistanceOfSet point;
  Feature feature;  ///< as geometry/feature.h counts those of cylinders and cones
};

/// In the frame of the solid; negative within, along the shortest way out. Precondition:
/// !surface.is_smooth().
RimDistance from_rims(const Vec3& point, const ConvexSurface& surface);

/// The same where the solid is placed.
RimDistance from_rims(const Vec3& point, const ConvexSurface& surface, const Mat3& rotation,
                      const Vec3& position);

/// From the lines of a cone, without end, through `apex`: the normals have this component along the
/// unit vector `axis`. Negative on the inner side.
DistanceOfSet from_lines(const Vec3& point, const Vec3& apex, const Vec3& axis, double level);

}  // namespace abut::geometry
