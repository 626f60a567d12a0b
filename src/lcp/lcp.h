#pragma once
// Boxed linear complementarity problems.
//
// Given a square matrix A, a vector b and bounds lower <= upper, each of which may be infinite,
// find z with lower <= z <= upper such that, with w = A z + b,
//     w_i = 0    where lower_i < z_i < upper_i,
//     w_i >= 0   where z_i = lower_i,
//     w_i <= 0   where z_i = upper_i.
// Contacts without friction have the bounds [0, inf): z is the force, w the acceleration of the
// gap. Joints have (-inf, inf), which leaves w = 0. Motors and limits have boxes.
//
// For a symmetric positive semidefinite A these are the optimality conditions of
//     minimise  z.A z / 2 + b.z   subject to   lower <= z <= upper.
// All solutions then have the same w, whether or not A is singular; z is unique only up to null
// vectors of A. See docs/theory/lcp.md.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace abut::lcp {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Problem {
  Matrix a;
  Vector b;
  Vector lower;
  Vector upper;

  Eigen::Index size() const { return b.size(); }

  /// z >= 0, w >= 0, z.w = 0.
  static Problem complementarity(Matrix a, Vector b);
};

/// What may be called solved. Rows at less than 1e-7 rad from each other cannot be told apart in
/// double precision, A being made of their products, and may contradict each other by as much.
/// Without such rows residuals are near 1e-15.
inline constexpr double certified_residual = 1e-7;

/// Where element i of a vector is in an array of the standard library.
inline std::size_t at(Eigen::Index i) {
  return static_cast<std::size_t>(i);
}

enum class Status {
  solved,         ///< certified: residual() of the problem as given is at rounding level
  no_solution,    ///< proven, by a ray; see the solver for what exactly is proven
  not_converged,  ///< neither solved nor refuted
};

/// Where an unknown stands: the active set.
enum class Place : std::uint8_t {
  lower,      ///< held at its lower bound; w >= 0, and w = 0 if the row is not needed
  between,    ///< basic: determined by w = 0
  upper,      ///< held at its upper bound; w <= 0, and w = 0 if the row is not needed
  redundant,  ///< without bounds and held at 0: w = 0 follows from the basic rows
};

struct Solution {
  Status status = Status::not_converged;
  Vector z;
  Vector w;                   ///< A z + b
  std::vector<Place> places;  ///< the rows `between` have a nonsingular block of A
  double residual = 0;        ///< of z, by residual()
  long pivots = 0;            ///< rows that entered or left the basis
};

/// Solves the problem for a symmetric positive semidefinite A of any rank. Only A's symmetry and
/// definiteness are taken on trust: what comes back as solved is certified on the problem itself.
///
/// `start` is the active set of a similar problem. If it is right for this one too, there is no
/// pivot: one factorisation and one solution of the basic rows.
///
/// `no_solution` proves itself by a direction d with A d = 0 and b.d < 0 along which no bound is
/// ever met. In mechanics: joints that contradict each other.
Solution solve_psd(const Problem& problem, const std::vector<Place>* start = nullptr);

/// Solves the problem for any square A by Lemke's method, lexicographically, with several covering
/// vectors if the first path ends on a ray. It finds a solution, or proves that there is none, if A
/// is positive semidefinite, symmetric or not, with regular equations; and a solution if A is a
/// P-matrix. For other matrices it may return `not_converged`. `no_solution` is a proof for every
/// matrix: by y >= 0 with M^T y <= 0, q.y < 0 on the problem in standard form (lemke.h), or by an
/// equation without unknowns that does not hold. `places` are read off z. Cost: a dense inverse,
/// for hundreds of unknowns.
Solution solve_lemke(const Problem& problem);

/// How far z is from solving the problem, without a unit: 0 is exact, 1e-15 rounding, 1 nonsense.
///
/// Let a_i be the largest |A_ik| of row i. z solves the problem if and only if it is a fixed point
/// of the projection p_i = clamp(z_i - w_i / a_i, lower_i, upper_i). The residual is the largest of
///     a_i |z_i - p_i| / (|b_i| + sum_k |A_ik z_k| + a_i (|z_i| + |p_i|) + r_i e),
///     e = sum_k r_k |z_k| + max_k |b_k| / r_k,   r_i = sqrt|A_ii|,
/// each row relative to the terms that it is made of. Why r_i e: in mechanics A = J M^-1 J^T and b
/// = J a. An A_ik or b_i that should be 0 is a sum of terms up to r_i r_k or r_i |b_k| / r_k, and
/// is 0 but for rounding. The residual does not change with the units of z_i and w_i. It is
/// infinite if z is not finite.
double residual(const Problem& problem, const Vector& z);

/// Adds to the basis rows with w = 0 that are independent of it, until there is none left. They
/// carry no force, but w = 0 then follows from the basic rows for all rows that have it now.
/// solve_psd alone brings in only what it needs: of the legs of a square table, two at opposite
/// corners.
void complete_basis(const Problem& problem, Solution& solution);

/// Among all solutions the one of least Euclidean norm, for a symmetric positive semidefinite A and
/// a solution of solve_psd. It is unique, depends continuously on the problem while the same rows
/// have w = 0, and does not depend on the order of the rows, on the basis or on the warm start.
Vector least_norm(const Problem& problem, const Solution& solution);

}  // namespace abut::lcp
