#pragma once
// The last digits of the place where two sides come nearest.
//
// A search in doubles finds the normal n with a residual F = P (x - y) of some roundings of the
// coordinates. Where the relative radii of curvature W + g are small against these (rims all but
// along each other, a corner on a rim), that leaves n uncertain by their ratio, and the second
// derivative of the gap, in which the radii at n and their inverse enter, by its square. One more
// step of Newton's method,
//     dn = (W + g)^-1 F,
// with F and n of twice the digits, and everything taken at that n, leaves the rounding of W and of
// the rates alone. The step needs no such digits itself.

#include <optional>

#include "contact/smooth_place.h"

namespace abut::contact {

struct RefinedPlace {
  geometry::Extremum extremum;  ///< its radii are those of both sides, without roundings
  Mat3 radii_a = Mat3::Zero(), radii_b = Mat3::Zero();  ///< of curved solids
};

/// Nothing for bowls, on top of a ring, and where the place that was found is not as good as a
/// search in doubles makes it.
std::optional<RefinedPlace> refined_place(const SmoothPair& pair, const geometry::Extremum& found,
                                          const body::RigidMotion& a, const body::RigidMotion& b);

}  // namespace abut::contact
