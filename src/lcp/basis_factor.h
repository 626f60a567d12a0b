#pragma once
// The Cholesky factor L L^T = A_FF of the basic rows F of a symmetric matrix, kept up to date while
// rows enter and leave, at a cost of |F|^2 each instead of |F|^3.
//
// Appending a row j borders the factor: with L l = A_Fj the new last row is (l, sqrt(s)), where
// s = A_jj - l.l is the Schur complement. For A = J J^T it is the squared distance of row j of J
// from the span of the rows F: zero if and only if j depends on them. Removing a row leaves a
// trapezoid whose superdiagonal is rotated away (Golub and Van Loan, Matrix Computations,
// section 6.5.4).

#include <span>
#include <vector>

#include "lcp/lcp.h"

namespace abut::lcp {

using Index = Eigen::Index;

// Schur complements are meant relative to a diagonal of 1, hence squares of sines of angles between
// a row and the span of others.

/// Rows all above this are independent in whatever order they are taken: coefficients of dependence
/// are below 1e3, so rounding errors of later Schur complements are below 1e-10.
inline constexpr double clear_independence = 1e-6;

/// A basis that was chosen before is kept if no Schur complement is below this: it is regular.
inline constexpr double smallest_complement = 1e-14;

class BasisFactor {
 public:
  /// `a` must outlive the factor. Its diagonal should be 1 (or 0) for the threshold to make sense.
  explicit BasisFactor(const Matrix& a);

  const std::vector<Index>& rows() const { return rows_; }
  Index size() const { return static_cast<Index>(rows_.size()); }

  /// Replaces the basis by all candidates if all Schur complements are above the threshold: the
  /// usual case, and the fastest. Otherwise leaves it empty and returns false.
  bool factor_all(std::span<const Index> candidates, double threshold);

  /// Adds to the basis a largest independent subset of the candidates, the most independent one
  /// first, and returns the others.
  std::vector<Index> extend(std::span<const Index> candidates);

  /// Prepares for row j, which is not basic.
  void border(Index j);

  /// The Schur complement of the row that was prepared last, and what may be rounding errors in it.
  double complement() const { return complement_; }
  double complement_noise() const;

  /// Whether the row that was prepared last should and may be basic.
  bool is_independent() const;

  /// A_FF^-1 A_Fj for the row j that was prepared last.
  const Vector& coefficients() const { return coefficients_; }

  /// Appends row j, which was prepared last.
  void append(Index j);

  /// Removes the row at this position of rows(); later ones move up.
  void remove(Index position);

  /// x := A_FF^-1 x, in the order of rows().
  void solve(Vector& x) const;

 private:
  Eigen::Block<const Matrix> factor() const { return factor_.topLeftCorner(size(), size()); }

  const Matrix& a_;
  std::vector<Index> rows_;
  Matrix factor_;  // its leading lower triangle
  Vector border_;  // l
  Vector coefficients_;
  double complement_ = 0;
};

}  // namespace abut::lcp
