#include "force/sharing.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/limits.h"
#include "force/nearest_allowed.h"
#include "impulse/equalities.h"

namespace abut::force {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

// How often forces are improved: the error falls by impulse::singular_fraction over the square of a
// singular value of the held rows each time, which are scaled to length 1.
constexpr int approaches = 5;

// Forces that change by less than this, relative to the largest one, are reached (dimensionless).
constexpr double reached = 1e-15;

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
// `Equations` are g, that is G S with rows of length 1; z is measured by S^-1.
template <class Equations>
void approach(Equations& g, const Vector& target, Vector& z) {
  g.factorise(Limits({}), {}, impulse::singular_fraction);
  for (int k = 0; k < approaches; ++k) {
    const Vector change = g.transposed(g.solve(target - g.product(z)));
    z += change;
    if (change.lpNorm<Eigen::Infinity>() <= reached * z.lpNorm<Eigen::Infinity>()) return;
  }
}

// Of small systems.
class DenseEquations {
 public:
  // Scales the target too.
  DenseEquations(const impulse::Matrix& g, const Vector& worth, Vector& target)
      : g_(g * worth.asDiagonal()) {
    const Vector lengths = g_.rowwise().squaredNorm().unaryExpr(&inverse_length);
    g_ = lengths.asDiagonal() * g_;
    target = lengths.cwiseProduct(target);
  }

  Vector product(const Vector& x) const { return g_ * x; }
  Vector transposed(const Vector& y) const { return g_.transpose() * y; }
  Vector solve(const Vector& r) const { return factors_.solve(r); }

  bool factorise(const Limits& limits, const std::vector<lcp::PartMatrix>& slopes, double extra) {
    impulse::Matrix weighed = g_;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const LimitedForce& force = limits.forces()[i];
      for (int k = 0; k < force.block.rows; ++k) {
        auto column = weighed.col(force.places[lcp::at(k)]);
        column.setZero();
        for (int j = 0; j < force.block.rows; ++j)
          column += slopes[i](j, k) * g_.col(force.places[lcp::at(j)]);
      }
    }
    impulse::Matrix square = weighed * g_.transpose();
    square.diagonal().array() += extra;
    factors_.compute(square);
    return factors_.info() == Eigen::Success;
  }

 private:
  impulse::Matrix g_;
  Eigen::LLT<impulse::Matrix> factors_;
};

// Where forces end, by carrier.
std::vector<LimitedForce> limited_forces(const Carrying& rows, const AllowedForces& allowed) {
  const auto place = [&](int row) {
    const auto found = std::lower_bound(rows.carriers.begin(), rows.carriers.end(), row);
    return found != rows.carriers.end() && *found == row ? found - rows.carriers.begin()
                                                         : Eigen::Index{-1};
  };
  std::vector<LimitedForce> forces;
  std::vector<bool> is_in_cone(rows.carriers.size(), false);
  for (const AllowedForces::Cone& cone : allowed.cones) {
    const LimitedForce force{lcp::ConeBlock::contact(cone.friction),
                             {place(cone.normal), place(cone.tangent), place(cone.tangent + 1)}};
    if (*std::min_element(force.places.begin(), force.places.end()) < 0) continue;
    is_in_cone[lcp::at(force.places[0])] = true;
    forces.push_back(force);
  }
  for (std::size_t i = 0; i < rows.carriers.size() && rows.carriers[i] < allowed.first_to_pull; ++i)
    if (!is_in_cone[i])
      forces.push_back({lcp::ConeBlock::bounded(0, infinity), {static_cast<Eigen::Index>(i)}});
  return forces;
}

// The nearest to `wanted` and, if that is asked for, the nearest that are allowed. Those nearest to
// the nearest are the nearest to what is wanted: in between lies only what has an effect.
template <class Equations>
Vector nearest_to(Equations& g, const Vector& target, Vector z,
                  const std::vector<LimitedForce>& limited) {
  const double wanted = z.lpNorm<Eigen::Infinity>();
  approach(g, target, z);
  const double scale = std::max(wanted, z.lpNorm<Eigen::Infinity>());
  if (limited.empty()) return z;
  return NearestAllowed<Equations>(g, Limits(limited), z, scale).find().value_or(z);
}

}  // namespace

// The same for systems in which most rows do not meet.
struct Sharing::SparseEquations {
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

  // Columns of the square are found one by one, as sums over the carriers of a held row, from the
  // diagonal on: what columns of g have above it has been passed.
  void fill_square(const RowMajor& weighed, double extra) {
    const SparseMatrix columns = g;
    std::vector<int> passed(columns.outerIndexPtr(), columns.outerIndexPtr() + g.cols());
    std::vector<double> sums(lcp::at(g.rows()), 0);
    for (Eigen::Index k = 0; k < g.rows(); ++k) {
      for (RowMajor::InnerIterator of_row(weighed, k); of_row; ++of_row) {
        int& from = passed[lcp::at(of_row.col())];
        const int end = columns.outerIndexPtr()[of_row.col() + 1];
        while (from < end && columns.innerIndexPtr()[from] < k) ++from;
        for (int i = from; i < end; ++i)
          sums[lcp::at(columns.innerIndexPtr()[i])] += of_row.value() * columns.valuePtr()[i];
      }
      for (SparseMatrix::InnerIterator entry(square, k); entry; ++entry) {
        entry.valueRef() = std::exchange(sums[lcp::at(entry.row())], 0);
        if (entry.row() == k) entry.valueRef() += extra;
      }
    }
  }

