#include "force/sharing.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "impulse/equalities.h"

namespace abut::force {
namespace {

// Friction that is cut off to what is allowed is left this part of the cone within
// (dimensionless).
constexpr double within_cone = 0.02;

using SparseMatrix = Eigen::SparseMatrix<double>;

// Forces that are as good as at the boundary of what is allowed, relative to the largest one
// (dimensionless).
constexpr double force_rounding = 1e-11;

// Squares of singular values of the held rows, scaled to length 1, that count as none
// (dimensionless): a thousand times the rounding of squares. And how often forces are improved: the
// error falls by this over the square of the singular value each time.
constexpr double dependence = 1e-13;
constexpr int approaches = 5;

// Forces that change by less than this, relative to the largest one, are reached (dimensionless).
constexpr double reached = 1e-15;

// How readily guides bear what others can bear too, relative to those (dimensionless): small
// enough to vanish, its square large enough for the factorisation.
constexpr double guide_worth = 1e-3;

// Up to this many carriers dense factorisations are faster than sparse ones.
constexpr std::size_t dense_rows = 48;

// Forces that push hold as well as others if they leave no more than this part of the accelerations
// beyond what those leave (dimensionless).
constexpr double held_as_well = 1e-9;

// What carriers are worth, by carrier.
Vector worths(const Carrying& rows) {
  Vector worth = Vector::Ones(static_cast<Eigen::Index>(rows.carriers.size()));
  for (std::size_t i = 0; i < rows.carriers.size(); ++i)
    if (std::binary_search(rows.guides.begin(), rows.guides.end(), rows.carriers[i]))
      worth[static_cast<Eigen::Index>(i)] = guide_worth;
  return worth;
}

double inverse_length(double square) {
  return square > 0 ? 1 / std::sqrt(square) : 0;
}

// With G = R M^-1 P^T from carriers to held rows, and S what the carriers are worth, the nearest z
// to z0 with G z = -b, distances measured by S^-1, is z0 + S^2 G^T y with G S^2 G^T y = -b - G z0.
// Held rows may be dependent or nearly so, and change over from one to the other while bodies move:
// then z must neither jump nor grow beyond all bounds. So it is approached by
//     z += S^2 G^T (G S^2 G^T + e)^-1 (-b - G z),
// a few times: where rows are independent it is reached to rounding, and combinations of rows that
// are dependent up to sqrt(e) are left as they are. Rows are scaled to length 1 before.
//
// `g` is G S with rows of length 1, `factors` those of g g^T + e; z is measured by S^-1.
template <class AnyMatrix, class Factors>
void approach(const AnyMatrix& g, const Factors& factors, const Vector& target, Vector& z) {
  for (int k = 0; k < approaches; ++k) {
    const Vector change = g.transpose() * factors.solve(target - g * z);
    z += change;
    if (change.cwiseAbs().maxCoeff() <= reached * z.cwiseAbs().maxCoeff()) return;
  }
}

Vector nearest(impulse::Matrix g, const Vector& worth, Vector target, Vector z) {
  g = g * worth.asDiagonal();
  z = z.cwiseQuotient(worth);
  const Vector lengths = g.rowwise().squaredNorm().unaryExpr(&inverse_length);
  g = lengths.asDiagonal() * g;
  target = lengths.cwiseProduct(target);
  impulse::Matrix square = g * g.transpose();
  square.diagonal().array() += dependence;
  approach(g, Eigen::LLT<impulse::Matrix>(square), target, z);
  return worth.cwiseProduct(z);
}

}  // namespace

// The same for systems in which most rows do not meet.
struct Sharing::Equations {
  using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  Carrying rows;
  std::vector<std::array<int, 2>> slots;  // of the held rows, then of the carriers
  RowMajor g;
  SparseMatrix square;  // the lower half
  Eigen::SimplicialLLT<SparseMatrix> factors;

  static std::vector<std::array<int, 2>> slots_of(const impulse::RowSystem& system,
                                                  const Carrying& rows) {
    std::vector<std::array<int, 2>> slots;
    for (const std::vector<int>* list : {&rows.held, &rows.carriers})
      for (const int row : *list) slots.push_back(system[row].slots);
    return slots;
  }

  bool know(const impulse::RowSystem& system, const Carrying& now) const {
    return rows.held == now.held && rows.carriers == now.carriers && slots == slots_of(system, now);
  }

  void learn(const impulse::RowSystem& system, const Carrying& now) {
    rows = now;
    slots = slots_of(system, now);
    g = system.sparse_matrix(now.held, now.carriers);
    RowMajor ones = g;
    std::fill(ones.valuePtr(), ones.valuePtr() + ones.nonZeros(), 1);
    const SparseMatrix products = ones * RowMajor(ones.transpose());
    square = products.triangularView<Eigen::Lower>();
    factors.analyzePattern(square);
  }

