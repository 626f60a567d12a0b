#pragma once
// Decompositions of dense matrices of any size, for the whole project. They are compiled once, in
// dense.cpp: each takes the compiler seconds in every file that calls Eigen's own.

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

namespace abut::math {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Elimination with row exchanges. Square and regular matrices only: a singular one gives numbers
/// that are not finite, or large.
class Lu {
 public:
  explicit Lu(const Matrix& a);

  Vector solve(const Vector& b) const;
  Matrix solve(const Matrix& b) const;

 private:
  Eigen::PartialPivLU<Matrix> factors_;
};
Vector solve(const Matrix& a, const Vector& b);
/// The same, with the factors left in A.
Vector solve_in_place(Matrix& a, const Vector& b);
Matrix inverse(const Matrix& a);

/// Elimination with row and column exchanges: which rows and columns are its pivots.
struct CompletePivoting {
  Eigen::Index rank = 0;         ///< pivots above `threshold` times the largest
  Eigen::VectorXi row_places;    ///< row i is eliminated as the row_places[i]-th
  Eigen::VectorXi column_order;  ///< the k-th pivot is in column column_order[k]
};
CompletePivoting complete_pivoting(const Matrix& a, double threshold);
/// Its rank, up to rounding.
Eigen::Index rank(const Matrix& a);
/// By complete pivoting; of a singular system, one solution if there is any.
Vector solve_by_complete_pivoting(const Matrix& a, const Vector& b);
/// Columns that span { x : A x = 0 }.
Matrix null_space(const Matrix& a);

/// The shortest of the x that come closest to A x = b, by the pseudo-inverse of A. Pivots below
/// `threshold` times the largest count as zero; without one, those that rounding may have left.
Vector least_norm_solution(const Matrix& a, const Vector& b);
Vector least_norm_solution(const Matrix& a, const Vector& b, double threshold);
Matrix least_norm_solutions(const Matrix& a, const Matrix& b);

/// A largest set of columns none of which depends on the others, by pivots above `threshold` times
/// the largest; the longest column first.
std::vector<Eigen::Index> independent_columns(const Matrix& a, double threshold);
/// Of independent columns: as many orthonormal ones that span the same.
Matrix orthonormal_basis(const Matrix& a);

/// Of a symmetric matrix that need not be definite.
Vector solve_symmetric(const Matrix& a, const Vector& b);
/// L with A = L L^T, lower triangular. Positive definite matrices only.
Matrix cholesky_factor(const Matrix& a);

/// Of a symmetric matrix, ascending.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;  ///< orthonormal, one for each value
};
SymmetricEigen symmetric_eigen(const Matrix& a);
/// The values x with K v = x M v for some v, ascending; K symmetric, M positive definite.
Vector generalised_eigenvalues(const Matrix& k, const Matrix& m);
/// A symmetric matrix without the part that belongs to its negative eigenvalues.
Matrix semidefinite_part(const Matrix& a);

}  // namespace abut::math
