#include "math/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "base/stop.h"

namespace abut::math {

Lu::Lu(const Matrix& a) {
  base::stop_if_wished();
  factors_.compute(a);
}

Vector Lu::solve(const Vector& b) const {
  return factors_.solve(b);
}

Matrix Lu::solve(const Matrix& b) const {
  return factors_.solve(b);
}

Vector solve(const Matrix& a, const Vector& b) {
  return Lu(a).solve(b);
}

Vector solve_in_place(Matrix& a, const Vector& b) {
  base::stop_if_wished();
  return Eigen::PartialPivLU<Eigen::Ref<Matrix>>(a).solve(b);
}

Matrix inverse(const Matrix& a) {
  return a.partialPivLu().inverse();
}

CompletePivoting complete_pivoting(const Matrix& a, double threshold) {
  Eigen::FullPivLU<Matrix> lu(a);
  lu.setThreshold(threshold);
  return {lu.rank(), lu.permutationP().indices(), lu.permutationQ().indices()};
}

Eigen::Index rank(const Matrix& a) {
  return a.fullPivLu().rank();
}

Vector solve_by_complete_pivoting(const Matrix& a, const Vector& b) {
  return a.fullPivLu().solve(b);
}

Matrix null_space(const Matrix& a) {
  return a.fullPivLu().kernel();
}

Vector least_norm_solution(const Matrix& a, const Vector& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}

Vector least_norm_solution(const Matrix& a, const Vector& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
  factors.setThreshold(threshold);
  return factors.compute(a).solve(b);
}

Matrix least_norm_solutions(const Matrix& a, const Matrix& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}

std::vector<Eigen::Index> independent_columns(const Matrix& a, double threshold) {
  base::stop_if_wished();
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(threshold);
  qr.compute(a);
  const auto& order = qr.colsPermutation().indices();
  return {order.data(), order.data() + qr.rank()};
}

Matrix orthonormal_basis(const Matrix& a) {
  base::stop_if_wished();
  const Eigen::HouseholderQR<Matrix> qr(a);
  return qr.householderQ() * Matrix::Identity(a.rows(), a.cols());
}

Vector solve_symmetric(const Matrix& a, const Vector& b) {
  base::stop_if_wished();
  return a.ldlt().solve(b);
}

Matrix cholesky_factor(const Matrix& a) {
  return a.llt().matrixL();
}

SymmetricEigen symmetric_eigen(const Matrix& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector generalised_eigenvalues(const Matrix& k, const Matrix& m) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(k, m, Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

Matrix semidefinite_part(const Matrix& a) {
  const SymmetricEigen eigen = symmetric_eigen(a);
  if (eigen.values.size() == 0 || eigen.values[0] >= 0) return a;
  return eigen.vectors * eigen.values.cwiseMax(0).asDiagonal() * eigen.vectors.transpose();
}

}  // namespace abut::math