  // Columns of the square are found one by one, as sums over the carriers of a held row.
  void fill_square() {
    const SparseMatrix columns = g;
    std::vector<double> sums(static_cast<std::size_t>(g.rows()), 0);
    for (Eigen::Index k = 0; k < g.rows(); ++k) {
      for (RowMajor::InnerIterator of_row(g, k); of_row; ++of_row)
        for (SparseMatrix::InnerIterator of_column(columns, of_row.col()); of_column; ++of_column)
          sums[static_cast<std::size_t>(of_column.row())] += of_row.value() * of_column.value();
      for (SparseMatrix::InnerIterator entry(square, k); entry; ++entry) {
        entry.valueRef() = sums[static_cast<std::size_t>(entry.row())];
        if (entry.row() == k) entry.valueRef() += dependence;
      }
      for (RowMajor::InnerIterator of_row(g, k); of_row; ++of_row)
        for (SparseMatrix::InnerIterator of_column(columns, of_row.col()); of_column; ++of_column)
          sums[static_cast<std::size_t>(of_column.row())] = 0;
    }
  }

  Vector solve(const impulse::RowSystem& system, const Vector& worth, Vector target, Vector z) {
    for (Eigen::Index k = 0; k < g.rows(); ++k) {
      const int row = rows.held[static_cast<std::size_t>(k)];
      double square_of_length = 0;
      for (RowMajor::InnerIterator it(g, k); it; ++it) {
        it.valueRef() =
            worth[it.col()] * system.entry(row, rows.carriers[static_cast<std::size_t>(it.col())]);
        square_of_length += it.value() * it.value();
      }
      const double scale = inverse_length(square_of_length);
      for (RowMajor::InnerIterator it(g, k); it; ++it) it.valueRef() *= scale;
      target[k] *= scale;
    }
    fill_square();
    factors.factorize(square);
    z = z.cwiseQuotient(worth);
    approach(g, factors, target, z);
    return worth.cwiseProduct(z);
  }
};

Sharing::Sharing() = default;
Sharing::~Sharing() = default;

Vector Sharing::nearest_forces(const impulse::RowSystem& system, const Carrying& rows,
                               const Vector& b, const Vector& wanted) {
  if (rows.held.empty() || rows.carriers.empty()) return Vector::Zero(system.size());
  const Vector target = -impulse::gathered(b, rows.held);
  const Vector z0 = impulse::gathered(wanted, rows.carriers);
  Vector z;
  if (rows.carriers.size() <= dense_rows) {
    z = nearest(system.matrix(rows.held, rows.carriers), worths(rows), target, z0);
  } else {
    if (!equations_) equations_ = std::make_unique<Equations>();
    if (!equations_->know(system, rows)) equations_->learn(system, rows);
    z = equations_->solve(system, worths(rows), target, z0);
  }
  Vector forces = Vector::Zero(system.size());
  for (std::size_t i = 0; i < rows.carriers.size(); ++i)
    forces[rows.carriers[i]] = z[static_cast<Eigen::Index>(i)];
  return forces;
}

// A force that comes to zero stays there, and the others change from then on as they would without
// it: forces are continuous in time, as those must be that motion follows from.
Vector Sharing::nearest_pushing_forces(const impulse::RowSystem& system, const Carrying& rows,
                                       int first_to_pull, const Vector& b, const Vector& wanted) {
  Vector forces = nearest_forces(system, rows, b, wanted);
  const auto pulls = [&](int row) { return row < first_to_pull && forces[row] < 0; };
  const auto any_pulls = [&](const std::vector<int>& carriers) {
    return std::any_of(carriers.begin(), carriers.end(), pulls);
  };
  if (rows.carriers.size() <= rows.held.size() || !any_pulls(rows.carriers)) return forces;
  Vector nearest = forces;
  Carrying left = rows;
  if (!fewer_) fewer_ = std::make_unique<Sharing>();
  while (any_pulls(left.carriers)) {
    std::erase_if(left.carriers, pulls);
    if (left.carriers.size() < left.held.size()) return nearest;
    forces = fewer_->nearest_forces(system, left, b, wanted);
  }
  const auto unheld = [&](const Vector& f) {
    return impulse::gathered(b + system.along(system.response(f)), rows.held).cwiseAbs().maxCoeff();
  };
  const double allowed = unheld(nearest) + held_as_well * b.cwiseAbs().maxCoeff();
  return unheld(forces) <= allowed ? forces : nearest;
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

Vector cut_off(const ConstraintSet& set, const std::vector<ContactGrip>& grips, Vector forces) {
  const Vector lower = set.lower_bounds(), upper = set.upper_bounds();
  for (int i = 0; i < set.first_equality(); ++i)
    forces[i] = std::min(std::max(forces[i], lower[i]), upper[i]);
  for (int i = 0; i < set.contact_count(); ++i) {
    if (grips[i].grip != Grip::sticks) continue;
    auto friction = forces.segment<2>(set.tangent_of(i));
    const double most =
        (1 - within_cone) * set.contacts()[i].friction.static_coefficient * forces[i];
    if (const double now = friction.norm(); now > most) friction *= most / now;
  }
  return forces;
}

}  // namespace abut::force
