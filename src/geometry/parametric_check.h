#pragma once
// Whether x(u, v) is a closed surface, and what is known of it.
//
// Opposite sides of the domain must meet smoothly (*periodic*), or a side must shrink to a point (a
// *pole*) in which the surface has one normal. That equations hold along a whole side cannot be
// enclosed, so it is looked at by numbers. The rest is proven over the rectangle of the parameters,
// cut up as needed:
//   - coordinates and derivatives have values;
//   - N = x_u x x_v does not vanish, save at poles;
//   - N . (x - c) > 0 for a point c inside: rays from c then cross the surface once, so that it
//   does
//     not cross itself. Since x_u = 0 at a pole at v0, x_u is (v - v0) times a value of x_uv
//     nearby: so N / (v - v0) is enclosed up to the pole;
//   - both principal curvatures are positive: det(x_ij . N) > 0. A closed surface bent like that is
//     the boundary of a convex solid (Hadamard). Next to poles this is looked at by numbers.
// A surface that no point sees as a whole is drawn with triangles, which must not cross each other:
// what is larger than they are is found.

#include <array>
#include <vector>

#include "geometry/closed_surface.h"
#include "geometry/surface_function.h"

namespace abut::geometry {

/// Ranges of u and v.
struct ParameterDomain {
  std::array<double, 2> u = {0, 1};
  std::array<double, 2> v = {0, 1};
};

struct ParametricVerdict {
  std::vector<SurfaceFinding> findings;
  bool sound = false;  ///< no finding is an error; else the rest is without meaning
  /// The first parameter goes around; where that is v, the two are exchanged.
  bool exchanged = false;
  bool is_ring = false;    ///< the second parameter goes around too; otherwise its ends are poles
  double orientation = 1;  ///< the outward normal is along orientation x_u x x_v (as exchanged)
  VolumeIntegrals integrals;  ///< rough: of few samples
  Aabb box;
  Vec3 centre = Vec3::Zero();
  bool star_shaped = false;
  bool convex = false;
};

ParametricVerdict check_parametric(const EnclosedChart& chart, const ParameterDomain& domain);

/// The chart with u and v exchanged, if asked to.
SurfaceSample sampled(const EnclosedChart& chart, double around, double along, bool exchanged);
ChartRange enclosed(const EnclosedChart& chart, const Interval& around, const Interval& along,
                    bool exchanged);

}  // namespace abut::geometry
