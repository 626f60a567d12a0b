#pragma once
// How far an ellipsoid, or a disc, reaches from the origin.

#include "abut/types.h"

namespace abut::verify {

/// The largest |centre + axes u| over all |u| <= 1. `most` is proven, up to the rounding of
/// doubles, and `found` belongs to a point of the set; where nothing is degenerate they are the
/// same number.
struct QuadricReach {
  double most = 0;
  double found = 0;
};

/// For every l above the eigenvalues m of A^T A, with b = A^T c,
///
///   |c + A u|^2 <= |c|^2 + l + sum b_i^2 / (l - m_i),
///
/// since 2 b.u - u.(l - A^T A) u is at most the last sum; the least of these bounds is reached.
/// A convex function of l: its slope 1 - sum b_i^2 / (l - m_i)^2 changes sign once.
QuadricReach quadric_reach(const Vec3& centre, const Mat3& axes);

}  // namespace abut::verify
