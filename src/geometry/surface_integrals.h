#pragma once
// Volume integrals of what a surface encloses, by integrating over the surface.
//
// Seen from a point c, the solid is made of cones: a piece of the surface at x with the area vector
// dA spans a cone in which points are c + s (x - c), 0 <= s <= 1, with the volume element
// s^2 (x - c) . dA ds. Integrating over s,
//     V = 1/3 int (x - c) . dA,
//     int (y - c) dV = 1/4 int (x - c) (x - c) . dA,
//     int (y - c) (y - c)^T dV = 1/5 int (x - c) (x - c)^T (x - c) . dA.
// Where the surface is seen from its back the cones count negatively, so c may be anywhere.

#include <array>
#include <functional>
#include <vector>

#include "abut/types.h"

namespace abut::geometry {

/// Accuracy of the volume integrals that is promised (dimensionless).
inline constexpr double integral_accuracy = 1e-9;

/// Of a solid of density 1; `second` is taken about the centroid.
struct VolumeIntegrals {
  double volume = 0;  ///< m^3
  Vec3 centroid = Vec3::Zero();
  Mat3 second = Mat3::Zero();  ///< integral of (y - centroid) (y - centroid)^T, m^5
  /// The part of the volume by which the last refinement still changed the integrals.
  double relative_change = 0;
};

struct Rectangle {
  std::array<double, 2> from = {0, 0}, to = {1, 1};
};

/// A point of the surface relative to c, and (x - c) . dA per unit of parameter area.
struct ConeElement {
  Vec3 arm = Vec3::Zero();
  double weight = 0;
};

/// Integrates over the rectangles together, adaptively: a rectangle is cut into four until that
/// changes nothing any more. The element may be evaluated at any point within them.
VolumeIntegrals integrate_cones(
    const std::vector<Rectangle>& rectangles, const Vec3& c,
    const std::function<ConeElement(std::size_t rectangle, double a, double b)>& element);

}  // namespace abut::geometry
