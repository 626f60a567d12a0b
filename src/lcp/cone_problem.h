#pragma once
// Complementarity problems with Coulomb's law on its true cone.
//
// Given a square matrix A and a vector b, find z such that, with w = A z + b, every block of rows
// obeys its law. There are two kinds of blocks:
//
//   a row with bounds lower <= z <= upper, either of which may be infinite (see lcp.h):
//       w = 0 where lower < z < upper,   w >= 0 where z = lower,   w <= 0 where z = upper;
//
//   a contact with a coefficient of friction mu >= 0, of three rows in space (two in the plane):
//   first the normal, N, then the tangents, T. One of
//       open    z = 0,                         w_N >= 0
//       stick   |z_T| <= mu z_N,               w_N = 0,  w_T = 0
//       slip    z_T = -mu z_N w_T / |w_T|,     w_N = 0,  z_N >= 0.
//   With K = {z: |z_T| <= mu z_N} and its dual K* = {y: mu |y_T| <= y_N} this is (de Saxce, 1992)
//       z in K,   w + mu |w_T| e_N in K*,   z.(w + mu |w_T| e_N) = 0.
//   Without the term mu |w_T| e_N it would be the optimality condition of a convex problem, in
//   which contacts that slip lift off: that is a different law, and not the one solved here.
//
// A is symmetric positive semidefinite, of any rank, for impacts and for contacts at rest. Where
// contacts already slide in a known direction, their forces have the direction n - mu t; such a
// contact is a row with bounds [0, inf), and A is not symmetric. See docs/theory/cones.md.

#include <Eigen/SparseCore>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "lcp/lcp.h"

namespace abut::lcp {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// Consecutive rows with one law.
struct ConeBlock {
  int rows = 1;      ///< 1: bounds; 2 or 3: a contact
  double lower = 0;  ///< of a row with bounds
  double upper = std::numeric_limits<double>::infinity();
  double friction = 0;  ///< mu of a contact

  bool is_contact() const { return rows > 1; }

  static ConeBlock bounded(double lower, double upper) { return {1, lower, upper, 0}; }
  static ConeBlock contact(double friction) { return {3, 0, 0, friction}; }
  static ConeBlock planar_contact(double friction) { return {2, 0, 0, friction}; }
};

/// The blocks cover the rows in order.
struct ConeProblem {
  Matrix a;
  Vector b;
  std::vector<ConeBlock> blocks;

  Eigen::Index size() const { return b.size(); }
};

/// What a row has in A = J Q: forces z give bodies the velocities v = Q z, and these the rows the
/// motions J v.
struct BodyRow {
  using Motion = Eigen::Matrix<double, 6, 1>;

  std::array<int, 2> bodies = {-1, -1};                              ///< -1: nothing that yields
  std::array<Motion, 2> along = {Motion::Zero(), Motion::Zero()};    ///< J
  std::array<Motion, 2> answers = {Motion::Zero(), Motion::Zero()};  ///< Q
};

/// Of all rows, where A comes from bodies. The rows of a contact meet the same two.
struct BodyRows {
  int bodies = 0;
  std::vector<BodyRow> rows;

  bool is_known() const { return !rows.empty(); }
};

/// The same, for large problems whose blocks are coupled to a few others each.
struct SparseConeProblem {
  SparseMatrix a;
  Vector b;
  std::vector<ConeBlock> blocks;
  BodyRows bodies = {};  ///< what A is made of, if that is known: equations are solved by it

  Eigen::Index size() const { return b.size(); }
};

/// Where a block stands.
enum class Mode : std::uint8_t {
  lower,    ///< a row at its lower bound, w >= 0
  between,  ///< a row with w = 0
  upper,    ///< a row at its upper bound, w <= 0
  open,     ///< a contact without force
  stick,    ///< a contact with w = 0
  slip,     ///< a contact with w_N = 0, its force on the boundary of the cone, against w_T
};

/// What a similar problem ended with: the start for this one.
struct ConeStart {
  Vector z;
  std::vector<Mode> modes;  ///< by block; or empty, if only z is known
  double enough = 0;        ///< residual up to which z is taken as it is, if that is not rounding
  /// Begin inside of the cones instead (cone_interior.h): where there are several solutions, what
  /// is symmetric stays so.
  bool from_inside = false;
};

struct ConeSolution {
  Status status = Status::not_converged;
  Vector z;
  Vector w;                 ///< A z + b
  std::vector<Mode> modes;  ///< by block
  double residual = 0;      ///< of z, by cone_residual()
  long iterations = 0;      ///< systems of linear equations that were solved
  Vector refutation;        ///< with no_solution: what refutes() accepts

  ConeStart as_start() const { return {z, modes}; }
};

/// Solves the problem. `solved` is certified by cone_residual() on the problem as given.
///
/// From the solution of the same problem nothing has to be done; from that of a similar one with
/// the same modes it takes one system of linear equations if nothing slips, and two or three if
/// something does, because the direction of slip turns. Rows that are nearly dependent take more,
/// for the last digits, and so do forces on the boundary of a cone that are not unique.
///
/// `no_solution` is proven by `refutation`. `not_converged` proves nothing; z is then the best
/// found.
ConeSolution solve_cones(const ConeProblem& problem, const ConeStart* start = nullptr);
ConeSolution solve_cones(const SparseConeProblem& problem, const ConeStart* start = nullptr);

/// How far z is from solving the problem, without a unit: 0 is exact, 1e-15 rounding, 1 nonsense.
///
/// Rows with bounds are measured as by residual() of lcp.h. For a contact let a be the largest
/// |A_ik| of its rows i, and p = P_K(z - (w + mu |w_T| e_N) / a) with the orthogonal projection P_K
/// on the cone: z solves the problem if and only if z = p for all contacts. The residual is the
/// largest of
///     a |z - p| / (max_i (|b_i| + sum_k |A_ik z_k| + r_i e) + a (|z| + |p|))
/// with r and e as for rows. It is infinite if z is not finite.
double cone_residual(const ConeProblem& problem, const Vector& z);
double cone_residual(const SparseConeProblem& problem, const Vector& z);

/// Whether y proves that there is no solution. Every solution has w_i >= 0 for normals and for rows
/// without upper bound, and w_i <= 0 for rows without lower bound. Let y weigh only those, with
/// signs such that y.w >= 0, and let c = A^T y. Then y.w = c.z + y.b <= s + y.b, where s is the
/// least upper bound of c.z over all z within bounds and cones. If s + y.b < 0, beyond rounding,
/// there is no solution.
bool refutes(const ConeProblem& problem, const Vector& y);

/// The forces that go with the motion w of a solution.
struct ConeForces {
  Vector z;                     ///< of least Euclidean norm among those with the same w
  Eigen::Index deficiency = 0;  ///< dimension of what is undetermined; 0: z is unique, given w
  bool is_unique() const { return deficiency == 0; }
};

/// Among all z that give the same w and obey the laws with it, the one of least Euclidean norm.
/// With w given, a contact that slips has the force z_N (1, -mu w_T/|w_T|), one with w = 0 any
/// force in its cone, and one that opens none: a convex set, whose least element is unique. If it
/// cannot be found to rounding errors, z is that of the solution.
ConeForces least_norm(const ConeProblem& problem, const ConeSolution& solution);

}  // namespace abut::lcp
