#pragma once
// Where the material points of a body that bends are.
//
// A material point p (in body frame coordinates of the body at rest) is at
//     x(p) = sum_k Z_k(p) r_k
// with a few *columns* r_k in space that move and functions Z_k that do not (Baraff and Witkin
// 1992: x = R Z(p), the r_k are the columns of R). Affine bodies have Z = (x, y, z, 1), quadratic
// ones Z = (x^2, y^2, z^2, xy, xz, yz, x, y, z, 1); a sheet has a column per node. Forces f at p
// act on the columns as f Z_k(p), so every formula here is one for weights on columns.

#include <Eigen/Core>
#include <span>

#include "abut/types.h"

namespace abut::flexible {

/// One column per basis function: places (m / unit of Z), rates or generalised forces.
using Columns = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct State {
  Columns columns;
  Columns rates;
};

/// The column counts for `weight` in a point that is a combination of columns.
struct ColumnWeight {
  int column = 0;
  double weight = 0;
};
using Weights = std::span<const ColumnWeight>;

/// sum of weight * column: the place of a point, or its velocity if given the rates.
inline Vec3 combined(Weights weights, const Columns& columns) {
  Vec3 sum = Vec3::Zero();
  for (const ColumnWeight& w : weights) sum += w.weight * columns.col(w.column);
  return sum;
}

/// The generalised force of a force (or impulse) at that point.
inline void add_force(Weights weights, const Vec3& force, Columns& generalised) {
  for (const ColumnWeight& w : weights) generalised.col(w.column) += w.weight * force;
}

}  // namespace abut::flexible
