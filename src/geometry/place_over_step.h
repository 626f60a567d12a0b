#pragma once
// Where a curved convex solid lies farthest along a direction that changes, as polynomials.
//
// A place x(m) with the outward normal m has no closed form for most surfaces, and need not have
// one to be relied on: any polynomial x that is near it does, if it is known how near. For a solid
// f <= 0 and a factor k, both taken from instants,
//     f(x) = small,     m - k grad f(x) = small
// along the whole of x are shown by series of f and grad f (math/series.h). Then there is a point
// of the surface at most `off` from x whose normal is at most `turn` away from m, and what follows
// from that is an inequality:
//     m . y <= m . x + |m| (off + turn d)      for all points y of the solid, of diameter d.

#include <optional>

#include "geometry/convex_surface.h"
#include "math/polynomial.h"

namespace abut::geometry {

/// A place near the surface over [0, 1].
struct PlaceOverStep {
  math::PolynomialVector point;
  double off = 0;   ///< how far a point of the surface is, at most, m
  double turn = 0;  ///< by how much its unit normal differs from the direction, at most

  /// Larger than the support function along m.
  math::Polynomial height(const math::PolynomialVector& m, double diameter) const;
};

/// Along directions m of any length, in the frame of the atom. Nothing where the surface is not
/// smooth enough over all of the step, or not given by formulas. Precondition: not a point.
std::optional<PlaceOverStep> place_over_step(const SupportAtom& atom,
                                             const math::PolynomialVector& m);

}  // namespace abut::geometry
