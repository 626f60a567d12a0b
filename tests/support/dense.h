#pragma once
// Dense algebra that tests compare with, beyond what math/dense.h has. It is compiled once, in
// dense.cpp: a decomposition takes the compiler seconds in every file that uses it.

#include <Eigen/Core>

#include "abut/types.h"
#include "math/dense.h"
#include "math/rotation.h"

namespace abut::test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

using math::least_norm_solution;
using math::null_space;
using math::rank;
using math::turn_between;

/// By elimination with full pivoting; of a singular system, one solution if there is any.
Vector solution(const Matrix& a, const Vector& b);

/// The number of singular values greater than `threshold` times the largest.
Eigen::Index rank(const Matrix& a, double threshold);
/// Of a symmetric matrix.
double smallest_eigenvalue(const Matrix& a);
/// The lower triangle L with A = L L^T, of a positive definite matrix.
Matrix cholesky_factor(const Matrix& a);

}  // namespace abut::test
