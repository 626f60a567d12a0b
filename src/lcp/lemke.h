#pragma once
// Lemke's method for   x >= 0,  v = M x + q >= 0,  x.v = 0   with any square matrix M.
//
// With a covering vector d > 0 and one more unknown t, v = M x + q + d t is solved by x = 0 and a
// large t. The method follows the path of solutions of the complementarity problem in (x, v) on
// which t is not 0, from there: whoever becomes 0 leaves the basis, and its partner enters. The
// path ends at t = 0, a solution, or on a ray. Ties would let it branch or return; they are broken
// as if q were q + (s, s^2, s^3, ...) with an infinitesimal s, by comparing rows of the inverse
// basis lexicographically, which excludes both (Cottle, Pang, Stone, The Linear Complementarity
// Problem, sections 4.4 and 4.9).
//
// The path may also begin with some x in the basis instead of their v: those of a set S. Exchanging
// them gives a problem of the same form, M' x' + q' with x'_S = v_S and v'_S = x_S (a principal
// pivotal transform, section 2.3), and d is a covering vector of that one. Where one path ends on a
// ray, another may not.
//
// A ray is a proof that there is no solution if its direction y >= 0 in x satisfies M^T y <= 0 and
// q.y < 0: for any x >= 0 with v >= 0, 0 <= y.v = (M^T y).x + q.y < 0. It always does if M is
// copositive-plus, for instance positive semidefinite (section 4.4.11). That is checked, not
// assumed.

#include "lcp/basis_factor.h"

namespace abut::lcp {

/// Whether y >= 0 proves that v = M x + q >= 0 has no solution x >= 0, at least none within the
/// reach of double precision: larger than 10^6 times q, M having entries of order 1.
bool proves_infeasibility(const Matrix& m, const Vector& q, const Vector& y);

class Lemke {
 public:
  enum class End { solution, infeasible_ray, other_ray, too_long };

  /// `m` and `q` must outlive this.
  Lemke(const Matrix& m, const Vector& q);

  /// `start` is the set S; its block of M must be regular.
  End run(const Vector& covering, const std::vector<Index>& start = {});

  /// After End::solution: solved afresh from the final basis.
  Vector x() const;
  long pivots() const { return pivots_; }

 private:
  // Variables are numbered: v from 0, x from n, t = 2 n.
  Index n() const { return q_.size(); }
  Index partner(Index variable) const { return variable < n() ? variable + n() : variable - n(); }
  Vector column(Index variable) const;
  Index leaving_row(const Vector& y) const;
  Index first_row(const Vector& covering) const;
  void pivot(Index row, Index entering, const Vector& y);
  void refactor();
  Vector ray_direction(Index entering, const Vector& y) const;

  const Matrix& m_;
  const Vector& q_;
  Vector covering_column_;    // of t
  std::vector<Index> basis_;  // the basic variable of each row
  Matrix inverse_;            // of the basic columns of v - M x - d t = q
  Vector values_;             // of the basic variables
  long pivots_ = 0;
  long since_refactoring_ = 0;
};

}  // namespace abut::lcp
