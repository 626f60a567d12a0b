// The checker of the solver for cones: it shares no code with it but for the layout of vectors.

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "lcp/cone_part.h"
#include "lcp/cone_problem.h"

namespace abut::lcp {
namespace {

// What rounding may leave of a sum, relative to its terms: of 1e3 terms about 1e-13.
constexpr double refutation_margin = 1e-10;

/// What the rows of the problem are at z.
struct Rows {
  Vector w;
  Vector terms;    // |b_i| + sum_k |A_ik z_k| + r_i e
  Vector largest;  // max_k |A_ik|
};

void add_products(const Matrix& a, const Vector& z, Rows& rows) {
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    rows.w += z[k] * a.col(k);
    rows.terms += std::abs(z[k]) * a.col(k).cwiseAbs();
    rows.largest = rows.largest.cwiseMax(a.col(k).cwiseAbs());
  }
}

void add_products(const SparseMatrix& a, const Vector& z, Rows& rows) {
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    for (SparseMatrix::InnerIterator entry(a, i); entry; ++entry) {
      const double product = entry.value() * z[entry.col()];
      rows.w[i] += product;
      rows.terms[i] += std::abs(product);
      rows.largest[i] = std::max(rows.largest[i], std::abs(entry.value()));
    }
  }
}

template <typename AnyProblem>
Rows rows_at(const AnyProblem& problem, const Vector& z) {
  Rows rows{problem.b, problem.b.cwiseAbs(), Vector::Zero(z.size())};
  add_products(problem.a, z, rows);
  Vector roots = problem.a.diagonal();
  roots = roots.cwiseAbs().cwiseSqrt();
  double largest_b = 0;
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    if (roots[k] > 0) largest_b = std::max(largest_b, std::abs(problem.b[k]) / roots[k]);
  }
  rows.terms += (roots.dot(z.cwiseAbs()) + largest_b) * roots;
  return rows;
}

/// The point of {|p_T| <= mu p_N} next to y: y itself inside, 0 where y makes an angle of more than
/// 90 degrees with all of the cone, and otherwise the foot on the generator next to y.
Eigen::Vector3d nearest_in_cone(const Eigen::Vector3d& y, double mu) {
  const double tangential = y.tail<2>().norm();
  if (y[0] >= 0 && tangential <= mu * y[0]) return y;
  if (y[0] + mu * tangential <= 0) return Eigen::Vector3d::Zero();
  const double normal = (y[0] + mu * tangential) / (1 + mu * mu);
  Eigen::Vector3d foot;
  foot << normal, mu * normal / tangential * y.tail<2>();
  return foot;
}

double relative(double error, double scale) {
  if (std::isnan(error) || std::isnan(scale)) return infinity;
  return error > 0 ? error / scale : 0;
}

double row_residual(const ConeBlock& block, const Rows& rows, const Vector& z, Eigen::Index i) {
  const double unit = rows.largest[i] == 0 ? 1 : rows.largest[i];
  const double moved = z[i] - rows.w[i] / unit;
  const double nearest = std::min(std::max(moved, block.lower), block.upper);
  return relative(unit * std::abs(z[i] - nearest),
                  rows.terms[i] + unit * (std::abs(z[i]) + std::abs(nearest)));
}

double contact_residual(const ConeBlock& block, const Rows& rows, const Vector& z,
                        Eigen::Index first) {
  const double largest = rows.largest.segment(first, block.rows).maxCoeff();
  const double unit = largest == 0 ? 1 : largest;
  const Part force = part_at(z, first, block.rows);
  Part motion = part_at(rows.w, first, block.rows);
  motion[0] += block.friction * motion.tail<2>().norm();
  const Eigen::Vector3d nearest = nearest_in_cone(force - motion / unit, block.friction);
  return relative(
      unit * (force - nearest).norm(),
      rows.terms.segment(first, block.rows).maxCoeff() + unit * (force.norm() + nearest.norm()));
}

template <typename AnyProblem>
double residual_of(const AnyProblem& problem, const Vector& z) {
  if (!z.allFinite()) return infinity;
  const Rows rows = rows_at(problem, z);
  double worst = 0;
  Eigen::Index first = 0;
  for (const ConeBlock& block : problem.blocks) {
    worst = std::max(worst, block.is_contact() ? contact_residual(block, rows, z, first)
                                               : row_residual(block, rows, z, first));
    first += block.rows;
  }
  return worst;
}

}  // namespace

double cone_residual(const ConeProblem& problem, const Vector& z) {
  return residual_of(problem, z);
}

double cone_residual(const SparseConeProblem& problem, const Vector& z) {
  return residual_of(problem, z);
}

bool refutes(const ConeProblem& problem, const Vector& y) {
  if (y.size() != problem.size() || !y.allFinite()) return false;
  const Vector c = problem.a.transpose() * y;
  const Vector terms = problem.a.cwiseAbs().transpose() * y.cwiseAbs();
  double bound = problem.b.dot(y);
  const double scale = problem.b.cwiseAbs().dot(y.cwiseAbs());
  // The least upper bound of slope * z over an interval; a slope of rounding size is none.
  const auto supremum = [](double slope, double noise, double lower, double upper) {
    if (std::abs(slope) <= noise) slope = 0;
    return slope == 0 ? 0 : slope * (slope > 0 ? upper : lower);
  };
  Eigen::Index first = 0;
  for (const ConeBlock& block : problem.blocks) {
    const auto weights = y.segment(first, block.rows);
    const auto slopes = c.segment(first, block.rows);
    const double noise = refutation_margin * terms.segment(first, block.rows).maxCoeff();
    if (block.is_contact()) {
      if (weights[0] < 0 || weights.tail(block.rows - 1).cwiseAbs().maxCoeff() > 0) return false;
      // The steepest generator of the cone.
      const double slope = slopes[0] + block.friction * slopes.tail(block.rows - 1).norm();
      bound += supremum(slope, noise * (1 + block.friction), 0, infinity);
    } else {
      if (weights[0] > 0 && block.upper != infinity) return false;
      if (weights[0] < 0 && block.lower != -infinity) return false;
      bound += supremum(slopes[0], noise, block.lower, block.upper);
    }
    first += block.rows;
  }
  return bound < -refutation_margin * scale;
}

}  // namespace abut::lcp
