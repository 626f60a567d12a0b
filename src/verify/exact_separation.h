#pragma once
// The last word on two solids that doubles cannot tell apart: their distance in rational
// arithmetic.

#include "verify/placement.h"

namespace abut::verify {

/// How deep two solids reach into each other. 0 is proven: their interiors have no common point. A
/// positive depth (m) is that of an overlap that is proven, itself known up to rounding.
/// A depth up to `negligible` may be larger than the smallest there is: no better one is looked
/// for. Precondition: a is a hull, and b a hull, a half-space or a bowl; the states are finite; a
/// hull with a radius has at most two points.
double exact_depth(const PlacedPair& pair, const BodyState& state_a, const BodyState& state_b,
                   double negligible);

}  // namespace abut::verify
