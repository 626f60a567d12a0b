// Which forces go with a motion.
//
// With w given, let x be the unknowns that are still free: the force of a contact with w = 0, in
// its cone; the magnitude of the force of a contact that slips, not negative; the multiplier of a
// row with w = 0, within its bounds. Measured along unit vectors, |x| = |z| up to what is fixed.
// The same w means B x = B x0, or Q^T x = Q^T x0 with an orthonormal basis Q of the range of B^T.
// The least norm
//     minimise |x|^2 / 2   subject to   Q^T x = Q^T x0,  x in C
// has the dual problem, without constraints, convex and once differentiable,
//     minimise  (|v|^2 - |v - P(v)|^2) / 2 - u.Q^T x0,   v = Q u,
// P the projection on C: its gradient is Q^T (P(v) - x0), so that at the minimum x = P(v). Newton's
// method with the generalised derivative of P, and with steps that lower the dual function, finds
// it from anywhere (Qi and Sun, 2006, for a problem of the same form).

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "lcp/cone_problem.h"
#include "lcp/cone_projection.h"
#include "math/dense.h"

namespace abut::lcp {
namespace {

using Index = Eigen::Index;

constexpr int most_steps = 100;
constexpr int most_halvings = 30;
constexpr double good_enough = 1e-12;  // of forces, if it does not get better
// The derivative may be singular where v lies beyond cones. Added to its diagonal, in proportion to
// the relative gradient, so that the last steps are still those of Newton (Qi and Sun).
constexpr double added_curvature = 0.01;
constexpr double least_curvature = 1e-12;

/// A block's free unknowns.
struct FreeBlock {
  ConeBlock block;  // bounds or cone of x
  Index first;      // in x
  Index first_row;  // in z
  Part direction;   // of a contact that slips, of unit length; else 0
};

struct FreeUnknowns {
  std::vector<FreeBlock> blocks;
  Index size = 0;
};

Vector terms_of(const ConeProblem& problem, const Vector& z) {
  const Vector roots = problem.a.diagonal().cwiseAbs().cwiseSqrt();
  return problem.b.cwiseAbs() + problem.a.cwiseAbs() * z.cwiseAbs() +
         roots * roots.dot(z.cwiseAbs());
}

FreeUnknowns free_unknowns(const ConeProblem& problem, const ConeSolution& solution) {
  const Vector terms = terms_of(problem, solution.z);
  FreeUnknowns result;
  Index row = 0;
  for (const ConeBlock& block : problem.blocks) {
    const Part w = part_at(solution.w, row, block.rows);
    const double zero = zero_motion * terms.segment(row, block.rows).maxCoeff();
    if (std::abs(w[0]) <= zero) {
      const double sliding = w.tail<2>().norm();
      if (!block.is_contact() || sliding <= zero) {
        if (block.is_contact() || block.lower < block.upper) {
          result.blocks.push_back({block, result.size, row, Part::Zero()});
          result.size += block.rows;
        }
      } else {
        Part direction;
        direction << 1, -block.friction / sliding * w.tail<2>();
        result.blocks.push_back(
            {ConeBlock::bounded(0, infinity), result.size, row, direction.normalized()});
        result.size += 1;
      }
    }
    row += block.rows;
  }
  return result;
}

bool slips(const FreeBlock& free) {
  return free.direction != Part::Zero();
}

/// The columns of A that belong to x.
Matrix columns_of(const ConeProblem& problem, const FreeUnknowns& unknowns) {
  Matrix b(problem.size(), unknowns.size);
  for (const FreeBlock& free : unknowns.blocks) {
    if (slips(free)) {
      b.col(free.first).setZero();
      for (int k = 0; k < 3 && free.first_row + k < problem.size(); ++k) {
        if (free.direction[k] != 0)
          b.col(free.first) += free.direction[k] * problem.a.col(free.first_row + k);
      }
    } else {
      b.middleCols(free.first, free.block.rows) =
          problem.a.middleCols(free.first_row, free.block.rows);
    }
  }
  return b;
}

/// An orthonormal basis of the range of B^T. Which rows of B are independent is decided with rows
/// and columns of length 1, so that units do not matter.
Matrix row_space(const Matrix& b) {
  const auto lengths = [](const Vector& squares) {
    return Vector(squares.cwiseSqrt().unaryExpr([](double x) { return x > 0 ? 1 / x : 0; }));
  };
  Matrix balanced = b * lengths(b.colwise().squaredNorm()).asDiagonal();
  balanced = lengths(balanced.rowwise().squaredNorm()).asDiagonal() * balanced;
  const std::vector<Index> rows = math::independent_columns(balanced.transpose(), dependence);
  Matrix independent(b.cols(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    independent.col(static_cast<Index>(k)) = b.row(rows[k]).transpose().normalized();
  return math::orthonormal_basis(independent);
}

/// The nearest point of C, and the derivative by blocks.
struct Nearest {
  Vector x;
  std::vector<PartMatrix> slopes;
};

void project(const FreeBlock& free, const Vector& v, Nearest& nearest) {
  const NearestPart found = nearest_part(free.block, part_at(v, free.first, free.block.rows));
  put_part(nearest.x, free.first, free.block.rows, found.value);
  nearest.slopes.push_back(found.slope);
}

class DualProblem {
 public:
  DualProblem(const FreeUnknowns& unknowns, const Matrix& q, const Vector& x0)
      : unknowns_(unknowns), q_(q), target_(q.transpose() * x0), scale_(x0.norm()) {}

  /// The least x; false if the dual problem was not solved.
  bool solve(Vector& x) const {
    Vector u = target_;
    Nearest nearest;
    double value = evaluate(u, nearest);
    for (int k = 0; k < most_steps; ++k) {
      const Vector gradient = q_.transpose() * nearest.x - target_;
      x = nearest.x;
      if (gradient.norm() <= exact * scale_) return true;
      const Vector step = -math::solve_symmetric(
          curvature(nearest, std::max(least_curvature, added_curvature * gradient.norm() / scale_)),
          gradient);
      if (!step.allFinite()) return gradient.norm() <= good_enough * scale_;
      const double slope = gradient.dot(step);
      double length = 1;
      bool has_fallen = false;
      for (int h = 0; h < most_halvings && !has_fallen; ++h, length /= 2) {
        const Vector trial = u + length * step;
        const double lower = evaluate(trial, nearest);
        has_fallen = lower <= value + sufficient_decrease * length * slope ||
                     (q_.transpose() * nearest.x - target_).norm() < 0.5 * gradient.norm();
        if (!has_fallen) continue;
        u = trial;
        value = lower;
        break;
      }
      if (!has_fallen) return gradient.norm() <= good_enough * scale_;
    }
    return (q_.transpose() * x - target_).norm() <= good_enough * scale_;
  }

 private:
  double evaluate(const Vector& u, Nearest& nearest) const {
    const Vector v = q_ * u;
    nearest.x.resize(unknowns_.size);
    nearest.slopes.clear();
    for (const FreeBlock& free : unknowns_.blocks) project(free, v, nearest);
    return 0.5 * (v.squaredNorm() - (v - nearest.x).squaredNorm()) - u.dot(target_);
  }

  Matrix curvature(const Nearest& nearest, double added) const {
    Matrix bent(q_.rows(), q_.cols());
    for (std::size_t k = 0; k < unknowns_.blocks.size(); ++k) {
      const FreeBlock& free = unknowns_.blocks[k];
      const int rows = free.block.rows;
      bent.middleRows(free.first, rows) =
          nearest.slopes[k].topLeftCorner(rows, rows) * q_.middleRows(free.first, rows);
    }
    Matrix result = q_.transpose() * bent;
    result.diagonal().array() += added;
    return result;
  }

  const FreeUnknowns& unknowns_;
  const Matrix& q_;
  Vector target_;
  double scale_;
};

}  // namespace

ConeForces least_norm(const ConeProblem& problem, const ConeSolution& solution) {
  ConeForces forces{solution.z, 0};
  const FreeUnknowns unknowns = free_unknowns(problem, solution);
  if (unknowns.size == 0) return forces;
  const Matrix q = row_space(columns_of(problem, unknowns));
  forces.deficiency = unknowns.size - q.cols();
  if (forces.deficiency == 0) return forces;

  Vector x(unknowns.size);
  for (const FreeBlock& free : unknowns.blocks) {
    if (slips(free)) {
      x[free.first] = solution.z[free.first_row] / free.direction[0];
    } else {
      x.segment(free.first, free.block.rows) = solution.z.segment(free.first_row, free.block.rows);
    }
  }
  if (!DualProblem(unknowns, q, x).solve(x)) return forces;
  for (const FreeBlock& free : unknowns.blocks) {
    if (slips(free)) {
      for (int k = 0; k < 3; ++k) {
        if (free.direction[k] != 0)
          forces.z[free.first_row + k] = x[free.first] * free.direction[k];
      }
    } else {
      forces.z.segment(free.first_row, free.block.rows) = x.segment(free.first, free.block.rows);
    }
  }
  // What is undetermined in x may be determined by w all the same, to rounding errors.
  if (!(cone_residual(problem, forces.z) <= std::max(solution.residual, good_enough)))
    forces.z = solution.z;
  return forces;
}

}  // namespace abut::lcp
