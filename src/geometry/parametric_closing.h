#pragma once
// Whether a surface with parameters is closed: it has values, opposite sides of its domain meet
// smoothly or shrink to points, and at such a point it has one normal. By numbers: that equations
// hold along a whole side cannot be enclosed.

#include "geometry/parametric_chart.h"
#include "geometry/surface_findings.h"

namespace abut::geometry {

// Samples over the domain, each way.
inline constexpr int grid_samples = 32;

struct ParametricClosing {
  bool exchanged = false;  ///< the second parameter goes around
  bool is_ring = false;    ///< both do; otherwise the ends of the other one are poles
  Aabb box;                ///< of the samples
  double size = 0;         ///< its diagonal, m
};

/// Adds an error to the findings if it is not.
ParametricClosing check_closing(const EnclosedChart& chart, const ParameterDomain& domain,
                                SurfaceFindings& findings);

}  // namespace abut::geometry
