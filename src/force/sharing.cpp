#include "force/sharing.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>

#include "impulse/equalities.h"

namespace abut::force {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

// Forces that are as good as at the boundary of what is allowed, relative to the largest one
// (dimensionless).
constexpr double force_rounding = 1e-11;

// Squares of singular values of the held rows, scaled to length 1, that count as none
// (dimensionless): a thousand times the rounding of squares. And how often forces are improved: the
// error falls by this over the square of the singular value each time.
constexpr double dependence = 1e-13;
constexpr int approaches = 5;

// How readily guides bear what others can bear too, relative to those (dimensionless): small
// enough to vanish, its square large enough for the factorisation.
constexpr double guide_worth = 1e-3;

// Up to this many carriers dense factorisations are faster than sparse ones.
constexpr std::size_t dense_rows = 48;

// What carriers are worth, by carrier.
Vector worths(const Carrying& rows) {
  Vector worth = Vector::Ones(static_cast<Eigen::Index>(rows.carriers.size()));
  for (std::size_t i = 0; i < rows.carriers.size(); ++i)
    if (std::binary_search(rows.guides.begin(), rows.guides.end(), rows.carriers[i]))
      worth[static_cast<Eigen::Index>(i)] = guide_worth;
  return worth;
}

Vector inverse_lengths(const impulse::Matrix& g) {
  return g.rowwise().norm().unaryExpr([](double x) { return x > 0 ? 1 / x : 0; });
}
Vector inverse_lengths(const SparseMatrix& g) {
  return (g.cwiseAbs2() * Vector::Ones(g.cols())).unaryExpr([](double x) {
    return x > 0 ? 1 / std::sqrt(x) : 0;
  });
}
void add_to_diagonal(impulse::Matrix& a, double value) {
  a.diagonal().array() += value;
}
void add_to_diagonal(SparseMatrix& a, double value) {
  SparseMatrix identity(a.rows(), a.cols());
  identity.setIdentity();
  a += value * identity;
}

// With G = R M^-1 P^T from carriers to held rows, and S what the carriers are worth, the nearest z
// to z0 with G z = -b, distances measured by S^-1, is z0 + S^2 G^T y with G S^2 G^T y = -b - G z0.
// Held rows may be dependent or nearly so, and change over from one to the other while bodies move:
// then z must neither jump nor grow beyond all bounds. So it is approached by
//     z += S^2 G^T (G S^2 G^T + e)^-1 (-b - G z),
// a few times: where rows are independent it is reached to rounding, and combinations of rows that
// are dependent up to sqrt(e) are left as they are. Rows are scaled to length 1 before.
template <class Factors, class AnyMatrix>
Vector nearest(AnyMatrix g, const Vector& worth, Vector target, Vector z) {
  g = g * worth.asDiagonal();
  z = z.cwiseQuotient(worth);
  const Vector lengths = inverse_lengths(g);
  g = lengths.asDiagonal() * g;
  target = lengths.cwiseProduct(target);
  AnyMatrix square = g * AnyMatrix(g.transpose());
  add_to_diagonal(square, dependence);
  const Factors factors(square);
  for (int k = 0; k < approaches; ++k) z += g.transpose() * factors.solve(target - g * z);
  return worth.cwiseProduct(z);
}

}  // namespace

Vector nearest_forces(const impulse::RowSystem& system, const Carrying& rows, const Vector& b,
                      const Vector& wanted) {
  if (rows.held.empty()) return Vector::Zero(system.size());
  const Vector target = -impulse::gathered(b, rows.held);
  const Vector z0 = impulse::gathered(wanted, rows.carriers);
  const bool is_dense = rows.carriers.size() <= dense_rows;
  const Vector z =
      is_dense ? nearest<Eigen::LLT<impulse::Matrix>>(system.matrix(rows.held, rows.carriers),
                                                      worths(rows), target, z0)
               : nearest<Eigen::SimplicialLLT<SparseMatrix>>(
                     system.sparse_matrix(rows.held, rows.carriers), worths(rows), target, z0);
  Vector forces = Vector::Zero(system.size());
  for (std::size_t i = 0; i < rows.carriers.size(); ++i)
    forces[rows.carriers[i]] = z[static_cast<Eigen::Index>(i)];
  return forces;
}

bool are_allowed(const ConstraintSet& set, const std::vector<ContactGrip>& grips,
                 const Vector& forces) {
  const double none = force_rounding * forces.cwiseAbs().maxCoeff();
  const Vector lower = set.lower_bounds(), upper = set.upper_bounds();
  for (int i = 0; i < set.first_equality(); ++i)
    if (forces[i] < lower[i] - none || forces[i] > upper[i] + none) return false;
  for (int i = 0; i < set.contact_count(); ++i) {
    if (grips[i].grip != Grip::sticks) continue;
    const double most = set.contacts()[i].friction.static_coefficient * forces[i];
    if (forces.segment<2>(set.tangent_of(i)).norm() > most + none) return false;
  }
  return true;
}

}  // namespace abut::force
