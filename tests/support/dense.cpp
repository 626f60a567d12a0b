#include "support/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace abut::test {

Vector least_norm_solution(const Matrix& a, const Vector& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}

Vector solution(const Matrix& a, const Vector& b) {
  return a.fullPivLu().solve(b);
}

Matrix null_space(const Matrix& a) {
  return a.fullPivLu().kernel();
}

Eigen::Index rank(const Matrix& a) {
  return a.fullPivLu().rank();
}

Eigen::Index rank(const Matrix& a, double threshold) {
  Eigen::JacobiSVD<Matrix> svd(a);
  svd.setThreshold(threshold);
  return svd.rank();
}

double smallest_eigenvalue(const Matrix& a) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

Matrix cholesky_factor(const Matrix& a) {
  return a.llt().matrixL();
}

Quat turn_between(const Vec3& from, const Vec3& to) {
  return Quat::FromTwoVectors(from, to);
}

}  // namespace abut::test
