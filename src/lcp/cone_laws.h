#pragma once
// The laws of blocks as equations F(z, w) = 0, with generalised derivatives.
//
// Contacts (Alart and Curnier, 1991): with y_N = z_N - rho_N w_N, y_T = z_T - rho_T w_T,
//     F_N = z_N - max(0, y_N)
//     F_T = z_T - P(y_T),   P the projection on the disk of radius R = mu max(0, y_N).
// F = 0 if and only if Coulomb's law holds, for any rho > 0. On each piece F is smooth:
//     open    y_N <= 0       F = z
//     stick   |y_T| <= R     F_N = rho_N w_N,  F_T = rho_T w_T
//     slip    |y_T| > R      F_N = rho_N w_N,  F_T = z_T - R t,  t = y_T / |y_T|
// which makes Newton's method one that solves for modes and forces at once. Rows with bounds have
// F = z - clamp(z - rho w).

#include <Eigen/Core>

#include "lcp/accuracy.h"
#include "lcp/cone_part.h"
#include "lcp/cone_problem.h"

namespace abut::lcp {

/// A step of Newton's method must gain this part of what the slope promises (Armijo's rule,
/// dimensionless).
inline constexpr double sufficient_decrease = 1e-4;

/// The units rho that make z and w comparable: about the inverse of the block's diagonal.
struct Units {
  double normal = 1;
  double tangential = 1;
};

/// F and its derivatives with respect to z and w.
struct Law {
  Part value;
  PartMatrix by_z;
  PartMatrix by_w;
};

Mode mode_of(const ConeBlock& block, const Part& z, const Part& w, const Units& units);

Part law_value(const ConeBlock& block, const Part& z, const Part& w, const Units& units);

/// The piece of this mode, whether or not z and w are on it.
Law law_of(const ConeBlock& block, Mode mode, const Part& z, const Part& w, const Units& units);

}  // namespace abut::lcp
