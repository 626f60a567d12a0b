#pragma once
// Dense algebra that tests compare with. It is compiled once, in dense.cpp: a decomposition takes
// the compiler seconds in every file that uses it.

#include <Eigen/Core>

#include "abut/types.h"

namespace abut::test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// The shortest of the x that come closest to A x = b, by the pseudo-inverse of A.
Vector least_norm_solution(const Matrix& a, const Vector& b);
/// By elimination with full pivoting; of a singular system, one solution if there is any.
Vector solution(const Matrix& a, const Vector& b);

/// Columns that span { x : A x = 0 }.
Matrix null_space(const Matrix& a);
Eigen::Index rank(const Matrix& a);
/// The number of singular values greater than `threshold` times the largest.
Eigen::Index rank(const Matrix& a, double threshold);
/// Of a symmetric matrix.
double smallest_eigenvalue(const Matrix& a);
/// The lower triangle L with A = L L^T, of a positive definite matrix.
Matrix cholesky_factor(const Matrix& a);

/// The smallest rotation that takes one direction to another.
Quat turn_between(const Vec3& from, const Vec3& to);

}  // namespace abut::test
