#include "support/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace abut::test {
namespace {

Vector eigenvalues(const Matrix& a) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace

Vector solution(const Matrix& a, const Vector& b) {
  return math::solve_by_complete_pivoting(a, b);
}

// The eigenvalues of (0 A; A^T 0) are the singular values of A with both signs, and zeros.
Eigen::Index rank(const Matrix& a, double threshold) {
  if (a.size() == 0) return 0;
  Matrix both = Matrix::Zero(a.rows() + a.cols(), a.rows() + a.cols());
  both.topRightCorner(a.rows(), a.cols()) = a;
  both.bottomLeftCorner(a.cols(), a.rows()) = a.transpose();
  const Vector values = eigenvalues(both);
  return (values.array() > threshold * values.maxCoeff()).count();
}

double smallest_eigenvalue(const Matrix& a) {
  return eigenvalues(a)[0];
}

Matrix cholesky_factor(const Matrix& a) {
  return a.llt().matrixL();
}

}  // namespace abut::test
