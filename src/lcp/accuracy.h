#pragma once
// What the solvers of this folder take for zero, for dependent and for solved: one accuracy each,
// relative to the terms that are compared (dimensionless). Rows are scaled to diagonals of 1.

namespace abut::lcp {

/// Squares of sines: a row, pivot or unknown of which others leave less is dependent on them. At
/// less than 1e-5 rad from the others forces lose ten of sixteen digits, and entries of null
/// vectors are rounding errors below this.
inline constexpr double dependence = 1e-10;

/// What rounding leaves of a sum, or of a distance to a bound.
inline constexpr double cancellation = 1e-13;

/// A w below this fraction of the terms it is made of is 0: those left by rounding are near 1e-15,
/// and the worst basis that is allowed loses a few digits more. Motion on the boundary of a cone is
/// no slip.
inline constexpr double zero_motion = 1e-11;

/// The error of an answer that is exact: a hundred roundings.
inline constexpr double exact = 1e-14;

/// The error of an answer that is taken though it is not exact, since rows are badly conditioned or
/// equations were eliminated; and what contradicts a problem by more is no rounding.
inline constexpr double accepted = 1e-9;

}  // namespace abut::lcp