  // With the rows as they are now; scales the target too.
  void take(const impulse::RowSystem& system, const Vector& worth, Vector& target) {
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
  }

  Vector product(const Vector& x) const { return g * x; }
  Vector transposed(const Vector& y) const { return g.transpose() * y; }
  Vector solve(const Vector& r) const { return factors.solve(r); }

  // The rows of a contact meet the same bodies, so that what cones mix is filled already.
  bool factorise(const Limits& limits, const std::vector<lcp::PartMatrix>& slopes, double extra) {
    if (slopes.empty()) {
      fill_square(g, extra);
    } else {
      fill_square(g * slopes_of(limits, slopes), extra);
    }
    factors.factorize(square);
    return factors.info() == Eigen::Success;
  }

  SparseMatrix slopes_of(const Limits& limits, const std::vector<lcp::PartMatrix>& slopes) const {
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<bool> is_limited(static_cast<std::size_t>(g.cols()), false);
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const LimitedForce& force = limits.forces()[i];
      for (int k = 0; k < force.block.rows; ++k) {
        is_limited[lcp::at(force.places[lcp::at(k)])] = true;
        for (int j = 0; j < force.block.rows; ++j)
          entries.emplace_back(static_cast<int>(force.places[lcp::at(j)]),
                               static_cast<int>(force.places[lcp::at(k)]), slopes[i](j, k));
      }
    }
    for (int i = 0; i < g.cols(); ++i)
      if (!is_limited[lcp::at(i)]) entries.emplace_back(i, i, 1);
    SparseMatrix result(g.cols(), g.cols());
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }
};

Sharing::Sharing() = default;
Sharing::~Sharing() = default;

Vector Sharing::nearest(const impulse::RowSystem& system, const Carrying& rows,
                        const AllowedForces* allowed, const Vector& b, const Vector& wanted) {
  if (rows.held.empty() || rows.carriers.empty()) return Vector::Zero(system.size());
  Vector target = -impulse::gathered(b, rows.held);
  const Vector worth = worths(rows);
  Vector z = impulse::gathered(wanted, rows.carriers).cwiseQuotient(worth);
  // As many forces as they have to hold are what they are.
  std::vector<LimitedForce> limited;
  if (allowed != nullptr && rows.carriers.size() > rows.held.size())
    limited = limited_forces(rows, *allowed);
  if (rows.carriers.size() <= dense_rows) {
    DenseEquations equations(system.matrix(rows.held, rows.carriers), worth, target);
    z = nearest_to(equations, target, std::move(z), limited);
  } else {
    if (!equations_) equations_ = std::make_unique<SparseEquations>();
    if (!equations_->know(system, rows)) equations_->learn(system, rows);
    equations_->take(system, worth, target);
    z = nearest_to(*equations_, target, std::move(z), limited);
  }
  Vector forces = Vector::Zero(system.size());
  for (std::size_t i = 0; i < rows.carriers.size(); ++i)
    forces[rows.carriers[i]] =
        worth[static_cast<Eigen::Index>(i)] * z[static_cast<Eigen::Index>(i)];
  return forces;
}

Vector Sharing::nearest_forces(const impulse::RowSystem& system, const Carrying& rows,
                               const Vector& b, const Vector& wanted) {
  return nearest(system, rows, nullptr, b, wanted);
}

Vector Sharing::nearest_allowed_forces(const impulse::RowSystem& system, const Carrying& rows,
                                       const AllowedForces& allowed, const Vector& b,
                                       const Vector& wanted) {
  return nearest(system, rows, &allowed, b, wanted);
}

bool are_allowed(const ConstraintSet& set, const std::vector<ContactMode>& modes,
                 const Vector& forces) {
  const double none = acceleration_rounding * forces.lpNorm<Eigen::Infinity>();
  const Vector lower = set.lower_bounds(), upper = set.upper_bounds();
  for (int i = 0; i < set.first_equality(); ++i)
    if (forces[i] < lower[i] - none || forces[i] > upper[i] + none) return false;
  for (int i = 0; i < set.contact_count(); ++i) {
    if (modes[i].mode != FrictionMode::sticks) continue;
    const double most = set.contacts()[i].friction.static_coefficient * forces[i];
    if (forces.segment<2>(set.tangent_of(i)).norm() > most + none) return false;
  }
  return true;
}

}  // namespace abut::force
